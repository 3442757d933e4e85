"""What is said to one peer and not written yet; no I/O."""

from collections import deque
from collections.abc import Sequence
from itertools import islice

from transports.link import OutboxLimits
from transports.waiting import Waiting

# Frames that are handed to the system in one call.
GATHER = 64


class Outbox:
    """Frames in pairs of pieces, as framers make them, of which one is the frame itself.

    What is said to many peers is one object for all of them, however many do not read it: so no
    frame that waits is ever joined to its other piece, nor cut.
    """

    __slots__ = ("_offset", "_queue", "bytes", "corked", "limits", "waiting")

    def __init__(self, limits: OutboxLimits, waiting: Waiting) -> None:
        self.limits = limits
        self.corked: list[bytes] | None = None  # pieces, until all peers of this turn were heard
        self.bytes = 0  # that wait until the peer has read
        self.waiting = waiting  # for all peers together
        self._queue: deque[bytes] | None = None
        self._offset = 0  # how much of the first piece in the queue is written

    @property
    def waits(self) -> bool:
        """Whether the peer has to read before the next bytes can be written."""
        return self._queue is not None

    @property
    def frames(self) -> int:
        """How many frames wait, with the one being written."""
        return (len(self._queue) + 1) // 2 if self._queue else 0

    @property
    def congested(self) -> bool:
        """When half of the room is taken, no more questions are heard."""
        return self._queue is not None and (
            self.frames > self.limits.frames // 2 or self.bytes > self.limits.bytes // 2
        )

    @property
    def full(self) -> bool:
        # The frame being written does not count: a single answer may be larger than all that may
        # wait behind it (a whole match with every snapshot).
        if not self._queue:
            return False
        first = sum(map(len, islice(self._queue, 2 - len(self._queue) % 2)))
        behind = self.bytes + self._offset - first
        return self.frames > self.limits.frames or behind > self.limits.bytes

    def keep(self, pieces: Sequence[bytes]) -> None:
        """Let pairs of pieces wait."""
        if self._queue is None:
            self._queue = deque()
        self._queue.extend(pieces)
        for piece in pieces:
            self.bytes += len(piece)
            self.waiting.keep(piece)

    def next_pieces(self) -> list[bytes | memoryview]:
        """What to write next."""
        pieces: list[bytes | memoryview] = list(islice(self._queue or (), 2 * GATHER))
        if self._offset:
            # Not a copy: a frame of many megabytes is written in hundreds of pieces.
            pieces[0] = memoryview(pieces[0])[self._offset :]
        return pieces

    def drop_written(self, size: int) -> None:
        """So many bytes more are written."""
        queue = self._queue
        assert queue is not None
        self.bytes -= size
        size += self._offset
        while queue and len(queue[0]) <= size:
            piece = queue.popleft()
            size -= len(piece)
            self.waiting.release(piece)
        self._offset = size
        if not queue:
            self._queue = None

    def forget(self) -> None:
        """Nothing of what waits will be written."""
        for piece in self._queue or ():
            self.waiting.release(piece)
        self._queue = self.corked = None
        self.bytes = self._offset = 0
