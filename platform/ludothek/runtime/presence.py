"""Whether a person is there, and how long the game waits for one who is not."""

from math import inf

import trio

# Seconds for a browser to come back.
AWAY_SECONDS = 60.0


class Presence:
    """Browsers come and go, and the latest one counts.

    The scope ends when nothing has happened for long, or no browser has come back.
    """

    def __init__(self, idle_seconds: float) -> None:
        self.scope = trio.CancelScope()
        self.visit = 0  # of browsers: the number of the latest one
        self._idle_seconds = idle_seconds
        self._idle_at = inf
        self._away_at = trio.current_time() + AWAY_SECONDS
        self._last_call = False
        self.renew()

    @property
    def seconds(self) -> float:
        """Until nothing has happened for too long."""
        return max(0.0, self._idle_at - trio.current_time())

    @property
    def is_away(self) -> bool:
        """Whether it ends because the browser has not come back."""
        return self._away_at <= self._idle_at

    def renew(self) -> None:
        """Something has happened."""
        self._idle_at = trio.current_time() + self._idle_seconds
        self._set()

    def arrive(self) -> int:
        """A browser is here, perhaps in place of another one; returns the number of its visit."""
        self.visit += 1
        self._away_at = inf
        self._set()
        return self.visit

    def depart(self, visit: int) -> None:
        """A browser is gone; if it was the latest one, it may come back for a while."""
        if visit == self.visit:
            self._away_at = trio.current_time() + AWAY_SECONDS
            self._set()

    def end_in(self, seconds: float) -> None:
        """End soon, whatever happens."""
        self._last_call = True
        self.scope.deadline = trio.current_time() + seconds

    def _set(self) -> None:
        if not self._last_call:
            self.scope.deadline = min(self._idle_at, self._away_at)
