"""How long something has lasted."""

from collections.abc import Callable

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
        self._ran, self._since = self.elapsed, self.now()

    def stop(self) -> None:
        self._ran, self._since = self.elapsed, None
