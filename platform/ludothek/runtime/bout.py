"""A bout: the match of a lobby as the core sees it, from its beginning to its result."""

from collections.abc import Sequence

import attrs

from ludothek.contract.effects import Ended, Save
from ludothek.runtime.begun import Begun
from ludothek.runtime.ending import untold

# How a match has ended, and how many seconds it took.
Conclusion = tuple[Ended, float]


class Bout:
    """Reports each match once, however often its table says that it is over."""

    __slots__ = ("_conclusion", "_files", "began", "ending", "hosts", "match_id")

    def __init__(self) -> None:
        self.began: Begun | None = None  # the current match
        self.match_id = ""  # of the current match, or of the latest one
        self.hosts: set[str] = set()  # of the clients that saw the match begin or end
        self.ending = ""  # why everything ends now, if it does
        self._conclusion: Conclusion | None = None  # of the match that this step ends
        self._files: list[Save] | None = None  # that this step asks to keep

    def begin(self, begun: Begun, hosts: set[str]) -> None:
        """A match begins, and clients of these hosts see it."""
        self.resume(begun)
        self.hosts = hosts

    def resume(self, begun: Begun | None) -> None:
        """Continue with the match of another process."""
        self.began = begun
        if begun is not None:
            self.match_id = begun.id

    def end(self, ended: Ended | None, now: float, hosts: set[str]) -> None:
        """A match is over; one that never began or is already over does not count.

        None: its table could not report its end.
        """
        if self.began is None:
            return
        ended = ended or untold(self.began.began)
        seconds, self.began = now - self.began.time, None
        self.hosts |= hosts
        if self.ending:
            ended = attrs.evolve(ended, reason=self.ending)
        self._conclusion = ended, seconds

    @property
    def conclusion(self) -> Ended:
        """How the match has ended that this step ends."""
        assert self._conclusion is not None
        return self._conclusion[0]

    def keep(self, file: Save) -> None:
        """The game wants to keep a file."""
        self._files = [*(self._files or ()), file]

    def take(self) -> tuple[Conclusion | None, Sequence[Save]]:
        """What the current step leaves behind."""
        conclusion, files = self._conclusion, self._files
        self._conclusion = self._files = None
        return conclusion, files or ()
