"""What is counted is true: by clients, by tables, and in histograms."""

import random

import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from ludothek.observe.lag import LoopLag
from ludothek.observe.traffic import HANDLING_BOUNDS, Histogram, Traffic, quantile
from tests.support.helpers import memory_link_pair, socket_link_pair
from tests.support.toy import open_toy, toy_client, toy_hall
from transports import Complaint, LineFramer, OutboxLimits, Poller


def test_a_duration_is_counted_under_the_first_bound_that_it_does_not_exceed() -> None:
    histogram = Histogram((1.0, 2.0, 4.0))
    for seconds in (0.0, 1.0, 1.1, 2.0, 4.0, 4.1, 99.0):
        histogram.observe(seconds)
    assert histogram.counts == [2, 2, 1, 2]
    assert histogram.total == pytest.approx(111.2)


@pytest.mark.parametrize(
    ("share", "counts", "expected"),
    [
        (0.5, [0, 0, 0, 0], None),
        (0.5, [10, 0, 0, 0], 0.5),
        (0.5, [0, 10, 0, 0], 1.5),
        (0.99, [99, 1, 0, 0], 1.0),
        (1.0, [99, 1, 0, 0], 2.0),
        (0.99, [0, 0, 0, 5], 4.0),
    ],
)
def test_quantiles(share: float, counts: list[int], expected: float | None) -> None:
    assert quantile(share, (1.0, 2.0, 4.0), counts) == (
        None if expected is None else pytest.approx(expected)
    )


def test_quantiles_are_right_within_their_bounds() -> None:
    rng = random.Random(1)
    for _ in range(50):
        histogram = Histogram(HANDLING_BOUNDS)
        durations = sorted(rng.lognormvariate(-8, 1.5) for _ in range(200))
        for seconds in durations:
            histogram.observe(seconds)
        for share in (0.1, 0.5, 0.9, 0.99):
            true = durations[int(share * 200) - 1]
            bounds = [0.0, *HANDLING_BOUNDS]
            upper = next(n for n, bound in enumerate(bounds) if bound >= min(true, 1.0))
            found = quantile(share, histogram.bounds, histogram.counts)
            assert found is not None
            assert bounds[upper - 1] <= found <= bounds[upper] * 1.000001


async def test_a_client_counts_what_it_says_and_hears(nursery: trio.Nursery) -> None:
    ours, theirs = memory_link_pair()
    traffic = Traffic()
    client = toy_client(toy_hall(nursery, traffic=traffic), 1, theirs)
    nursery.start_soon(client.run)
    for text in (b"echo", b"five", b"!"):
        await ours.send(text)
    await wait_all_tasks_blocked()
    said = ours.received()
    assert (traffic.frames_in, traffic.bytes_in) == (3, 9)
    assert (traffic.frames_out, traffic.bytes_out) == (1, sum(map(len, said)))
    assert client.heard == 3


async def test_what_waits_for_a_slow_peer_is_known(poller: Poller, nursery: trio.Nursery) -> None:
    link, stream = socket_link_pair(poller, LineFramer())
    client = toy_client(toy_hall(nursery), 1, link)
    nursery.start_soon(client.run)
    while not client.waiting_frames:
        client.post(b"x" * 999)
    waiting = client.waiting_bytes
    client.post(b"12345")
    assert (client.waiting_frames, client.waiting_bytes) == (2, waiting + 6)
    while client.waiting_frames:
        await stream.receive_some()
        await wait_all_tasks_blocked()
    assert client.waiting_bytes == 0
    nursery.cancel_scope.cancel()


async def test_drops_are_counted_by_reason(poller: Poller, autojump_clock: MockClock) -> None:
    traffic = Traffic()
    assert set(traffic.drops) == {complaint.key for complaint in Complaint}
    async with trio.open_nursery() as halls:
        hall = toy_hall(halls, traffic=traffic)
        async with trio.open_nursery() as nursery:
            for number, frames in ((1, 2), (2, 100)):
                link, _ = socket_link_pair(poller, LineFramer())
                client = toy_client(hall, number, link, outbox=OutboxLimits(frames=frames))
                nursery.start_soon(client.run)
                while not client.waiting_frames:
                    client.post(b"x" * 1000)
                for _ in range(9):
                    client.post(b"x")
        halls.cancel_scope.cancel()
    assert +traffic.drops == {"outbox_full": 1, "slow_write": 1}


async def test_a_table_is_timed_whatever_it_does(nursery: trio.Nursery) -> None:
    traffic = Traffic()
    hall = toy_hall(nursery, traffic=traffic)
    lobby = open_toy(hall, "a")
    client = toy_client(hall)
    lobby.let(lobby.table.enter, client, None)
    lobby.let(lobby.table.receive, client, "hello")
    lobby.let(lobby.table.receive, client, "bug")
    assert sum(traffic.handling.counts) == 3
    assert traffic.handling.total > 0
    assert hall.opened == 1


async def test_lag_is_how_late_a_timer_rings(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    busy = 0.0
    lag = LoopLag(lambda: trio.current_time() + busy)
    nursery.start_soon(lag.watch)
    await trio.sleep(0.45)  # four measurements
    assert lag.largest == pytest.approx(0)
    busy = 0.3  # as if nothing could be done for so long
    await trio.sleep(0.1)
    assert lag.largest == pytest.approx(0.3)
    assert (sum(lag.histogram.counts), lag.histogram.counts[8]) == (5, 1)


def test_the_largest_lag_is_forgotten_after_a_minute() -> None:
    moment = [0.0]
    lag = LoopLag(lambda: moment[0])
    assert lag.largest == 0
    for time, seconds, largest in (
        (1.0, 0.5, 0.5),
        (2.0, 0.1, 0.5),
        (3.0, 0.2, 0.5),
        (61.5, 0.01, 0.2),
        (64.0, 0.01, 0.01),
    ):
        moment[0] = time
        lag.note(seconds)
        assert lag.largest == largest
    moment[0] = 200.0
    assert lag.largest == 0
