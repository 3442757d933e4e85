"""A clock that stands still during a turn, so that a turn can be repeated."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime

import attrs

from ludothek.contract.clock import Clock
from transports import Turns


@attrs.define
class Moment:
    """A time for deadlines, and the same as a date in seconds since 1970."""

    time: float
    date: float


class HeldClock:
    """Everything that happens in a turn happens at the time of its first happening.

    A table that is told the same things at the same times answers the same: but only if time does
    not go on between two looks at the clock.
    """

    def __init__(self, clock: Clock) -> None:
        self.turns = Turns()  # those of the poller, once there is one
        self.clock = Clock(self._time, self._date)
        self.shown: Moment | None = None  # what it shows instead, while the past is repeated
        self._real = clock
        self._time_turn = self._date_turn = 0
        self._held_time = 0.0
        self._held_date: datetime

    @contextmanager
    def showing(self, time: float, date: float) -> Iterator[None]:
        """Show a moment that has passed, to somebody who looks back at it."""
        before, self.shown = self.shown, Moment(time, date)
        try:
            yield
        finally:
            self.shown = before

    def _time(self) -> float:
        if self.shown is not None:
            return self.shown.time
        turn = self.turns.number
        if not turn:
            return self._real.time()
        if turn != self._time_turn:
            self._time_turn, self._held_time = turn, self._real.time()
        return self._held_time

    def _date(self) -> datetime:
        if self.shown is not None:
            return datetime.fromtimestamp(self.shown.date, UTC)
        turn = self.turns.number
        if not turn:
            return self._real.date()
        if turn != self._date_turn:
            self._date_turn, self._held_date = turn, self._real.date()
        return self._held_date
