"""The half of a link that writes: at once, or as soon as the peer has read."""

import socket
from abc import ABC, abstractmethod
from collections import deque
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

# What is held back for one peer while the others are heard.
HOLD_BYTES = 64 * 1024


class SocketWriter(Mailbox, ABC):
    """Writes to a socket that does not block; what the system does not take is kept, bounded."""

    __slots__ = (
        "_framer",
        "_held",
        "_mute",
        "_poller",
        "_queue",
        "_queued_bytes",
        "_reading",
        "_socket",
        "_stuck_until",
        "outbox",
    )

    def __init__(self, sock: socket.socket, framer: Framer, outbox: Outbox) -> None:
        super().__init__()
        self.outbox = outbox
        self._socket = sock
        self._framer = framer
        self._poller = reactor().poller
        self._held: bytes | None = None  # until all peers of this turn were heard
        self._queue: deque[bytes | memoryview] | None = None
        self._queued_bytes = 0
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
        elif self._held is None:
            self._held = data
            corked.append(self)
        else:
            self._held += data
            if len(self._held) > HOLD_BYTES:
                self.uncork()

    def uncork(self) -> None:
        held, self._held = self._held, None
        if held is not None:
            self._write_now(held)

    def _write_now(self, data: bytes) -> None:
        try:
            sent = self._socket.send(data)
        except (BlockingIOError, InterruptedError):
            sent = 0
        except OSError:
            self._lose()
            return
        if sent < len(data):
            self._queue = deque()
            self._register()
            self._be_patient()
            self._enqueue(memoryview(data)[sent:])

    def _enqueue(self, data: bytes | memoryview) -> None:
        assert self._queue is not None
        self._queue.append(data)
        self._queued_bytes += len(data)
        # The frame being written does not count: a single answer may be larger than all that may
        # wait behind it (a whole match with every snapshot).
        behind = self._queued_bytes - len(self._queue[0])
        if len(self._queue) > self.outbox.frames or behind > self.outbox.bytes:
            self._give_peer_up(Complaint.OUTBOX_FULL)

    def writable(self) -> None:
        """Write what waits, several frames in one call."""
        if self._queue is None:
            return
        try:
            sent = self._socket.sendmsg(list(islice(self._queue, GATHER)))
        except (BlockingIOError, InterruptedError):
            return
        except OSError:
            self._lose()
            return
        self._queued_bytes -= sent
        self._drop_written(sent)
        if not self._queue:
            self._queue = None
            self._stuck_until = inf
            self._register()
        else:
            self._be_patient()
        if not self.congested:
            self._catch_up()
        self._wake()

    def _drop_written(self, sent: int) -> None:
        assert self._queue is not None
        while sent:
            first = self._queue.popleft()
            if len(first) > sent:
                # Not a copy: a frame of many megabytes is written in hundreds of pieces.
                self._queue.appendleft(memoryview(first)[sent:])
                return
            sent -= len(first)

    async def flush(self) -> None:
        """Wait until the peer's system has taken all that was said, or the connection is lost."""
        while self._queue is not None:
            await self._sleep()

    def _register(self) -> None:
        self._poller.watch(
            self._socket.fileno(), self, read=self._reading, write=self._queue is not None
        )
