"""What the ledger of a dead process says about one of its links."""

from collections.abc import Sequence

import attrs

from transports.byte_counts import ByteCounts
from transports.link import Farewell, Frame
from transports.link_names import store_name
from transports.state import LinkState


@attrs.define(eq=False)
class RecoveredInput:
    """What is known about the bytes that the peer has sent."""

    framer: bytes | None = None  # its state; None: at the very beginning
    backlog: Sequence[Frame] = ()  # frames that were not handled then
    chunks: list[bytes] = attrs.field(factory=list)  # what came after that
    left: int = 0  # frames that are not handled, of all these
    unheard: bytes = b""  # what was read and not handled, behind all these
    begun: tuple[int, bytes] | None = None  # a read that was under way: bytes before it, and room
    received: int | None = None  # where the last known piece ends

    def unheard_of(self, counts: ByteCounts) -> bytes | None:
        """What was read and not handled; None if more was read than anybody knows of."""
        if counts.over:
            return self.unheard
        if self.begun is not None:
            before, room = self.begun
            size = counts.read - before
            return self.unheard + room[:size] if 0 <= size <= len(room) else None
        if self.received is not None and self.received != counts.read:
            return None
        return self.unheard


@attrs.define(eq=False)
class RecoveredLink:
    """Who the peer was, what it has sent, what it was sent, and how far the end had come."""

    number: int
    peer: str
    host: str  # that it was counted for
    head: int  # bytes of its stream that came before the link
    input: RecoveredInput = attrs.field(factory=RecoveredInput)
    posted: list[tuple[int, bytes]] = attrs.field(factory=list)  # behind how many other bytes
    state: LinkState = LinkState.OPEN
    farewell: Farewell | None = None  # with which we were going to hang up
    has_left: bool = False  # our last word is posted

    @property
    def name(self) -> str:
        """Under which the store has the descriptor."""
        return store_name(self.number)

    def posted_from(self, start: int) -> bytes | None:
        """What it was sent behind the first `start` bytes; None if some of that is missing."""
        rest = bytearray()
        for before, data in sorted(self.posted, key=lambda piece: piece[0]):
            at = start + len(rest)
            if before > at:
                return None
            rest += data[at - before :]
        return bytes(rest)

    def handled(self, counts: ByteCounts) -> int:
        """Up to where its stream was handled; -1 if that cannot be known."""
        unheard = self.input.unheard_of(counts)
        return -1 if unheard is None or counts.over else counts.read - len(unheard)
