"""A rate limit for each kind of log line: noise must not push out everything else."""

from collections.abc import Callable
from time import monotonic
from typing import Any

import attrs
import structlog

from transports import Bucket, Rate

# Lines of one kind. A lab full of buggy clients causes fewer; somebody who connects in a loop to
# be dropped could cause thousands per second.
RATE = Rate(per_second=10.0, burst=1000)

# Characters that count as one line: a crash report contains hundreds of inputs.
LINE = 1000

# The level of a line and its event, so that info lines cannot push out a warning of the same name.
Name = tuple[str, str]

# One line per match is promised.
ALWAYS = frozenset({("info", "match ended")})


@attrs.define(eq=False)
class _Kind:
    bucket: Bucket
    limited: bool
    left_out: int = 0  # since the last one that was logged

    def confess(self, entry: structlog.types.EventDict) -> structlog.types.EventDict:
        if self.left_out:
            entry["left_out"], self.left_out = self.left_out, 0
        return entry


class Ration:
    """Passes or drops log lines; the next line of its kind says how many were dropped."""

    def __init__(self, clock: Callable[[], float] = monotonic, rate: Rate = RATE) -> None:
        self.left_out = 0  # of all kinds
        self._clock = clock
        self._rate = rate
        self._kinds: dict[Name, _Kind] = {}

    def admits(self, name: Name) -> bool:
        """Whether a short line may be logged."""
        return self._admits(self._kind(name), 1.0)

    def confess(self, name: Name, entry: structlog.types.EventDict) -> structlog.types.EventDict:
        """Add to a line how many of its kind were dropped before it."""
        return self._kind(name).confess(entry)

    def __call__(
        self, _: Any, level: str, entry: structlog.types.EventDict
    ) -> structlog.types.EventDict:
        """As a structlog processor; debug lines (`-v`) are never dropped."""
        if level == "debug":
            return entry
        kind = self._kind((level, str(entry.get("event"))))
        if not self._admits(kind, _cost(entry)):
            raise structlog.DropEvent
        return kind.confess(entry)

    def _kind(self, name: Name) -> _Kind:
        if (kind := self._kinds.get(name)) is None:
            bucket = Bucket(self._rate, self._clock())
            kind = self._kinds[name] = _Kind(bucket, limited=name not in ALWAYS)
        return kind

    def _admits(self, kind: _Kind, cost: float) -> bool:
        """A long line may be logged if a short one would fit: a crash report must not be lost
        because the client that caused it had sent a lot before."""
        if not kind.limited:
            return True
        if not kind.bucket.afford(1.0, self._clock):
            kind.left_out += 1
            self.left_out += 1
            return False
        if cost > 1.0:
            kind.bucket.left -= min(cost, self._rate.burst) - 1.0
        return True


def _cost(entry: structlog.types.EventDict) -> float:
    signs = 0
    for value in entry.values():
        if isinstance(value, list):
            signs += sum(len(part) for part in value if isinstance(part, str))
    return 1.0 + signs / LINE
