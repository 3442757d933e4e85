"""How often the log says the same: what clients can bring about for nothing must not fill it."""

from collections import Counter
from collections.abc import Callable
from time import monotonic
from typing import Any

import structlog

from transports import Bucket, Rate

# Lines of one kind. A lab full of clients with bugs has its say; somebody who makes mistakes on
# purpose, hundreds of times per second, does not push the log of the whole week out of the journal.
SAME_LINES = Rate(per_second=20, burst=1000)

# Of these there is one for each, however many there are.
EACH = frozenset({"match ended"})


class Loudness:
    """A processor that leaves lines out; the next one of the kind says how many (`left_out`)."""

    def __init__(self, rate: Rate = SAME_LINES, clock: Callable[[], float] = monotonic) -> None:
        self._rate = rate
        self._clock = clock
        self._buckets: dict[str, Bucket] = {}
        self._left_out: Counter[str] = Counter()

    def __call__(
        self, _: Any, level: str, entry: structlog.types.EventDict
    ) -> structlog.types.EventDict:
        event = entry["event"]
        if level != "info" or event in EACH:
            return entry  # warnings and errors are limited where they are made
        bucket = self._buckets.get(event)
        if bucket is None:
            bucket = self._buckets[event] = Bucket(self._rate, self._clock())
        if bucket.take(1, self._clock):
            bucket.left += 1  # nothing was taken: silence does not grow with the noise
            self._left_out[event] += 1
            raise structlog.DropEvent
        if left_out := self._left_out.pop(event, 0):
            entry["left_out"] = left_out
        return entry
