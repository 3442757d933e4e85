"""Time as the core and the tables see it."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import attrs
import trio


def _utc_now() -> datetime:
    return datetime.now(UTC)


@attrs.frozen
class Clock:
    """Two clocks: a monotonic one for deadlines, and one for dates."""

    time: Callable[[], float] = trio.current_time
    date: Callable[[], datetime] = _utc_now


class Seconds:
    """A clock for dates as many protocols show them: to the second.

    It returns the same object throughout a second. Truncating a date, or looking up an equal one,
    would take longer than reading the clock.
    """

    __slots__ = ("_date", "_next", "_shown")

    def __init__(self, date: Callable[[], datetime]) -> None:
        self._date = date
        self._shown: datetime
        self._next: datetime
        self._show(date())

    def __call__(self) -> datetime:
        now = self._date()
        if not self._shown <= now < self._next:  # clocks are set back now and then
            self._show(now)
        return self._shown

    def _show(self, now: datetime) -> None:
        self._shown = now.replace(microsecond=0)
        self._next = self._shown + timedelta(seconds=1)
