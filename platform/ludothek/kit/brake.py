"""Exponential backoff against guessing: each failed try makes the next one wait longer."""

from collections.abc import Hashable, Sequence
from heapq import nlargest

import attrs

# How many times as long each further failure has to wait.
GROWTH = 2.0


# Keys with their failures and the time of the latest, the worst one first.
BrakeMemory = Sequence[tuple[Hashable, float, float]]


@attrs.define
class _Record:
    """What is remembered about a key that has failed."""

    failures: float  # those not forgiven when the latest one happened
    latest: float


@attrs.define(eq=False)
class Brake:
    """Computes how long a key has to wait from how often it has failed.

    Callers pass in the time, in seconds of any monotonic clock, and choose the keys: an address, a
    user name, or both. Failures are forgiven one by one as time passes, and all at once by a
    success.
    """

    free: int = attrs.field(kw_only=True)  # failures that cost nothing, as everybody mistypes
    first: float = attrs.field(kw_only=True)  # seconds to wait after one more failure
    longest: float = attrs.field(kw_only=True)  # seconds to wait at most
    forgiveness: float = attrs.field(kw_only=True)  # seconds after which one failure is forgotten
    most_keys: int = attrs.field(kw_only=True, default=10_000)
    _records: dict[Hashable, _Record] = attrs.field(init=False, factory=dict)

    def delay(self, key: Hashable, now: float) -> float:
        """Seconds until the next try may be made; 0: at once."""
        record = self._records.get(key)
        if record is None or record.failures <= self.free:
            return 0.0
        return max(0.0, record.latest + self._penalty(record.failures) - now)

    def failed(self, key: Hashable, now: float) -> None:
        """A try has failed."""
        failures = self._remaining(record, now) if (record := self._records.get(key)) else 0.0
        self._records[key] = _Record(failures + 1, now)
        if len(self._records) > self.most_keys:
            self._forget(now)

    def succeeded(self, key: Hashable) -> None:
        """A try was right, so the failures before it were typing errors."""
        self._records.pop(key, None)

    def remember(self, now: float, most: int) -> BrakeMemory:
        """What `recall` needs in another process: the worst keys, with what they have failed."""
        return tuple(
            (key, record.failures, record.latest) for key, record in self._worst(now, most)
        )

    def recall(self, memory: BrakeMemory) -> None:
        """Let those keys wait that had to wait in another process."""
        self._records = {key: _Record(failures, latest) for key, failures, latest in memory}

    def __len__(self) -> int:
        """How many are remembered."""
        return len(self._records)

    def _penalty(self, failures: float) -> float:
        # The exponent is bounded, as failures are not.
        exponent = min(failures - self.free - 1, 64)
        return min(self.longest, self.first * float(GROWTH**exponent))

    def _remaining(self, record: _Record, now: float) -> float:
        return max(0.0, record.failures - (now - record.latest) / self.forgiveness)

    def _forget(self, now: float) -> None:
        """Keep the worse half: nobody must be forgotten by failing under many names."""
        self._records = dict(self._worst(now, self.most_keys // 2))

    def _worst(self, now: float, most: int) -> list[tuple[Hashable, _Record]]:
        """The keys with the most failures that are not forgiven yet."""
        worst = nlargest(
            most,
            self._records.items(),
            key=lambda entry: (self._remaining(entry[1], now), entry[1].latest),
        )
        return [entry for entry in worst if self._remaining(entry[1], now) > 0]
