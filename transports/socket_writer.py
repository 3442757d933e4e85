"""The half of a link that writes: at once, or as soon as the peer has read."""

import socket
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Sequence
from itertools import islice
from math import inf

import trio

from transports.complaint import Complaint
from transports.framing import Framer
from transports.link import Outbox
from transports.mailbox import Mailbox
from transports.poller import reactor

# Frames that are handed to the system in one call.
GATHER = 64

# A frame so large is not held back while the others are heard.
LARGE_BYTES = 16 * 1024


class SocketWriter(Mailbox, ABC):
    """Writes to a socket that does not block; what the system does not take is kept, bounded."""

    __slots__ = (
        "_framer",
        "_held",
        "_mute",
        "_offset",
        "_poller",
        "_queue",
        "_queued_bytes",
        "_reading",
        "_socket",
        "_stuck_until",
        "_waiting",
        "outbox",
    )

    def __init__(self, sock: socket.socket, framer: Framer, outbox: Outbox) -> None:
        super().__init__()
        self.outbox = outbox
        self._socket = sock
        self._framer = framer
        self._poller = reactor().poller
        self._waiting = reactor().waiting
        # What is said to many peers is one object for all of them, however many do not read it: so
        # no frame is ever joined to another, nor cut.
        self._held: list[bytes] | None = None  # until all peers of this turn were heard
        self._queue: deque[bytes] | None = None
        self._queued_bytes = 0
        self._offset = 0  # how much of the first frame in the queue is written
        self._reading = False
        self._mute = False  # the last word is spoken
        self._stuck_until = inf  # when the peer is given up if it has not read anything

    @abstractmethod
    def fetch(self) -> bytes | None: ...

    @abstractmethod
    def take(self, data: bytes) -> None: ...

    @abstractmethod
    def fail(self, bug: Exception) -> None: ...

    @abstractmethod
    def _give_peer_up(self, complaint: Complaint) -> None:
        """The peer does not read."""

    @abstractmethod
    def _lose(self) -> None:
        """The other end is gone."""

    @abstractmethod
    def _be_patient(self) -> None:
        """The peer has to read before the next bytes can be written."""

    @property
    def waiting_bytes(self) -> int:
        """How much the peer still has to read before it gets what is said now."""
        return self._queued_bytes

    @property
    def waiting_frames(self) -> int:
        return len(self._queue) if self._queue else 0

    @property
    def congested(self) -> bool:
        """When half of the room is taken, no more questions are heard."""
        return self._queue is not None and (
            len(self._queue) > self.outbox.frames // 2
            or self._queued_bytes > self.outbox.bytes // 2
        )

    def post(self, frame: bytes) -> None:
        """Write a frame, or keep it until the peer reads; a peer that does not is given up."""
        framer = self._framer
        if self._mute or (framer.ended and not framer.half_closes):
            return  # the last word is spoken
        self._write(framer.wrap(frame))

    async def send(self, frame: bytes) -> None:
        """Write a frame, and wait if there is much to read for the peer already."""
        self.post(frame)
        await trio.lowlevel.checkpoint()
        while self.congested:
            await self._sleep()
        if self._over is trio.BrokenResourceError:
            raise self._over

    def _write(self, data: bytes) -> None:
        if self._queue is not None:
            self._enqueue(data)
        elif (corked := self._poller.corked) is None:
            self._write_now(data)
        else:
            if (held := self._held) is None:
                held = self._held = []
                corked.append(self)
            held.append(data)
            if len(held) == GATHER or len(data) > LARGE_BYTES:
                self.uncork()

    def uncork(self) -> None:
        held, self._held = self._held, None
        if held is None:
            return
        if len(held) == 1:
            self._write_now(held[0])
            return
        try:
            sent = self._socket.sendmsg(held)
        except (BlockingIOError, InterruptedError):
            sent = 0
        except OSError:
            self._lose()
            return
        if sent < sum(map(len, held)):
            self._queue_up(held, sent)

    def _write_now(self, data: bytes) -> None:
        try:
            sent = self._socket.send(data)
        except (BlockingIOError, InterruptedError):
            sent = 0
        except OSError:
            self._lose()
            return
        if sent < len(data):
            self._queue_up((data,), sent)

    def _queue_up(self, frames: Sequence[bytes], sent: int) -> None:
        """Keep what the system has not taken, until the peer has read."""
        self._queue = deque(frames)
        self._queued_bytes = sum(map(len, frames))
        for frame in frames:
            self._waiting.keep(frame)
        self._waiting.peers.add(self)
        self._drop_written(sent)
        self._register()
        self._be_patient()
        self._keep_to_limits()

    def _enqueue(self, data: bytes) -> None:
        assert self._queue is not None
        self._queue.append(data)
        self._queued_bytes += len(data)
        self._waiting.keep(data)
        self._keep_to_limits()

    def _keep_to_limits(self) -> None:
        assert self._queue is not None
        # The frame being written does not count: a single answer may be larger than all that may
        # wait behind it (a whole match with every snapshot).
        behind = self._queued_bytes + self._offset - len(self._queue[0])
        if len(self._queue) > self.outbox.frames or behind > self.outbox.bytes:
            self.give_up()
        elif self._waiting.bytes > self.outbox.total:
            self._waiting.make_room(self.outbox.total)

    def give_up(self) -> None:
        self._give_peer_up(Complaint.OUTBOX_FULL)

    def _forget(self) -> None:
        """Nothing of what waits will be written."""
        if self._queue is not None:
            self._waiting.leave(self, self._queue)
        self._queue, self._held = None, None
        self._queued_bytes = self._offset = 0

    def writable(self) -> None:
        """Write what waits, several frames in one call."""
        if self._queue is None:
            return
        try:
            sent = self._socket.sendmsg(self._next_pieces())
        except (BlockingIOError, InterruptedError):
            return
        except OSError:
            self._lose()
            return
        self._drop_written(sent)
        if not self._queue:
            self._forget()
            self._stuck_until = inf
            self._register()
        else:
            self._be_patient()
        if not self.congested:
            self._catch_up()
        self._wake()

    def _next_pieces(self) -> list[bytes | memoryview]:
        assert self._queue is not None
        pieces: list[bytes | memoryview] = list(islice(self._queue, GATHER))
        if self._offset:
            # Not a copy: a frame of many megabytes is written in hundreds of pieces.
            pieces[0] = memoryview(pieces[0])[self._offset :]
        return pieces

    def _drop_written(self, sent: int) -> None:
        queue = self._queue
        assert queue is not None
        self._queued_bytes -= sent
        sent += self._offset
        while queue and len(queue[0]) <= sent:
            first = queue.popleft()
            sent -= len(first)
            self._waiting.release(first)
        self._offset = sent

    async def flush(self) -> None:
        """Wait until the peer's system has taken all that was said, or the connection is lost."""
        while self._queue is not None:
            await self._sleep()

    def _register(self) -> None:
        self._poller.watch(
            self._socket.fileno(), self, read=self._reading, write=self._queue is not None
        )
