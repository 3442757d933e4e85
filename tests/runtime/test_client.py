"""A client never makes anybody wait."""

from typing import Any

import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from ludothek.runtime.client import Client
from tests.support.helpers import memory_link_pair, socket_link_pair
from tests.support.toy import ToyCodec
from transports import Complaint, Farewell, LineFramer, OutboxLimits, Poller, Rate
from transports.peer_link import LINGER_SECONDS
from transports.socket_link import SocketLink


async def forever(client: Client) -> None:
    while True:
        await client.receive()


def deaf_peer(poller: Poller, **outbox: Any) -> tuple[Client, SocketLink, trio.SocketStream]:
    """A client whose peer reads nothing, and whose socket is full already."""
    link, stream = socket_link_pair(poller, LineFramer())
    client = Client(1, link, ToyCodec(), outbox=OutboxLimits(**outbox))
    while not link.waiting_frames:
        client.send("x" * 1000)
    return client, link, stream


async def test_a_peer_that_does_not_read_is_dropped_when_its_outbox_is_full(
    poller: Poller,
    nursery: trio.Nursery,
) -> None:
    client, link, stream = deaf_peer(poller, frames=5)
    nursery.start_soon(client.run, forever)
    for n in range(4):
        client.send(n)
    assert link.waiting_frames == 5
    client.send("one too many")
    assert link.complaint is Complaint.OUTBOX_FULL
    await wait_all_tasks_blocked()
    assert client.closing
    await stream.aclose()


async def test_a_peer_that_does_not_read_is_dropped_when_too_many_bytes_wait(
    poller: Poller,
    nursery: trio.Nursery,
) -> None:
    client, link, _stream = deaf_peer(poller, bytes=2000)
    nursery.start_soon(client.run, forever)
    client.send("x" * 1998)
    assert link.complaint is None
    client.send("x")
    assert link.complaint is Complaint.OUTBOX_FULL


async def test_one_answer_may_be_larger_than_all_that_may_wait(
    poller: Poller, nursery: trio.Nursery
) -> None:
    link, stream = socket_link_pair(poller, LineFramer())
    client = Client(1, link, ToyCodec(), outbox=OutboxLimits(bytes=100_000))
    nursery.start_soon(client.run, forever)
    client.send("x" * 1_000_000)
    assert link.congested  # no question is heard before it is written
    client.send("and what happens meanwhile")
    lines = await read_lines(stream, 2)
    assert [len(line) for line in lines] == [1_000_000, 26]
    nursery.cancel_scope.cancel()


async def test_two_such_answers_at_once_are_too_much(poller: Poller) -> None:
    link, _stream = socket_link_pair(poller, LineFramer())
    client = Client(1, link, ToyCodec(), outbox=OutboxLimits(bytes=100_000))
    client.send("x" * 1_000_000)
    client.send("x" * 1_000_000)
    assert link.complaint is Complaint.OUTBOX_FULL


async def test_what_was_written_makes_room_again(poller: Poller, nursery: trio.Nursery) -> None:
    client, link, stream = deaf_peer(poller, bytes=2000)
    nursery.start_soon(client.run, forever)
    for _ in range(20):
        while link.waiting_bytes:
            await stream.receive_some(100_000)
            await wait_all_tasks_blocked()
        while not link.waiting_frames:
            client.send("x" * 900)
    assert link.complaint is None
    nursery.cancel_scope.cancel()


async def test_a_peer_that_reads_too_slowly_is_dropped(
    poller: Poller, autojump_clock: MockClock
) -> None:
    client, link, _stream = deaf_peer(poller, seconds=10)
    await client.run(forever)
    assert trio.current_time() == pytest.approx(10 + LINGER_SECONDS, abs=0.01)
    assert link.complaint is Complaint.SLOW_WRITE


async def test_a_peer_that_reads_little_by_little_is_not_dropped(
    poller: Poller, autojump_clock: MockClock, nursery: trio.Nursery
) -> None:
    client, link, stream = deaf_peer(poller, seconds=10)
    nursery.start_soon(client.run, forever)
    for _ in range(20):
        await trio.sleep(9)
        while link.waiting_frames:
            await stream.receive_some(100_000)
            await wait_all_tasks_blocked()
        while not link.waiting_frames:
            client.send("x" * 1000)
    assert link.complaint is None
    nursery.cancel_scope.cancel()


async def test_a_peer_that_asks_faster_than_it_is_answered_is_not_dropped(
    poller: Poller,
    nursery: trio.Nursery,
) -> None:
    link, stream = socket_link_pair(poller, LineFramer())
    client = Client(1, link, ToyCodec(), outbox=OutboxLimits(frames=10))

    def answer_at_length(client: Client, question: str) -> None:
        for n in range(3):
            client.send(f"{question}.{n}" + "x" * 50_000)

    nursery.start_soon(client.run, lambda client: client.converse(answer_at_length))
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


async def test_a_polite_end_delivers_what_was_sent(nursery: trio.Nursery) -> None:
    ours, theirs = memory_link_pair()
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


async def test_a_polite_end_does_not_wait_for_ever(
    poller: Poller, autojump_clock: MockClock
) -> None:
    client, _link, _stream = deaf_peer(poller, seconds=10)
    client.close()
    await client.run(forever)
    assert trio.current_time() < 12


async def test_nothing_is_heard_after_our_goodbye(nursery: trio.Nursery) -> None:
    ours, theirs = memory_link_pair()
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
    poller: Poller,
    nursery: trio.Nursery,
) -> None:
    client, link, _stream = deaf_peer(poller)
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
    assert link.waiting_frames  # the last words still have their time
    nursery.cancel_scope.cancel()


async def test_a_bug_in_the_reception_is_a_fault_of_ours() -> None:
    _ours, theirs = memory_link_pair()

    async def visit(client: Client) -> None:
        client.send("hello")
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await Client(1, theirs, ToyCodec()).run(visit)
    assert theirs.farewell is Farewell.FAULT


async def test_who_hangs_up_is_gone_without_a_fuss() -> None:
    ours, theirs = memory_link_pair()
    await ours.aclose()
    await Client(1, theirs, ToyCodec()).run(forever)
    assert theirs.farewell is Farewell.DONE


async def test_no_conversation_begins_after_our_goodbye(nursery: trio.Nursery) -> None:
    ours, theirs = memory_link_pair()
    heard: list[str] = []

    async def visit(client: Client) -> None:
        await client.receive()
        client.close()
        await client.converse(lambda _, message: heard.append(message))

    await ours.send(b"one")
    await ours.send(b"two")
    await Client(1, theirs, ToyCodec()).run(visit)
    assert heard == []


@pytest.mark.parametrize("listens", [True, False])
async def test_what_a_client_has_said_is_not_kept_until_it_speaks_again(
    listens: bool, nursery: trio.Nursery
) -> None:
    link, peer = memory_link_pair()
    client = Client(1, link, ToyCodec())
    frames: list[bytes | None] = []

    async def visit(client: Client) -> None:
        if listens:
            await client.converse(lambda client, _: frames.append(client.latest))
        while True:
            await client.receive()
            frames.append(client.latest)

    nursery.start_soon(client.run, visit)
    long = b'"' + b"x" * 60_000 + b'"'
    peer.post(long)
    await wait_all_tasks_blocked()
    assert frames == [long]
    assert client.latest is None
    nursery.cancel_scope.cancel()


def test_a_long_chat_message_may_be_said_after_a_quiet_time() -> None:
    """Also where an organiser allows messages that are worth more than may come at once."""
    client, rate, now = Client(1, memory_link_pair()[0], ToyCodec()), Rate(1.0, 3), 0.0
    assert client.may_chat("x" * 1000, rate, lambda: now)
    assert not client.may_chat("x", rate, lambda: now)
    now = 3.0
    assert client.may_chat("x" * 1000, rate, lambda: now)
