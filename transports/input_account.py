"""What the ledger knows about the input of one link."""

from collections.abc import Sequence

from transports import link_notes
from transports.byte_counts import ByteCounts
from transports.link import Frame
from transports.recovered_link import RecoveredInput
from transports.resumable_framer import ResumableFramer

# What comes behind the last known state of the framer is noted piece by piece, until that is this
# much and as much as the state itself: so a peer that sends single bytes does not cause a state to
# be noted for each of them.
REBASE_BYTES = 4096


class InputAccount:
    """Up to where the peer's stream was read, and from where the next process reads on.

    That is a state of the framer, the base, and what came behind it.
    """

    __slots__ = ("_base_size", "_left", "base", "head", "more", "received", "unheard")

    def __init__(self, framer: ResumableFramer, head: int) -> None:
        """The first `head` bytes are not the framer's."""
        self.head = head
        self.received = 0
        self.unheard = b""  # read by an earlier process, and not handled yet
        self.base = framer.state
        self.more = 0  # how much came behind the base, and at least 1 if anything did
        self._base_size = 0
        self._left = 0  # frames behind the base that wait

    def note(
        self,
        link: int,
        data: bytes,
        framer: ResumableFramer,
        backlog: Sequence[Frame] | None,
        notes: list[bytes],
    ) -> None:
        """Note what has changed in a turn in which these bytes were taken."""
        resting = framer.resting
        if resting is None or backlog is not None:
            self._note_rest(link, data, framer, backlog or (), notes)
        elif self.more or resting != self.base:
            notes.append(link_notes.base(link, resting, ()))
            self.base, self._base_size, self.more = resting, 0, 0

    def _note_rest(
        self,
        link: int,
        data: bytes,
        framer: ResumableFramer,
        backlog: Sequence[Frame],
        notes: list[bytes],
    ) -> None:
        more, left = self.more + len(data), len(backlog)
        if more > max(REBASE_BYTES, self._base_size):
            note = link_notes.base(link, framer.state, backlog)
            notes.append(note)
            self._base_size, self.more = len(note), 1
        elif data or left != self._left:
            notes.append(link_notes.more(link, data, left))
            self.more = more + 1
        self._left = left

    def portrait(
        self, link: int, framer: ResumableFramer, backlog: Sequence[Frame] | None
    ) -> list[bytes]:
        """All of it."""
        notes = [link_notes.base(link, framer.state, backlog or ())]
        if self.unheard:
            notes.append(link_notes.unheard(link, self.unheard))
        return notes

    def settle(self, framer: ResumableFramer, backlog: Sequence[Frame] | None) -> None:
        """The portrait is in the ledger."""
        resting = framer.resting
        self.base = resting or b""
        self._left = len(backlog or ())
        self.more = int(resting is None or backlog is not None or bool(self.unheard))
        self._base_size = len(framer.state)

    def rebase(self) -> None:
        """Let the next note be a base."""
        self.more = max(REBASE_BYTES, self._base_size) + 1

    def resume(self, recovered: RecoveredInput, counts: ByteCounts) -> bool:
        """Be where another process was; False if it may have read more than is known."""
        # A stream that is over has no head any more.
        self.received = max(counts.read, self.head) if counts.over else counts.read
        unheard = recovered.unheard_of(counts)
        self.unheard = unheard or b""
        return unheard is not None
