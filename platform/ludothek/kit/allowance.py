"""A limit per hour: a count for each key that decays with time."""

from collections.abc import Hashable

HOUR = 3600.0


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

    def __len__(self) -> int:
        """How many are remembered."""
        return len(self._taken)

    def _used(self, key: Hashable, now: float) -> float:
        used, then = self._taken.get(key, (0.0, now))
        return max(0.0, used - (now - then) * self.per_hour / HOUR)

    def _forget(self, now: float) -> None:
        """Keep the half that has taken most."""
        keys = sorted(self._taken, key=lambda key: self._used(key, now), reverse=True)
        worse = keys[: self._most_keys // 2]
        self._taken = {key: self._taken[key] for key in worse if self._used(key, now) > 0}
