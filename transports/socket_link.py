"""A link over a socket: frames come and go by plain calls, without a task of its own."""

import socket
from collections import deque
from contextlib import suppress
from itertools import islice
from math import inf

import trio

from transports.framing import Framer
from transports.link import OUTBOX, Farewell, Unreadable
from transports.mailbox import Mailbox
from transports.poller import Alarm, reactor

RECEIVE_BYTES = 64 * 1024

# Frames that are handed to the system in one call.
GATHER = 64

# Long enough for a peer on a slow line to read our last words, short enough that a peer which
# keeps talking instead of hanging up holds a socket for no longer than a blink.
LINGER_SECONDS = 1.0


class SocketLink(Mailbox):
    """One end of a connection, its frames as bytes.

    What is said is written at once; only what the system does not take is kept, until the peer
    has read. A peer that begins a frame must complete it within `frame_seconds`.
    """

    __slots__ = (
        "_alarm",
        "_closing",
        "_frame_seconds",
        "_framer",
        "_heard_out",
        "_midway_until",
        "_mute",
        "_poller",
        "_queue",
        "_queued_bytes",
        "_reading",
        "_socket",
        "_stuck_until",
        "complaint",
        "outbox",
        "peer",
    )

    def __init__(
        self,
        sock: socket.socket,
        framer: Framer,
        peer: str,
        *,
        frame_seconds: float = inf,
        said: bytes = b"",
    ) -> None:
        """A link over a socket that does not block; `said` was read from it already."""
        super().__init__()
        self.peer = peer
        self.outbox = OUTBOX
        self.complaint: str | None = None  # why we have given the peer up
        self._socket = sock
        self._framer = framer
        self._frame_seconds = frame_seconds
        self._poller = reactor().poller
        self._queue: deque[bytes] | None = None
        self._queued_bytes = 0
        self._reading = False
        self._closing = self._mute = False
        self._heard_out = False  # the peer will not send another byte
        self._stuck_until = self._midway_until = inf
        self._alarm: Alarm | None = None
        if said:
            self._feed(said)
        self._caught_up()

    # Reading

    def readable(self) -> None:
        try:
            data = self._socket.recv(RECEIVE_BYTES)
        except (BlockingIOError, InterruptedError):
            return
        except OSError:
            self._lose()
            return
        if data:
            self._feed(data)
        else:
            self._heard_out = True
            self._finish(trio.EndOfChannel)
            self._watch(reading=False)

    def _feed(self, data: bytes) -> None:
        framer = self._framer
        frames = framer.feed(data) if not framer.ended else []
        if frames and not self._closing:
            self._arrive(frames)  # first of all: the reply may be our last word
        if framer.replies:
            self._write(b"".join(framer.replies))
            framer.replies.clear()
        if self._closing:
            self._wake()
            return  # only its end is waited for
        if framer.ended:
            self._finish(trio.EndOfChannel)
        if self._backlog is not None or self._over is not None or self.congested:
            self._watch(reading=False)
        self._expect_rest(anew=bool(frames))

    def _expect_rest(self, *, anew: bool) -> None:
        """Give a frame that has begun its time."""
        if not self._framer.midway:
            self._midway_until = inf
        elif self._frame_seconds < inf and (anew or self._midway_until == inf):
            self._midway_until = trio.current_time() + self._frame_seconds
            self._set_alarm()

    def _caught_up(self) -> None:
        """Read on, unless the peer has to read first."""
        if (self._over is None and not self.congested) or self._closing:
            self._watch(reading=not self._heard_out)

    def _watch(self, *, reading: bool) -> None:
        if reading != self._reading:
            self._reading = reading
            self._register()

    def _register(self) -> None:
        self._poller.watch(
            self._socket.fileno(), self, read=self._reading, write=self._queue is not None
        )

    # Writing

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
            return
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
            self._enqueue(data[sent:])

    def _enqueue(self, data: bytes) -> None:
        assert self._queue is not None
        self._queue.append(data)
        self._queued_bytes += len(data)
        # The frame being written does not count: a single answer may be larger than all that may
        # wait behind it (a whole match with every snapshot).
        behind = self._queued_bytes - len(self._queue[0])
        if len(self._queue) > self.outbox.frames or behind > self.outbox.bytes:
            self._give_peer_up("does not read: outbox full")

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
                self._queue.appendleft(first[sent:])
                return
            sent -= len(first)

    # Time

    def _be_patient(self) -> None:
        self._stuck_until = trio.current_time() + self.outbox.seconds
        self._set_alarm()

    def _set_alarm(self) -> None:
        # One at a time: when it rings too early, it is set again.
        if self._alarm is None:
            due = min(self._stuck_until, self._midway_until)
            self._alarm = reactor().alarms.set(due, self._ring)

    def _ring(self) -> None:
        self._alarm = None
        now = trio.current_time()
        if self._stuck_until <= now:
            self._give_peer_up("does not read: a write took too long")
        elif self._midway_until <= now:
            self._midway_until = inf
            self._arrive([Unreadable(f"half a message for {self._frame_seconds:g} seconds")])
            self._finish(trio.EndOfChannel)
            self._watch(reading=False)
        elif min(self._stuck_until, self._midway_until) < inf:
            self._set_alarm()

    # The end

    def _give_peer_up(self, complaint: str) -> None:
        self.complaint = self.complaint or complaint
        self._stop()

    def _lose(self) -> None:
        """The other end is gone."""
        self._heard_out = True
        self._stop()

    def _stop(self) -> None:
        """Hear and say no more."""
        self._queue, self._queued_bytes = None, 0
        self._stuck_until = self._midway_until = inf
        self._over = trio.BrokenResourceError
        self._mute = True
        self._reading = False
        self._register()
        self._wake()

    async def flush(self) -> None:
        """Wait until the peer's system has taken all that was said, or the connection is lost."""
        while self._queue is not None:
            await self._sleep()

    async def aclose(self, farewell: Farewell = Farewell.DONE) -> None:
        """End the connection so that the peer can read what was said last.

        Closing a socket that has unread input makes the system send a reset, which may overtake
        our last message. So we say that we are done, and read on for a moment before we close.
        """
        try:
            if self.complaint or self._over is not trio.BrokenResourceError:
                with trio.move_on_after(LINGER_SECONDS):
                    await self._part(farewell)
        finally:
            self._close()
        await trio.lowlevel.checkpoint()

    async def _part(self, farewell: Farewell) -> None:
        self._closing = self._mute = True
        self._listener, self._backlog = None, None
        self._caught_up()
        if self.complaint is None:  # who does not read was cut off in the middle of a frame
            await self._take_leave(farewell)
        if self._framer.parted:
            return
        with suppress(OSError):
            self._socket.shutdown(socket.SHUT_WR)
        while not self._heard_out:
            await self._sleep()

    async def _take_leave(self, farewell: Farewell) -> None:
        await self.flush()
        if ending := self._framer.ending(farewell):
            self._write(ending)
        while not (self._framer.half_closes or self._framer.ended or self._heard_out):
            await self._sleep()
        await self.flush()

    def _close(self) -> None:
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None
        if self._socket.fileno() >= 0:
            self._lose()
            self._socket.close()
