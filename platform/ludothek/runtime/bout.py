"""A bout: the match of a lobby as the core sees it, from its beginning to its result."""

from collections.abc import Sequence

import attrs

from ludothek.contract.effects import Began, Ended, Save
from ludothek.runtime.ending import untold

# How a match has ended, and how many seconds it took.
Conclusion = tuple[Ended, float]


class Bout:
    """Reports each match once, however often its table says that it is over."""

    __slots__ = ("_conclusion", "_files", "began", "ending", "hosts")

    def __init__(self) -> None:
        self.began: tuple[Began, float] | None = None  # the current match, and when it began
        self.hosts: set[str] = set()  # of the clients that saw the match begin or end
        self.ending = ""  # why everything ends now, if it does
        self._conclusion: Conclusion | None = None  # of the match that this step ends
        self._files: list[Save] | None = None  # that this step asks to keep

    def begin(self, began: Began, now: float, hosts: set[str]) -> None:
        """A match begins, and clients of these hosts see it."""
        self.began, self.hosts = (began, now), hosts

    def end(self, ended: Ended, now: float, hosts: set[str]) -> None:
        """A match is over; one that never began or is already over does not count."""
        if self.began is None:
            return
        seconds, self.began = now - self.began[1], None
        self.hosts |= hosts
        if self.ending:
            ended = attrs.evolve(ended, reason=self.ending)
        self._conclusion = ended, seconds

    def break_off(self, now: float, hosts: set[str]) -> None:
        """End a match whose table could not report its end."""
        if self.began is not None:
            self.end(untold(self.began[0]), now, hosts)

    def keep(self, file: Save) -> None:
        """The game wants to keep a file."""
        self._files = [*(self._files or ()), file]

    def take(self) -> tuple[Conclusion | None, Sequence[Save]]:
        """What the current step leaves behind."""
        conclusion, files = self._conclusion, self._files
        self._conclusion = self._files = None
        return conclusion, files or ()
