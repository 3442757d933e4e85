"""Event loop lag: the first sign of trouble, and what players feel."""

import time
from collections import deque
from collections.abc import Callable

import trio

from ludothek.observe.traffic import Histogram

# Seconds. The loop's own timers are accurate to a millisecond.
BOUNDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)

# Ten measurements per second cost a third of a millisecond.
INTERVAL = 0.1

# Seconds for which the largest lag is remembered; longer than the interval of any scraper.
MEMORY = 60.0


class LoopLag:
    """Sleeps repeatedly and measures how late it wakes up."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.histogram = Histogram(BOUNDS)
        self._clock = clock
        self._largest: deque[tuple[float, float]] = deque()  # when and how much, descending
        self._peak = 0.0

    async def watch(self) -> None:
        """Measure until cancelled.

        Only a daemon does this: with the virtual clock of a test, an endless timer would let time
        run away.
        """
        while True:
            due = self._clock() + INTERVAL
            await trio.sleep(INTERVAL)
            self.note(max(0.0, self._clock() - due))

    def note(self, lag: float) -> None:
        self.histogram.observe(lag)
        self._peak = max(self._peak, lag)
        while self._largest and self._largest[-1][1] <= lag:
            self._largest.pop()  # can never be the largest again
        self._largest.append((self._clock(), lag))
        self._forget()

    @property
    def largest(self) -> float:
        """The largest lag of the last minute."""
        self._forget()
        return self._largest[0][1] if self._largest else 0.0

    def take_peak(self) -> float:
        """The largest lag since the last call."""
        peak, self._peak = self._peak, 0.0
        return peak

    def _forget(self) -> None:
        while self._largest and self._largest[0][0] < self._clock() - MEMORY:
            self._largest.popleft()
