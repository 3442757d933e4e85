"""A link without a task: what happens when several things go wrong at once."""

import os
import struct
from contextlib import suppress
from itertools import pairwise
from math import inf

import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from tests.support.helpers import running_poller, socket_link_pair
from transports import Complaint, Frame, LineFramer, OutboxLimits, Poller, Rate, Terms, open_poller
from transports import poller as polling
from transports.inbox import PORTION
from transports.masking import apply_mask
from transports.socket_link import SocketLink
from transports.websocket_frames import WebSocketFramer


def fill(link: SocketLink) -> None:
    """Say more than the peer's system takes."""
    while not link.congested:
        link.post(b"x" * 10_000)


async def test_a_congested_peer_that_resets_is_released(
    poller: Poller, nursery: trio.Nursery
) -> None:
    link, stream = socket_link_pair(poller, LineFramer())
    link.outbox_limits = OutboxLimits(frames=4)
    heard: list[Frame] = []
    over = trio.Event()

    async def listen() -> None:
        with pytest.raises(trio.BrokenResourceError):
            await link.converse(heard.append)
        over.set()

    nursery.start_soon(listen)
    await wait_all_tasks_blocked()
    fill(link)
    await stream.send_all(b"one\ntwo\n")  # kept until it has read
    await wait_all_tasks_blocked()
    await stream.aclose()  # with unread input: a reset
    with trio.fail_after(5):
        await over.wait()
    assert heard == [b"one", b"two"]


async def test_a_lost_peer_is_released_although_the_talk_was_ended_before_all_was_heard(
    poller: Poller,
) -> None:
    """What waits is heard after the loss is known, and any of it may end the conversation."""
    link, stream = socket_link_pair(poller, LineFramer())
    heard: list[Frame] = []

    def hear(frame: Frame) -> None:
        heard.append(frame)
        if len(heard) == 1:
            link.abort()  # as when an answer cannot be written any more
        elif len(heard) == PORTION + 2:
            link.hush()

    await stream.send_all(b"x\n" * 2 * PORTION)
    with trio.fail_after(5):
        await link.converse(hear)
        with pytest.raises(trio.BrokenResourceError):
            await link.converse(heard.append)
    assert len(heard) == 2 * PORTION


async def test_questions_wait_until_half_of_the_answers_is_read(
    poller: Poller, nursery: trio.Nursery
) -> None:
    link, peer = socket_link_pair(poller, LineFramer())
    link.outbox_limits = OutboxLimits(bytes=1_000_000)
    heard: list[Frame] = []
    nursery.start_soon(link.converse, heard.append)
    await wait_all_tasks_blocked()
    while link.waiting_bytes < 900_000:
        link.post(b"x" * 50_000)
    await peer.send_all(b"question\n")
    before = link.waiting_bytes
    while link.waiting_bytes > 500_000:
        assert heard == []
        await peer.receive_some(20_000)
        await wait_all_tasks_blocked()
    assert before > 800_000
    assert heard == [b"question"]
    nursery.cancel_scope.cancel()


@pytest.mark.parametrize("hangs_up", [False, True])
async def test_messages_that_many_others_hear_wait_for_each_other(
    poller: Poller, hangs_up: bool, autojump_clock: MockClock, nursery: trio.Nursery
) -> None:
    """Also those that came in one piece: a burst of them would be a second of work."""
    link, stream = socket_link_pair(poller, LineFramer(), terms=Terms(messages=Rate(1000, 2000)))
    heard: list[float] = []

    def hear(frame: Frame) -> None:
        heard.append(trio.current_time())
        link.charge(500)

    async def listen() -> None:
        with suppress(trio.EndOfChannel):
            await link.converse(hear)

    await stream.send_all(b"x\n" * 42)
    if hangs_up:
        await stream.send_eof()
    start = trio.current_time()
    nursery.start_soon(listen)
    await trio.sleep(10)
    assert len(heard) == 42
    assert heard[1] == start
    assert heard[-1] - start == pytest.approx(39 * 0.05, abs=0.1)
    assert max(after - before for before, after in pairwise(heard)) < 0.06
    assert link.gone == hangs_up


async def test_a_bug_in_a_listener_is_told_once_and_hears_no_more(
    poller: Poller, nursery: trio.Nursery
) -> None:
    link, stream = socket_link_pair(poller, LineFramer())
    heard: list[Frame] = []

    def hear(frame: Frame) -> None:
        heard.append(frame)
        raise ZeroDivisionError

    await stream.send_all(b"one\ntwo\nthree\n")
    with pytest.raises(ZeroDivisionError):
        await link.converse(hear)
    assert heard == [b"one"]


async def test_a_failure_of_ours_ends_only_that_connection(
    poller: Poller,
) -> None:
    class BrokenFramer(LineFramer):
        def feed(self, data: bytes) -> list[Frame]:
            raise ZeroDivisionError

    broken, poor = socket_link_pair(poller, BrokenFramer())
    sound, rich = socket_link_pair(poller, LineFramer())
    await poor.send_all(b"hello\n")
    await rich.send_all(b"hello\n")
    with pytest.raises(ZeroDivisionError):
        await broken.receive()
    assert await sound.receive() == b"hello"


async def test_many_long_chunks_do_not_stop_the_clock(
    poller: Poller, monkeypatch: pytest.MonkeyPatch, nursery: trio.Nursery
) -> None:
    """Whoever comes too late in a turn is heard in the next one, and nobody is forgotten."""
    monkeypatch.setattr(polling, "TURN_SECONDS", 0.0)
    turns = 0
    done = False

    async def tick() -> None:
        nonlocal turns
        while not done:
            turns += 1
            await trio.lowlevel.checkpoint()

    pairs = [socket_link_pair(poller, LineFramer()) for _ in range(50)]
    for number, (_, stream) in enumerate(pairs):
        await stream.send_all(b"%d\n" % number)
    nursery.start_soon(tick)
    assert [await link.receive() for link, _ in pairs] == [b"%d" % n for n in range(50)]
    done = True
    assert turns >= 25


async def test_the_first_piece_of_a_long_frame_is_not_taken_for_a_short_one() -> None:
    """A 64-bit length whose first piece is as long as a frame of 127 bytes would be."""
    text = b"a" * 65_536
    for mask in (bytes(4), b"\x01\x02\x03\x04"):
        data = struct.pack("!BBQ", 0x81, 0xFF, len(text)) + mask + apply_mask(text, mask)
        framer = WebSocketFramer(max_bytes=100_000)
        assert [*framer.feed(data[:133]), *framer.feed(data[133:])] == [text]


async def test_who_closes_does_not_wait_for_alarms_of_before(
    poller: Poller, autojump_clock: MockClock
) -> None:
    link, stream = socket_link_pair(poller, LineFramer(), terms=Terms(first_seconds=0.5))
    async with trio.open_nursery() as nursery:
        nursery.start_soon(link.aclose)
        await trio.sleep(0.7)  # it would have been silent for too long
        await stream.aclose()
    assert trio.current_time() == pytest.approx(0.7)
    assert link.complaint is None


async def test_who_says_much_at_once_does_not_keep_others_waiting(
    poller: Poller, monkeypatch: pytest.MonkeyPatch, nursery: trio.Nursery
) -> None:
    monkeypatch.setattr(polling, "TURN_SECONDS", inf)  # however busy the machine is
    loud, talker = socket_link_pair(poller, LineFramer())
    quiet, peer = socket_link_pair(poller, LineFramer())
    order: list[Frame] = []
    for link in (loud, quiet):
        nursery.start_soon(link.converse, order.append)
    await wait_all_tasks_blocked()
    # Both at once: between two checkpoints the first could be heard before the other has spoken.
    os.write(talker.socket.fileno(), b"".join(b"%d\n" % n for n in range(1000)))
    os.write(peer.socket.fileno(), b"me too\n")
    await wait_all_tasks_blocked()
    assert order.index(b"me too") <= PORTION
    assert [frame for frame in order if frame != b"me too"] == [b"%d" % n for n in range(1000)]
    nursery.cancel_scope.cancel()


async def test_what_was_said_with_the_handshake_fails_like_everything_else(
    poller: Poller, nursery: trio.Nursery
) -> None:
    link, _ = socket_link_pair(poller, LineFramer(), said=b"one\ntwo\n")
    sound, peer = socket_link_pair(poller, LineFramer(), said=b"hello\n")

    def hear(frame: Frame) -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await link.converse(hear)
    await peer.send_all(b"and more\n")
    assert [await sound.receive() for _ in range(2)] == [b"hello", b"and more"]


async def test_a_framer_that_fails_on_the_first_bytes_ends_one_connection(poller: Poller) -> None:
    class BrokenFramer(LineFramer):
        def feed(self, data: bytes) -> list[Frame]:
            raise ZeroDivisionError

    link, _ = socket_link_pair(poller, BrokenFramer(), said=b"one\n")
    with pytest.raises(ZeroDivisionError):
        await link.receive()


async def test_dropping_a_peer_is_no_matter_of_those_who_speak_to_another(poller: Poller) -> None:
    """Too much waits for all together: the one that goes may not even be told why."""
    limits = OutboxLimits(total=3_000_000, bytes=10_000_000)
    deaf, _peer = socket_link_pair(poller, LineFramer(), terms=Terms(outbox=limits))
    other, _other = socket_link_pair(poller, LineFramer(), terms=Terms(outbox=limits))

    def refuse(complaint: Complaint) -> None:
        raise ZeroDivisionError

    deaf.on_breach = refuse
    deaf.post(b"x" * 2_500_000)
    other.post(b"y" * 2_000_000)  # more than there is room for
    assert deaf.complaint is Complaint.OUTBOX_FULL
    assert other.complaint is None
    assert other.waiting_frames
    with pytest.raises(ZeroDivisionError):
        await deaf.receive()


async def test_whoever_is_cancelled_still_says_goodbye() -> None:
    """For that the poller is needed, which is cancelled as well."""
    with trio.CancelScope() as scope:
        async with running_poller() as poller:
            link, peer = socket_link_pair(poller, WebSocketFramer(max_bytes=100))
            scope.cancel()
            with trio.CancelScope(shield=True):
                async with trio.open_nursery() as nursery:
                    nursery.start_soon(link.aclose)
                    assert await peer.receive_some() == b"\x88\x02\x03\xe8"
                    await peer.send_all(b"\x88\x82" + bytes(4) + b"\x03\xe8")
                    assert await peer.receive_some() == b""


async def test_a_system_without_epoll_has_no_poller(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr("select.epoll")
    async with open_poller() as poller:
        assert poller is None


async def test_a_peer_that_reads_has_not_paid_its_debts(
    poller: Poller, mock_clock: MockClock, nursery: trio.Nursery
) -> None:
    link, peer = socket_link_pair(poller, LineFramer(), terms=Terms(messages=Rate(1000, 2000)))
    heard: list[Frame] = []

    def hear(frame: Frame) -> None:
        heard.append(frame)
        link.post(b"x" * 500_000)
        link.charge(2000)  # a tenth of a second more than may be owed

    nursery.start_soon(link.converse, hear)
    await peer.send_all(b"one\ntwo\n")
    while not link.waiting_bytes:
        await wait_all_tasks_blocked()
    while link.waiting_bytes:
        await peer.receive_some(100_000)
        await wait_all_tasks_blocked()
    assert heard == [b"one"]
    mock_clock.jump(0.2)
    await wait_all_tasks_blocked()
    assert heard == [b"one", b"two"]
    nursery.cancel_scope.cancel()
