"""Named timers: when the next one is due, and which."""

from collections.abc import Callable, Hashable
from math import inf


class Timers:
    """The timers of a table or a reception.

    The core waits for the deadline and passes each due timer to `time_up`; a timer runs once. All
    can be paused together, except for the steady ones.
    """

    __slots__ = ("_due", "_left", "_now", "_paused", "_steady", "deadline")

    def __init__(self, now: Callable[[], float]) -> None:
        self.deadline = inf  # when the next one is due
        self._now = now
        self._due: dict[Hashable, float] = {}
        self._left: dict[Hashable, float] = {}  # seconds of those that are paused
        self._steady: set[Hashable] = set()
        self._paused = False

    def start(self, name: Hashable, seconds: float, *, steady: bool = False) -> None:
        """Start a timer, or start it again; infinity means never."""
        self._forget(name)
        if steady:
            self._steady.add(name)
        if self._paused and not steady:
            self._left[name] = seconds
        elif seconds < inf:
            due = self._due[name] = self._now() + seconds
            if due < self.deadline:
                self.deadline = due

    def stop(self, *names: Hashable) -> None:
        """Stop timers; those that do not run are left alone."""
        for name in names:
            self._forget(name)

    def adopt(self, others: "Timers", *names: Hashable) -> None:
        """Give timers as many seconds as others have left; those that do not run are stopped."""
        for name in names:
            self.start(name, others.left(name))

    def clear(self) -> None:
        """Stop all timers, and end the pause."""
        self._due.clear()
        self._left.clear()
        self._steady.clear()
        self._paused = False
        self.deadline = inf

    def left(self, name: Hashable) -> float:
        """Seconds until a timer is due, or would be if it were resumed now."""
        if name in self._left:
            return self._left[name]
        return max(0.0, self._due.get(name, inf) - self._now())

    def __contains__(self, name: Hashable) -> bool:
        """Whether a timer runs or is paused."""
        return name in self._due or name in self._left

    @property
    def paused(self) -> bool:
        return self._paused

    def pause(self) -> None:
        """Pause all timers but the steady ones."""
        if self._paused:
            return
        self._paused = True
        now = self._now()
        for name in [name for name in self._due if name not in self._steady]:
            self._left[name] = max(0.0, self._due.pop(name) - now)
        self._look()

    def resume(self) -> None:
        """Resume all timers."""
        if not self._paused:
            return
        self._paused = False
        now = self._now()
        for name, seconds in self._left.items():
            if seconds < inf:
                self._due[name] = now + seconds
        self._left.clear()
        self._look()

    def take_due(self) -> Hashable | None:
        """Stop and return the timer that has been due for longest; None if none is due."""
        if self.deadline > self._now():
            return None
        name = min(self._due, key=self._due.__getitem__)
        self._forget(name)
        return name

    def _forget(self, name: Hashable) -> None:
        if (due := self._due.pop(name, None)) is not None and due <= self.deadline:
            self._look()  # at all others, of which a reception may have thousands
        self._left.pop(name, None)
        self._steady.discard(name)

    def _look(self) -> None:
        self.deadline = min(self._due.values()) if self._due else inf
