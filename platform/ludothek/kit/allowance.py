"""A limit per hour: a count for each key that decays with time."""

from collections.abc import Hashable, Sequence
from heapq import nlargest

HOUR = 3600.0

# Keys with what they have taken and as of when, those that have taken most first.
AllowanceMemory = Sequence[tuple[Hashable, float, float]]


class Allowance:
    """Counts what each key has taken; after an hour all of it is available again.

    Callers pass in the time, in seconds of any monotonic clock.
    """

    def __init__(self, per_hour: int, most_keys: int = 10_000) -> None:
        self.per_hour = per_hour
        self._most_keys = most_keys
        self._taken: dict[Hashable, tuple[float, float]] = {}  # how much, and as of when

    def is_left(self, key: Hashable, now: float) -> bool:
        """Whether one more may be taken."""
        return self._used(key, now) + 1 <= self.per_hour

    def take(self, key: Hashable, now: float) -> None:
        self._taken[key] = self._used(key, now) + 1, now
        if len(self._taken) > self._most_keys:
            self._forget(now)

    def remember(self, now: float, most: int) -> AllowanceMemory:
        """What `recall` needs in another process: the keys that have taken most."""
        return tuple((key, *self._taken[key]) for key in self._greediest(now, most))

    def recall(self, memory: AllowanceMemory) -> None:
        """Count what was taken in another process."""
        self._taken = {key: (used, then) for key, used, then in memory}

    def __len__(self) -> int:
        """How many are remembered."""
        return len(self._taken)

    def _used(self, key: Hashable, now: float) -> float:
        used, then = self._taken.get(key, (0.0, now))
        return max(0.0, used - (now - then) * self.per_hour / HOUR)

    def _forget(self, now: float) -> None:
        """Keep the half that has taken most."""
        keys = self._greediest(now, self._most_keys // 2)
        self._taken = {key: self._taken[key] for key in keys}

    def _greediest(self, now: float, most: int) -> list[Hashable]:
        """The keys that have taken most, as far as it is not available again yet."""
        keys = nlargest(most, self._taken, key=lambda key: self._used(key, now))
        return [key for key in keys if self._used(key, now) > 0]
