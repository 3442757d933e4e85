"""What is waiting to be written to one peer; no I/O."""

from collections import deque
from collections.abc import Sequence
from itertools import islice

from transports.link import OutboxLimits
from transports.waiting import Waiting

# How many frames are passed to the system in one call.
GATHER = 64


class Outbox:
    """Frames as pairs of pieces, as framers make them; one piece is the frame itself.

    A broadcast frame is one object for all peers, however many do not read it: so a waiting frame
    is never joined to its other piece, nor cut.
    """

    __slots__ = ("_offset", "_queue", "bytes", "corked", "limits", "waiting")

    def __init__(self, limits: OutboxLimits, waiting: Waiting) -> None:
        self.limits = limits
        self.corked: list[bytes] | None = None  # pieces, until all peers of this turn were handled
        self.bytes = 0  # that wait until the peer reads
        self.waiting = waiting  # of all peers together
        self._queue: deque[bytes] | None = None
        self._offset = 0  # how much of the first piece in the queue is written

    @property
    def frames(self) -> int:
        """How many frames are waiting, including the one being written."""
        return (len(self._queue) + 1) // 2 if self._queue else 0

    @property
    def congested(self) -> bool:
        """Backpressure: when it is half full, no more messages of the peer are handled."""
        return self._queue is not None and (
            self.frames > self.limits.frames // 2 or self.bytes > self.limits.bytes // 2
        )

    @property
    def full(self) -> bool:
        # The frame being written does not count: a single answer may be larger than everything that
        # may wait behind it (a whole match with every snapshot).
        if not self._queue:
            return False
        first = sum(map(len, islice(self._queue, 2 - len(self._queue) % 2)))
        behind = self.bytes + self._offset - first
        return self.frames > self.limits.frames or behind > self.limits.bytes

    def keep(self, pieces: Sequence[bytes]) -> None:
        """Queue pairs of pieces."""
        if self._queue is None:
            self._queue = deque()
        self._queue.extend(pieces)
        for piece in pieces:
            self.bytes += len(piece)
            self.waiting.keep(piece)

    def next_pieces(self) -> list[bytes | memoryview]:
        """The pieces to write next."""
        pieces: list[bytes | memoryview] = list(islice(self._queue or (), 2 * GATHER))
        if self._offset:
            # Not a copy: a frame of many megabytes is written in hundreds of pieces.
            pieces[0] = memoryview(pieces[0])[self._offset :]
        return pieces

    def last(self, size: int) -> bytes:
        """The last `size` bytes of what is waiting."""
        pieces: list[bytes] = []
        for piece in reversed(self._queue or ()):
            if size <= 0:
                break
            pieces.append(piece[-size:])
            size -= len(piece)
        return b"".join(reversed(pieces))

    def drop_written(self, size: int) -> None:
        """That many more bytes have been written."""
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
        """Discard everything that is waiting."""
        for piece in self._queue or ():
            self.waiting.release(piece)
        self._queue = self.corked = None
        self.bytes = self._offset = 0
