"""A connection never makes anybody wait."""

from collections.abc import Hashable
from typing import Any

import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from ludothek.contract.client import Client
from ludothek.contract.effects import Effects, Hold, Kick, Send, Unhold
from ludothek.kit.chat import may_chat
from ludothek.runtime.connection import Connection
from ludothek.runtime.hall import Hall
from ludothek.testing.dummies import DummyClient
from tests.support.helpers import memory_link_pair, socket_link_pair
from tests.support.toy import ToyReception, toy_client, toy_hall
from transports import Complaint, Farewell, LineFramer, OutboxLimits, Poller, Rate
from transports.peer_link import LINGER_SECONDS
from transports.socket_link import SocketLink


@pytest.fixture
def hall(nursery: trio.Nursery) -> Hall:
    return toy_hall(nursery)


def say(client: Connection, message: object) -> None:
    client.post(str(message).encode())


def deaf_peer(
    poller: Poller, hall: Hall, **outbox: Any
) -> tuple[Connection, SocketLink, trio.SocketStream]:
    """A client whose peer reads nothing, and whose socket is full already."""
    link, stream = socket_link_pair(poller, LineFramer())
    client = toy_client(hall, 1, link, outbox=OutboxLimits(**outbox))
    while not link.waiting_frames:
        say(client, "x" * 1000)
    return client, link, stream


async def test_a_peer_that_does_not_read_is_dropped_when_its_outbox_is_full(
    poller: Poller, nursery: trio.Nursery, hall: Hall
) -> None:
    client, link, stream = deaf_peer(poller, hall, frames=5)
    nursery.start_soon(client.run)
    for n in range(4):
        say(client, n)
    assert link.waiting_frames == 5
    say(client, "one too many")
    assert link.complaint is Complaint.OUTBOX_FULL
    await wait_all_tasks_blocked()
    assert client.closing
    await stream.aclose()


async def test_a_peer_that_does_not_read_is_dropped_when_too_many_bytes_wait(
    poller: Poller, nursery: trio.Nursery, hall: Hall
) -> None:
    client, link, _stream = deaf_peer(poller, hall, bytes=2000)
    nursery.start_soon(client.run)
    say(client, "x" * 1998)
    assert link.complaint is None
    say(client, "x")
    assert link.complaint is Complaint.OUTBOX_FULL


async def test_one_answer_may_be_larger_than_all_that_may_wait(
    poller: Poller, nursery: trio.Nursery, hall: Hall
) -> None:
    link, stream = socket_link_pair(poller, LineFramer())
    client = toy_client(hall, 1, link, outbox=OutboxLimits(bytes=100_000))
    nursery.start_soon(client.run)
    say(client, "x" * 1_000_000)
    assert link.congested  # no question is heard before it is written
    say(client, "and what happens meanwhile")
    lines = await read_lines(stream, 2)
    assert [len(line) for line in lines] == [1_000_000, 26]
    nursery.cancel_scope.cancel()


async def test_two_such_answers_at_once_are_too_much(poller: Poller, hall: Hall) -> None:
    link, _stream = socket_link_pair(poller, LineFramer())
    client = toy_client(hall, 1, link, outbox=OutboxLimits(bytes=100_000))
    say(client, "x" * 1_000_000)
    say(client, "x" * 1_000_000)
    assert link.complaint is Complaint.OUTBOX_FULL


async def test_what_was_written_makes_room_again(
    poller: Poller, nursery: trio.Nursery, hall: Hall
) -> None:
    client, link, stream = deaf_peer(poller, hall, bytes=2000)
    nursery.start_soon(client.run)
    for _ in range(20):
        while link.waiting_bytes:
            await stream.receive_some(100_000)
            await wait_all_tasks_blocked()
        while not link.waiting_frames:
            say(client, "x" * 900)
    assert link.complaint is None
    nursery.cancel_scope.cancel()


async def test_a_peer_that_reads_too_slowly_is_dropped(
    poller: Poller, autojump_clock: MockClock, hall: Hall
) -> None:
    client, link, _stream = deaf_peer(poller, hall, seconds=10)
    await client.run()
    assert trio.current_time() == pytest.approx(10 + LINGER_SECONDS, abs=0.01)
    assert link.complaint is Complaint.SLOW_WRITE


async def test_a_peer_that_reads_little_by_little_is_not_dropped(
    poller: Poller, autojump_clock: MockClock, nursery: trio.Nursery, hall: Hall
) -> None:
    client, link, stream = deaf_peer(poller, hall, seconds=10)
    nursery.start_soon(client.run)
    for _ in range(20):
        await trio.sleep(9)
        while link.waiting_frames:
            await stream.receive_some(100_000)
            await wait_all_tasks_blocked()
        while not link.waiting_frames:
            say(client, "x" * 1000)
    assert link.complaint is None
    nursery.cancel_scope.cancel()


async def test_a_peer_that_asks_faster_than_it_is_answered_is_not_dropped(
    poller: Poller,
    nursery: trio.Nursery,
) -> None:
    class Talkative(ToyReception):
        def receive(self, client: Client, message: Any) -> Effects:
            return [Send(client, f"{message}.{n}" + "x" * 50_000) for n in range(3)]

    hall = toy_hall(nursery, make=Talkative)
    link, stream = socket_link_pair(poller, LineFramer())
    client = toy_client(hall, 1, link, outbox=OutboxLimits(frames=10))
    nursery.start_soon(client.run)
    await stream.send_all(b"".join(b"%d\n" % n for n in range(100)))
    answers = await read_lines(stream, 300)
    assert [answer.rstrip(b"x") for answer in answers] == [
        f"{n}.{m}".encode() for n in range(100) for m in range(3)
    ]
    nursery.cancel_scope.cancel()


async def read_lines(stream: trio.SocketStream, count: int) -> list[bytes]:
    read, lines = bytearray(), 0
    while lines < count:
        piece = await stream.receive_some()
        lines += piece.count(b"\n")
        read += piece
    return bytes(read).splitlines()


async def test_a_polite_end_delivers_what_was_sent(nursery: trio.Nursery, hall: Hall) -> None:
    ours, theirs = memory_link_pair()
    client = toy_client(hall, 1, theirs)
    nursery.start_soon(client.run)
    for n in range(5):
        say(client, n)
    client.close(Farewell.GOING_AWAY)
    say(client, "too late")
    assert [await ours.receive() for _ in range(5)] == [b"0", b"1", b"2", b"3", b"4"]
    with pytest.raises(trio.EndOfChannel):
        await ours.receive()
    assert theirs.farewell is Farewell.GOING_AWAY


async def test_a_polite_end_does_not_wait_for_ever(
    poller: Poller, autojump_clock: MockClock, hall: Hall
) -> None:
    client, _link, _stream = deaf_peer(poller, hall, seconds=10)
    client.close()
    await client.run()
    assert trio.current_time() < 12


async def test_nothing_is_heard_after_our_goodbye(nursery: trio.Nursery) -> None:
    class Curt(ToyReception):
        def receive(self, client: Client, message: Any) -> Effects:
            self.heard.append(message)
            return [Kick(client, Farewell.DONE)]

    hall = toy_hall(nursery, make=Curt)
    ours, theirs = memory_link_pair()
    nursery.start_soon(toy_client(hall, 1, theirs).run)
    ours.post(b"one")
    ours.post(b"two")
    await wait_all_tasks_blocked()
    assert reception_of(hall).heard == ["one"]


async def test_a_goodbye_ends_the_visit_at_once_even_if_the_peer_does_not_read(
    poller: Poller, nursery: trio.Nursery, hall: Hall
) -> None:
    client, link, _stream = deaf_peer(poller, hall)
    nursery.start_soon(client.run)
    await wait_all_tasks_blocked()
    say(client, "never read")
    client.close(Farewell.KICKED)
    await wait_all_tasks_blocked()
    assert reception_of(hall).left == [client]
    assert client.closing
    assert link.waiting_frames  # the last words still have their time
    nursery.cancel_scope.cancel()


async def test_a_bug_in_the_reception_is_a_fault_of_ours(hall: Hall) -> None:
    ours, theirs = memory_link_pair()
    await ours.send(b"bug")
    with pytest.raises(ZeroDivisionError):
        await toy_client(hall, 1, theirs).run()
    assert theirs.farewell is Farewell.FAULT


async def test_who_hangs_up_is_gone_without_a_fuss(hall: Hall) -> None:
    ours, theirs = memory_link_pair()
    await ours.aclose()
    client = toy_client(hall, 1, theirs)
    await client.run()
    assert theirs.farewell is Farewell.DONE
    assert reception_of(hall).left == [client]


# Held messages


class Slow(ToyReception):
    """Holds the messages of whoever says "hold" until the timer rings."""

    def receive(self, client: Client, message: Any) -> Effects:
        self.heard.append(message)
        if message == "hold":
            self.client = client
            self.timers.start("patience", 10)
            return [Hold(client)]
        return ()

    def time_up(self, timer: Hashable) -> Effects:
        return [Unhold(self.client)]


async def test_what_is_held_is_heard_in_order_once_resumed(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall = toy_hall(nursery, make=Slow)
    ours, theirs = memory_link_pair()
    nursery.start_soon(toy_client(hall, 1, theirs).run)
    for word in (b"hold", b"one", b"two"):
        await ours.send(word)
    await trio.sleep(9)
    assert reception_of(hall).heard == ["hold"]
    await trio.sleep(2)
    assert reception_of(hall).heard == ["hold", "one", "two"]


async def test_who_hangs_up_while_held_has_left_at_once(nursery: trio.Nursery) -> None:
    hall = toy_hall(nursery, make=Slow)
    ours, theirs = memory_link_pair()
    client = toy_client(hall, 1, theirs)
    nursery.start_soon(client.run)
    await ours.send(b"hold")
    await wait_all_tasks_blocked()
    await ours.aclose()
    await wait_all_tasks_blocked()
    assert reception_of(hall).left == [client]


async def test_who_is_sent_away_while_held_has_left_at_once(nursery: trio.Nursery) -> None:
    hall = toy_hall(nursery, make=Slow)
    ours, theirs = memory_link_pair()
    client = toy_client(hall, 1, theirs)
    nursery.start_soon(client.run)
    await ours.send(b"hold")
    await ours.send(b"never heard")
    await wait_all_tasks_blocked()
    client.close(Farewell.KICKED)
    await wait_all_tasks_blocked()
    assert reception_of(hall).left == [client]
    assert reception_of(hall).heard == ["hold"]


def reception_of(hall: Hall) -> ToyReception:
    assert isinstance(hall.foyer.reception, ToyReception)
    return hall.foyer.reception


def test_a_long_chat_message_may_be_said_after_a_quiet_time() -> None:
    """Also where an organiser allows messages that are worth more than may come at once."""
    client, rate, now = DummyClient(), Rate(1.0, 3), 0.0
    assert may_chat(client, "x" * 1000, rate, lambda: now)
    assert not may_chat(client, "x", rate, lambda: now)
    now = 3.0
    assert may_chat(client, "x" * 1000, rate, lambda: now)
