"""Players whose connection is lost, and how long the match waits for them."""

from collections.abc import Hashable

from games.quidditch.rules import Side
from ludothek.contract.timers import Timers


class Absences:
    """Who is gone, and who has lost because of it.

    The timer of a side also runs while the match is paused: a pause is for those who are there, and
    must not keep a lobby waiting for ever.
    """

    def __init__(self, timers: Timers, seconds: float) -> None:
        self._timers = timers
        self._seconds = seconds
        self._overdue: list[Side] = []  # the side that has been gone longest first

    def begin(self, side: Side) -> None:
        self._timers.start(side, self._seconds, steady=True)

    def end(self, side: Side) -> None:
        self._timers.stop(side)
        if side in self._overdue:
            self._overdue.remove(side)

    def clear(self) -> None:
        self._timers.stop(*Side)
        self._overdue.clear()

    def time_up(self, timer: Hashable) -> None:
        """Stop waiting for a side whose timer is due; the other one may be due at the same time."""
        if isinstance(timer, Side):
            self._overdue.append(timer)
        else:
            due = [side for side in Side if not self._timers.left(side)]
            self._timers.stop(*due)
            self._overdue += due

    @property
    def loser(self) -> Side | None:
        """Who has been gone too long; if both sides are gone, the first, once both are overdue."""
        if any(side in self._timers for side in Side):
            return None  # the other side may be back any moment
        return next(iter(self._overdue), None)
