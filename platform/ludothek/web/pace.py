"""Long work in small steps, so that games come first."""

from collections.abc import Callable
from time import perf_counter

import trio

# Seconds after which timers and other tasks get their turn.
SLICE = 0.0005
# Games come first for so long. Whatever they leave, the page has at least this share of the time:
# on a server with more to do than it can, those who watch still see something, now and then.
PATIENCE = 0.01
SHARE = 0.05
# The longest that players may have to wait for that.
LONGEST = 0.002

# Handles what players have said; whether there was anything.
CatchUp = Callable[[], bool]


def _nothing() -> bool:
    return False


class Pace:
    """Says whose turn it is, before each step of work: `while pace.is_over: await pace.rest()`.

    A step should take some ten microseconds: a player who says something meanwhile has to wait.
    """

    def __init__(
        self, catch_up: CatchUp = _nothing, time: Callable[[], float] = perf_counter
    ) -> None:
        self._catch_up, self._time = catch_up, time
        self._end = 0.0  # of this slice
        self._waiting: float | None = None  # since when games leave no time
        self._own_until = 0.0  # it is our turn, even if somebody has said something

    @property
    def is_over(self) -> bool:
        """Whether others come first. Players have got their answers when this returns."""
        now = self._time()
        if now < self._own_until:
            return False
        while self._catch_up():
            now = self._time()
            if self._is_our_turn(now):
                return False
            if now > self._end:
                return True
        if now > self._end:
            return True
        self._waiting = None
        return False

    def _is_our_turn(self, now: float) -> bool:
        """Whether we have waited long enough, when players have been answered again."""
        if self._waiting is None:
            self._waiting = now
        waited = now - self._waiting
        if waited < PATIENCE:
            return False
        self._own_until, self._waiting = now + min(SHARE * waited, LONGEST), None
        return True

    async def rest(self) -> None:
        """Let everybody else have a turn, and begin the next slice."""
        await trio.lowlevel.checkpoint()
        self._end = self._time() + SLICE
