"""A client never makes anybody wait."""

import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from ludothek.client import Client
from tests.core.toy import ToyCodec
from tests.helpers import memory_link_pair
from transports import Farewell


async def forever(client: Client) -> None:
    while True:
        await client.receive()


async def test_a_peer_that_does_not_read_is_dropped_when_its_outbox_is_full(
    nursery: trio.Nursery,
) -> None:
    _ours, theirs = memory_link_pair(room=0)
    client = Client(1, theirs, ToyCodec(), outbox=5)
    nursery.start_soon(client.run, forever)
    await wait_all_tasks_blocked()
    for n in range(6):  # one is being written, five wait
        client.send(n)
        await wait_all_tasks_blocked()
    assert theirs.farewell is None
    client.send("one too many")
    await wait_all_tasks_blocked()
    assert theirs.farewell is Farewell.REFUSED


async def test_a_peer_that_does_not_read_is_dropped_when_too_many_bytes_wait(
    nursery: trio.Nursery,
) -> None:
    _ours, theirs = memory_link_pair(room=0)
    client = Client(1, theirs, ToyCodec(), outbox_bytes=1000)
    nursery.start_soon(client.run, forever)
    await wait_all_tasks_blocked()
    client.send("x" * 500)
    client.send("x" * 500)
    await wait_all_tasks_blocked()
    assert theirs.farewell is None
    client.send("x")
    await wait_all_tasks_blocked()
    assert theirs.farewell is Farewell.REFUSED


async def test_one_answer_may_be_larger_than_all_that_may_wait(nursery: trio.Nursery) -> None:
    ours, theirs = memory_link_pair(room=0)
    client = Client(1, theirs, ToyCodec(), outbox_bytes=1000)
    nursery.start_soon(client.run, forever)
    client.send("x" * 5000)
    client.send("y" * 400)  # what happens meanwhile
    assert [await ours.receive(), await ours.receive()] == [b"x" * 5000, b"y" * 400]
    await wait_all_tasks_blocked()
    assert theirs.farewell is None


async def test_two_such_answers_at_once_are_too_much(nursery: trio.Nursery) -> None:
    _ours, theirs = memory_link_pair(room=0)
    client = Client(1, theirs, ToyCodec(), outbox_bytes=1000)
    nursery.start_soon(client.run, forever)
    client.send("x" * 5000)
    client.send("x" * 5000)
    await wait_all_tasks_blocked()
    assert theirs.farewell is Farewell.REFUSED


async def test_what_was_written_makes_room_again(nursery: trio.Nursery) -> None:
    ours, theirs = memory_link_pair(room=0)
    client = Client(1, theirs, ToyCodec(), outbox_bytes=1000)
    nursery.start_soon(client.run, forever)
    for _ in range(20):
        client.send("x" * 900)
        assert await ours.receive() == b"x" * 900
        await wait_all_tasks_blocked()
    assert theirs.farewell is None


async def test_a_peer_that_reads_too_slowly_is_dropped(autojump_clock: MockClock) -> None:
    _ours, theirs = memory_link_pair(room=0)
    client = Client(1, theirs, ToyCodec(), patience=10)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(client.run, forever)
        client.send("hello")
    assert trio.current_time() == pytest.approx(10, abs=0.01)
    assert theirs.farewell is Farewell.REFUSED


async def test_a_peer_that_asks_faster_than_it_is_answered_is_not_dropped(
    nursery: trio.Nursery,
) -> None:
    ours, theirs = memory_link_pair(room=1000)

    async def answer_at_length(client: Client) -> None:
        while True:
            question = await client.receive()
            for n in range(3):
                client.send(f"{question}.{n}")

    nursery.start_soon(Client(1, theirs, ToyCodec(), outbox=10).run, answer_at_length)
    for n in range(100):
        await ours.send(str(n).encode())
    answers = [await ours.receive() for _ in range(300)]
    assert answers == [f"{n}.{m}".encode() for n in range(100) for m in range(3)]


async def test_a_polite_end_delivers_what_was_sent(nursery: trio.Nursery) -> None:
    ours, theirs = memory_link_pair(room=0)
    client = Client(1, theirs, ToyCodec())
    nursery.start_soon(client.run, forever)
    for n in range(5):
        client.send(n)
    client.close(Farewell.GOING_AWAY)
    client.send("too late")
    assert [await ours.receive() for _ in range(5)] == [b"0", b"1", b"2", b"3", b"4"]
    with pytest.raises(trio.EndOfChannel):
        await ours.receive()
    assert theirs.farewell is Farewell.GOING_AWAY


async def test_a_polite_end_does_not_wait_for_ever(autojump_clock: MockClock) -> None:
    _ours, theirs = memory_link_pair(room=0)
    client = Client(1, theirs, ToyCodec(), patience=10)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(client.run, forever)
        for n in range(100):
            client.send(n)
        client.close()
    assert trio.current_time() < 11


async def test_nothing_is_heard_after_our_goodbye(nursery: trio.Nursery) -> None:
    ours, theirs = memory_link_pair(room=10)
    heard = []

    async def visit(client: Client) -> None:
        while True:
            heard.append(await client.receive())
            client.close()

    nursery.start_soon(Client(1, theirs, ToyCodec()).run, visit)
    await ours.send(b"one")
    await ours.send(b"two")
    await wait_all_tasks_blocked()
    assert heard == ["one"]


async def test_a_goodbye_ends_the_visit_at_once_even_if_the_peer_does_not_read(
    nursery: trio.Nursery,
) -> None:
    _ours, theirs = memory_link_pair(room=0)
    client = Client(1, theirs, ToyCodec())
    left = trio.Event()

    async def visit(client: Client) -> None:
        try:
            await forever(client)
        finally:
            left.set()

    nursery.start_soon(client.run, visit)
    await wait_all_tasks_blocked()
    client.send("never read")
    client.close(Farewell.KICKED)
    await wait_all_tasks_blocked()
    assert left.is_set()
    assert client.closing
    assert theirs.farewell is None  # the last words still have their time
    nursery.cancel_scope.cancel()


async def test_a_bug_in_the_reception_is_a_fault_of_ours() -> None:
    _ours, theirs = memory_link_pair(room=10)

    async def visit(client: Client) -> None:
        client.send("hello")
        raise ZeroDivisionError

    with pytest.RaisesGroup(ZeroDivisionError):
        await Client(1, theirs, ToyCodec()).run(visit)
    assert theirs.farewell is Farewell.FAULT


async def test_who_hangs_up_is_gone_without_a_fuss() -> None:
    ours, theirs = memory_link_pair(room=10)
    await ours.aclose()
    await Client(1, theirs, ToyCodec()).run(forever)
    assert theirs.farewell is Farewell.DONE
