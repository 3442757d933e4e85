"""Time as the core and the tables see it."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from math import inf

import attrs
import trio


def _utc_now() -> datetime:
    return datetime.now(UTC)


@attrs.frozen
class Clock:
    """Two clocks: one that only runs forward, for deadlines, and one for dates."""

    time: Callable[[], float] = trio.current_time
    date: Callable[[], datetime] = _utc_now


class Seconds:
    """A clock for dates as many protocols show them: to the second.

    All through a second it shows one and the same object. Cutting off the rest of a date, and
    looking for another one that is equal, would each take longer than telling the time.
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


@attrs.define
class Countdown:
    """The time left for one decision; it stands still while paused."""

    now: Callable[[], float]
    deadline: float = inf
    _left: float | None = None

    @property
    def left(self) -> float:
        """Seconds until the deadline, or until it would come once resumed."""
        return max(0.0, self.deadline - self.now()) if self._left is None else self._left

    def start(self, seconds: float) -> None:
        self.deadline, self._left = self.now() + seconds, None

    def stop(self) -> None:
        self.deadline, self._left = inf, None

    def pause(self) -> None:
        self._left, self.deadline = self.left, inf

    def resume(self) -> None:
        if self._left is not None:
            self.start(self._left)
