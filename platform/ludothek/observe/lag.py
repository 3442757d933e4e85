"""How late the event loop is: what a player feels before anything else shows it."""

import time
from collections import deque
from collections.abc import Callable

import trio

from ludothek.observe.traffic import Histogram

# Seconds. The loop's own timers are exact to a millisecond.
BOUNDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)

# Ten measurements a second cost a third of a millisecond.
INTERVAL = 0.1

# Seconds for which the largest lag is remembered; longer than anybody waits between two looks.
MEMORY = 60.0


class LoopLag:
    """Sets a timer again and again and writes down how late it rang."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.histogram = Histogram(BOUNDS)
        self._clock = clock
        self._largest: deque[tuple[float, float]] = deque()  # when and how much, ever smaller

    async def watch(self) -> None:
        """Measure until cancelled.

        Only a daemon does this: in a test with virtual time, a timer that never ends would let
        time run away.
        """
        while True:
            due = self._clock() + INTERVAL
            await trio.sleep(INTERVAL)
            self.note(max(0.0, self._clock() - due))

    def note(self, lag: float) -> None:
        self.histogram.observe(lag)
        while self._largest and self._largest[-1][1] <= lag:
            self._largest.pop()  # never again the largest
        self._largest.append((self._clock(), lag))
        self._forget()

    @property
    def largest(self) -> float:
        """The largest lag of the last minute."""
        self._forget()
        return self._largest[0][1] if self._largest else 0.0

    def _forget(self) -> None:
        while self._largest and self._largest[0][0] < self._clock() - MEMORY:
            self._largest.popleft()
