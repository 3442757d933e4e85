"""Players whose connection is lost, and how long they are waited for."""

from collections.abc import Callable
from math import inf

from games.quidditch.rules import Side


class Absences:
    """Who is gone, since when, and who has lost by it.

    This time also runs while the match is paused: a pause is for those who are there, and must not
    keep a lobby waiting for ever.
    """

    def __init__(self, now: Callable[[], float], seconds: float) -> None:
        self._now = now
        self._seconds = seconds
        self._since: dict[Side, float] = {}
        self._overdue: set[Side] = set()

    def begin(self, side: Side) -> None:
        self._since[side] = self._now()

    def end(self, side: Side) -> None:
        self._since.pop(side, None)
        self._overdue.discard(side)

    def clear(self) -> None:
        self._since.clear()
        self._overdue.clear()

    @property
    def deadline(self) -> float:
        """When the next one has been waited for long enough."""
        waiting = (since for side, since in self._since.items() if side not in self._overdue)
        return min(waiting, default=inf) + self._seconds

    def time_up(self) -> None:
        """Wait no longer for those who are due."""
        now = self._now()
        self._overdue = {side for side, at in self._since.items() if at + self._seconds <= now}

    @property
    def loser(self) -> Side | None:
        """Who has been gone too long; when both are gone, the first, once it is so for both."""
        if not self._overdue or self._overdue != set(self._since):
            return None  # nobody, or the other one may be back any moment
        return min(self._overdue, key=self._since.__getitem__)
