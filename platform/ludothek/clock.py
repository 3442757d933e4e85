"""Time as the core and the tables see it."""

from collections.abc import Callable
from datetime import UTC, datetime
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
