"""Events reach every viewer, and a viewer that does not read delays nobody."""

import socket
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from ludothek.web.broadcast import MOST_BYTES, Broadcast
from ludothek.web.events import COMMENT, Event, chunk
from ludothek.web.pace import Pace
from ludothek.web.rounds import PAUSE, SILENCE, Rounds
from ludothek.web.viewer import PATIENCE, Viewer


@contextmanager
def viewer() -> Iterator[tuple[Viewer, socket.socket]]:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        for each in (ours, theirs):
            each.setblocking(False)
        yield Viewer(ours.fileno()), theirs
        trio.lowlevel.notify_closing(ours)


def read(sock: socket.socket) -> bytes:
    text = b""
    while True:
        try:
            text += sock.recv(1 << 20)
        except BlockingIOError:
            return text


def event(number: int) -> Event:
    return Event.of("position", {"n": number})


async def test_all_viewers_hear_the_same_bytes(nursery: trio.Nursery) -> None:
    broadcast = Broadcast(nursery, Rounds(), lambda: None)
    with viewer() as (one, at_one), viewer() as (two, at_two):
        broadcast.join(one)
        broadcast.join(two)
        broadcast.post(event(1))
        broadcast.post(event(2))
        await broadcast.send(Pace())
        assert read(at_one) == read(at_two) == chunk(event(1).text + event(2).text)


async def test_whoever_comes_later_hears_the_newest_state_first(nursery: trio.Nursery) -> None:
    broadcast = Broadcast(nursery, Rounds(), lambda: event(7))
    with viewer() as (late, at_late):
        broadcast.join(late)
        assert read(at_late) == chunk(event(7).text)


async def test_a_slow_viewer_skips_to_the_newest_state(nursery: trio.Nursery) -> None:
    newest = [event(0)]
    broadcast = Broadcast(nursery, Rounds(), lambda: newest[0])
    with viewer() as (slow, at_slow), viewer() as (quick, at_quick):
        broadcast.join(slow)
        broadcast.join(quick)
        long = Event(b"data: " + b"x" * 100_000 + b"\n\n")
        heard = b""
        for number in range(1, 30):
            newest[0] = event(number)
            broadcast.post(long)
            await broadcast.send(Pace())
            heard += read(at_quick)
        assert heard.count(long.text) == 29
        assert slow.stuck
        assert slow.behind
        text = b""
        with trio.fail_after(60):
            while event(29).text not in text:
                text += read(at_slow)
                await wait_all_tasks_blocked()
        assert text.count(long.text) < 29
        assert text.endswith(chunk(event(29).text))


async def test_a_viewer_that_never_reads_is_dropped(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    broadcast = Broadcast(nursery, Rounds(), lambda: None)
    with viewer() as (stuck, _):
        broadcast.join(stuck)
        broadcast.post(Event(b"x" * 10_000_000))
        await broadcast.send(Pace())
        await trio.sleep(PATIENCE - 1)
        assert not stuck.gone.cancel_called
        await trio.sleep(2)
        assert stuck.gone.cancel_called


async def test_nothing_is_written_to_the_socket_of_a_viewer_that_is_gone(
    nursery: trio.Nursery,
) -> None:
    with viewer() as (gone, at_gone):
        gone.drop()
        gone.push(b"for somebody else, who has this descriptor now")
        assert read(at_gone) == b""


async def test_what_happens_faster_than_people_see_is_sent_together(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    rounds = Rounds()
    broadcast = Broadcast(nursery, rounds, lambda: None)
    nursery.start_soon(rounds.run)
    with viewer() as (one, at_one):
        broadcast.join(one)
        broadcast.post(event(1))
        await wait_all_tasks_blocked()
        assert read(at_one) == chunk(event(1).text)
        broadcast.post(event(2))
        broadcast.post(event(3))
        await wait_all_tasks_blocked()
        assert read(at_one) == b""
        await trio.sleep(PAUSE)
        await wait_all_tasks_blocked()
        assert read(at_one) == chunk(event(2).text + event(3).text)
        nursery.cancel_scope.cancel()


async def test_a_silent_stream_shows_that_it_is_alive_and_a_busy_one_need_not(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    rounds = Rounds()
    silent, busy = (Broadcast(nursery, rounds, lambda: None) for _ in range(2))
    nursery.start_soon(rounds.run)
    with viewer() as (one, at_one), viewer() as (two, at_two):
        silent.join(one)
        busy.join(two)
        for number in range(20):
            busy.post(event(number))
            await trio.sleep(SILENCE / 10 + PAUSE)
            if number in (9, 19):
                assert chunk(COMMENT) in read(at_one)
        assert chunk(COMMENT) not in read(at_two)
        nursery.cancel_scope.cancel()


async def test_a_broadcast_that_fails_stops_no_other(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    rounds = Rounds()
    broken, sound = (Broadcast(nursery, rounds, lambda: None) for _ in range(2))
    nursery.start_soon(rounds.run)
    with viewer() as (one, _), viewer() as (two, at_two):
        broken.join(one)
        broken.viewers["nobody"] = None  # type: ignore[index]
        sound.join(two)
        for number in range(2):
            broken.post(event(number))
            sound.post(event(number))
            await trio.sleep(1)
        assert read(at_two) == chunk(event(0).text) + chunk(event(1).text)
        nursery.cancel_scope.cancel()


async def test_what_nobody_hears_is_not_kept_for_the_next_viewer(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    rounds = Rounds()
    broadcast = Broadcast(nursery, rounds, lambda: event(2))
    with viewer() as (gone, _), viewer() as (late, at_late):
        broadcast.join(gone)
        broadcast.post(event(1))
        broadcast.leave(gone)
        broadcast.join(late)
        nursery.start_soon(rounds.run)
        await trio.sleep(1)
        assert event(1).text not in read(at_late)
        nursery.cancel_scope.cancel()


async def test_a_flood_of_events_is_replaced_by_the_newest_state(nursery: trio.Nursery) -> None:
    broadcast = Broadcast(nursery, Rounds(), lambda: event(99))
    for _ in range(35):
        broadcast.post(Event(b"x" * (MOST_BYTES // 10)))
    with viewer() as (one, at_one):
        broadcast.viewers[one] = None
        await broadcast.send(Pace())
        heard = read(at_one)
    assert event(99).text in heard
    assert len(heard) < MOST_BYTES * 1.2


async def test_the_end_of_a_match_is_told_even_in_a_flood(nursery: trio.Nursery) -> None:
    newest, over = Event(b"x" * MOST_BYTES), Event.of("over", {"id": "match"})
    broadcast = Broadcast(nursery, Rounds(), lambda: newest)
    broadcast.post(newest)
    broadcast.post(over)  # one event too many
    with viewer() as (one, at_one):
        broadcast.viewers[one] = None
        await broadcast.send(Pace())
        heard = b""
        while one.stuck or not heard:
            heard += read(at_one)
            await wait_all_tasks_blocked()
        heard += read(at_one)
    assert heard == chunk(newest.text + over.text)


@pytest.mark.parametrize("text", ["a\nb", "\r", "data: x\n\nevent: over"])
def test_what_players_are_called_cannot_end_an_event(text: str) -> None:
    assert Event.of("position", text).text.count(b"\n") == 3
    assert b"\r" not in Event.of("position", text).text
