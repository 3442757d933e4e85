"""How often a guardian has started its daemon, and when it does so next.

As all that the guardian uses, this is plain code on the standard library.
"""

import time

# Starts in a row that may fail. Each next one waits twice as long as the last. So do those after
# which as many were killed from outside: whoever does so may run out of memory.
MOST_FAILURES = 5
FIRST_PAUSE = 0.01
LONGEST_PAUSE = 1.0


class Starts:
    """Each further start of a daemon that ends before it is ready waits longer than the last."""

    def __init__(self) -> None:
        self.count = 0
        self.failures = 0  # in a row
        self.died = time.monotonic()  # when the last daemon died that had served anybody
        self._early = 0  # in a row that have ended before they were ready, for whatever reason
        self._next: float | None = None  # when to start it; None while it runs

    @property
    def patience(self) -> float | None:
        """How long to wait; 0 if a daemon is to be started, None if one is running."""
        return None if self._next is None else max(0.0, self._next - time.monotonic())

    def begin(self) -> None:
        """A daemon is started."""
        self._next = None
        self.count += 1

    def give_up(self) -> None:
        """The start was not possible, but another one may be soon."""
        self._next = time.monotonic() + LONGEST_PAUSE
        self.count -= 1

    def end(self, *, served: bool, failed: bool) -> None:
        """The daemon has died; whether it had served anybody, and whether it is to blame."""
        if served:
            self.died, self.failures, self._early = time.monotonic(), 0, 0
        else:
            self._early += 1
            self.failures += failed
        self._next = time.monotonic() + self._pause()

    def _pause(self) -> float:
        tries = max(self.failures, self._early - MOST_FAILURES)
        return min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** min(tries, 30)) if tries > 0 else 0.0
