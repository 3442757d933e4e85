"""Measures how long something has lasted."""

from collections.abc import Callable
from math import inf

import attrs


@attrs.define
class Stopwatch:
    """Counts the seconds while it runs."""

    now: Callable[[], float]
    _ran: float = 0.0
    _since: float | None = None

    @property
    def elapsed(self) -> float:
        return self._ran + (0.0 if self._since is None else self.now() - self._since)

    def start(self) -> None:
        if self._since is None:
            self._since = self.now()

    def stop(self) -> None:
        self._ran, self._since = self.elapsed, None

    def reaches(self, seconds: float) -> float:
        """When it will have counted that many if it keeps running; infinity if it does not run."""
        return inf if self._since is None else self._since + (seconds - self._ran)
