"""Games come first: whoever watches waits for those who play, but not for ever."""

import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import attrs
import trio
from trio.testing import MockClock

from ludothek.web.broadcast import Broadcast
from ludothek.web.events import Event
from ludothek.web.pace import LONGEST, PATIENCE, SHARE, SLICE, Pace
from ludothek.web.rounds import Rounds
from ludothek.web.viewer import Viewer
from transports import Poller

EVENT = Event.of("position", {"n": 1})
# Seconds for one write to a browser, and for a turn in which many players are answered.
WRITE, TURN = 12e-6, 0.004


@attrs.define(eq=False)
class Game:
    """A player's socket, as the poller sees it."""

    socket: socket.socket
    log: list[str]

    def fetch(self) -> bytes | None:
        return self.socket.recv(100)

    def take(self, data: bytes) -> None:
        self.log.append(data.decode())

    def go_on(self) -> None: ...
    def writable(self) -> None: ...

    def fail(self, bug: Exception) -> None:
        raise bug


@contextmanager
def player(poller: Poller, log: list[str]) -> Iterator[socket.socket]:
    """The far end of a connection whose messages are logged."""
    ours, theirs = socket.socketpair()
    with ours, theirs:
        ours.setblocking(False)
        game = Game(ours, log)
        poller.watch(ours.fileno(), game, read=True, write=False)
        yield theirs
        poller.watch(ours.fileno(), game, read=False, write=False)


class Seat(Viewer):
    """A viewer to whom nothing is written; tells when it would be."""

    def __init__(self, written: Callable[[], None]) -> None:
        super().__init__(-1)
        self._written = written

    def push(self, data: bytes) -> bool:
        self._written()
        return False


@attrs.define
class Stopwatch:
    """A clock that others move on."""

    now: float = 0.0

    def __call__(self) -> float:
        return self.now


def seats(broadcast: Broadcast, count: int, written: Callable[[], None]) -> None:
    for _ in range(count):
        broadcast.viewers[Seat(written)] = None


async def test_nothing_is_written_to_a_viewer_while_a_message_of_a_player_waits(
    poller: Poller, nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    log: list[str] = []
    broadcast = Broadcast(nursery, Rounds(), lambda: None)
    with player(poller, log) as peer:

        def write() -> None:
            log.append("write")
            if len(log) % 7 == 1:  # the player speaks while this is written
                peer.send(b"heard")

        seats(broadcast, 100, write)
        broadcast.post(EVENT)
        await broadcast.send(Pace(poller.catch_up))
    assert log.count("write") == 100
    for number, entry in enumerate(log):
        assert (entry == "heard") == (number % 7 == 1)


async def test_viewers_have_their_share_however_much_is_played_and_take_no_more(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    watch, written, blocked = Stopwatch(), 0, [0.0]

    def play() -> bool:
        """There is always somebody who has said something."""
        watch.now += TURN
        blocked.append(0.0)
        return True

    def write() -> None:
        nonlocal written
        written += 1
        watch.now += WRITE
        blocked[-1] += WRITE

    broadcast = Broadcast(nursery, Rounds(), lambda: None)
    seats(broadcast, 1000, write)
    broadcast.post(EVENT)
    await broadcast.send(Pace(play, watch))
    assert written == 1000
    share = 1000 * WRITE / watch.now
    assert SHARE / 2 < share < SHARE * 1.2
    assert max(blocked) < LONGEST + 2 * WRITE


async def test_viewers_do_not_save_up_the_time_in_which_nobody_watched() -> None:
    watch, busy = Stopwatch(), False

    def play() -> bool:
        watch.now += TURN if busy else 0
        return busy

    pace = Pace(play, watch)
    await pace.rest()
    assert not pace.is_over
    watch.now, busy = 1000.0, True
    assert pace.is_over  # although they have had nothing to do for so long
    watch.now += PATIENCE
    assert not pace.is_over


async def test_timers_and_tasks_have_their_turn_between_slices(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    watch, since, longest = Stopwatch(), 0, 0

    def write() -> None:
        nonlocal since, longest
        since += 1
        longest = max(longest, since)
        watch.now += WRITE

    async def other() -> None:
        nonlocal since
        while True:
            since = 0
            await trio.lowlevel.checkpoint()

    nursery.start_soon(other)
    broadcast = Broadcast(nursery, Rounds(), lambda: None)
    seats(broadcast, 1000, write)
    broadcast.post(EVENT)
    await broadcast.send(Pace(time=watch))
    assert longest <= 2 * (SLICE / WRITE + 1)
    nursery.cancel_scope.cancel()


@attrs.define(eq=False)
class Busy:
    """A match of which there is always a newer picture to be made, and that is sent."""

    rounds: Rounds
    silent: bool = False
    made: int = 0
    sent: int = 0

    def develop(self) -> None:
        self.made += 1
        if self.made < 1000:  # so that a test that fails has an end
            self.rounds.expose(self)
        self.rounds.want(self)

    async def send(self, pace: Pace) -> None:
        self.sent += 1


async def test_viewers_are_told_something_however_fast_tables_change(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    rounds = Rounds()
    match = Busy(rounds)
    rounds.add(match)
    rounds.expose(match)
    nursery.start_soon(rounds.run)
    await trio.sleep(1.01)
    assert match.sent >= 20
    assert match.made <= 25
    nursery.cancel_scope.cancel()


async def test_the_last_picture_is_made_and_sent_although_nothing_happens_after_it(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    rounds = Rounds()
    match = Busy(rounds, made=997)
    rounds.add(match)
    rounds.expose(match)
    nursery.start_soon(rounds.run)
    await trio.sleep(1.0)
    assert (match.made, match.sent) == (1000, 3)
    nursery.cancel_scope.cancel()
