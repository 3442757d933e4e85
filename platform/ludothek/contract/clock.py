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

    __slots__ = ("_date", "_shown")

    def __init__(self, date: Callable[[], datetime]) -> None:
        self._date = date
        self._shown = date().replace(microsecond=0)

    def __call__(self) -> datetime:
        now = self._date()
        if not _NOTHING <= now - self._shown < _SECOND:  # clocks are set back now and then
            self._shown = now.replace(microsecond=0)
        return self._shown


_NOTHING, _SECOND = timedelta(0), timedelta(seconds=1)
