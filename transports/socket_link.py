"""A link over a socket: frames come and go by plain calls, without a task of its own."""

import select
import socket
from contextlib import suppress
from math import inf

import trio

from transports.bugs import as_bug
from transports.complaint import Complaint
from transports.doorstep import Doorstep
from transports.framing import Framer
from transports.link import Farewell, Unreadable
from transports.meter import Meter
from transports.patient_clock import unstopped_time
from transports.poller import RECEIVE_BYTES, Alarm, reactor
from transports.socket_writer import SocketWriter
from transports.terms import TERMS, Door, Terms

# What a thing that is read but is no frame counts: a tag, a ping, an empty line.
TRIFLE = 0.1

# Long enough for a peer on a slow line to read our last words, short enough that a peer which
# keeps talking instead of hanging up holds a socket for no longer than a blink.
LINGER_SECONDS = 1.0

# And it may say no more than this: what was on its way when we hung up, not a flood without end.
LINGER_BYTES = 1024 * 1024


# What a system says of a socket whose other end is closed, or closed for writing.
_HUNG_UP = select.POLLHUP | select.POLLERR | getattr(select, "POLLRDHUP", 0)


def hung_up(sock: socket.socket) -> bool:
    """Whether nothing more will come than what has arrived already."""
    if sock.fileno() < 0:
        return True
    poll = select.poll()
    poll.register(sock, _HUNG_UP)
    return bool(poll.poll(0))


class SocketLink(SocketWriter):
    """One end of a connection, its frames as bytes.

    What is said is written at once; only what the system does not take is kept, until the peer
    has read. What the peer may do is in its terms.
    """

    __slots__ = (
        "_alarm",
        "_closing",
        "_heard_out",
        "_in_debt",
        "_lingering",
        "_meter",
        "_midway_until",
        "_paused_until",
        "_silent_until",
        "_terms",
        "complaint",
        "door",
        "host",
        "peer",
    )

    def __init__(
        self,
        sock: socket.socket,
        framer: Framer,
        peer: str,
        *,
        terms: Terms = TERMS,
        said: bytes = b"",
    ) -> None:
        """A link over a socket that does not block; `said` was read from it already."""
        super().__init__(sock, framer, terms.outbox)
        self.peer = peer
        self.complaint: Complaint | None = None  # why we have given the peer up
        self.door: Door | None = None  # through which the peer came in, and from which host
        self.host = ""
        self._terms = terms
        self._meter: Meter | None = None  # not for those who say nothing
        self._closing = False
        self._heard_out = False  # the peer will not send another byte, or is not heard any more
        self._in_debt = False  # what it has said already has to wait until others are served
        self._lingering = LINGER_BYTES
        self._midway_until = self._silent_until = self._paused_until = inf
        self._alarm: Alarm | None = None
        if isinstance(framer, Doorstep):
            framer.visitor = self
        self._bear_silence(terms.silence)
        if said:
            self._feed(said)
        if self._backlog is None:
            self._caught_up()

    def step_in(self, framer: Framer) -> None:
        """The peer speaks the protocol of that framer."""
        self._framer = framer

    def stay_out(self, complaint: Complaint) -> None:
        """The peer speaks another protocol."""
        self.complaint = complaint

    # Reading

    def fetch(self) -> bytes | None:
        try:
            return self._socket.recv(RECEIVE_BYTES)
        except (BlockingIOError, InterruptedError):
            return None
        except OSError:
            self._lose()
            return None

    def take(self, data: bytes) -> None:
        if self._over is not None and not self._closing:
            return  # given up in the same turn, before its own was heard
        if data:
            self._feed(data)
        else:
            self._heard_out = True
            self._finish(trio.EndOfChannel)
            self._watch(reading=False)

    def _feed(self, data: bytes) -> None:
        framer = self._framer
        if self._closing and self._linger(data):
            return
        frames = framer.feed(data) if not framer.ended else []
        granted = self._closing or self._count(len(frames), len(data))
        if frames and granted and not self._closing:
            if self._silent_until < inf:
                self._bear_silence(self._terms.idle_seconds)
            self._arrive(frames)  # first of all: the reply may be our last word
        if framer.replies:
            if not self._mute:
                self._write(b"".join(framer.replies))
            framer.replies.clear()
        if self._closing:
            self._wake()
            return  # only its end is waited for
        if framer.ended:
            self._finish(trio.EndOfChannel)
        if self._backlog is not None or self._deaf:
            self._watch(reading=False)
        if self._midway_until < inf or framer.midway:
            self._expect_rest(anew=bool(frames))

    def _linger(self, data: bytes) -> bool:
        """Whether there is nothing to be heard in what comes after our last word."""
        self._lingering -= len(data)
        if self._lingering < 0:
            self._heard_out = True
            self._watch(reading=False)
            self._wake()
        # Only the end is waited for; for some protocols that is a frame.
        return self._heard_out or self._framer.half_closes

    def _count(self, frames: int, size: int) -> bool:
        """Whether the peer may say so much; who may not is not heard any more."""
        if self._meter is None:
            terms = self._terms
            self._meter = Meter(terms.messages, terms.bytes, terms.address, unstopped_time)
        work = frames + TRIFLE * self._framer.trifles
        self._framer.trifles = 0
        verdict = self._meter.count(frames, work, size)
        if not verdict:
            return True
        if isinstance(verdict, Complaint):
            self._breach(verdict)
            self._finish(trio.EndOfChannel)
            return False
        self._pause(verdict)
        return True

    def charge(self, copies: int) -> None:
        if self._meter is not None and (seconds := self._meter.charge(copies)):
            self._in_debt = True
            self._pause(seconds)

    def _pause(self, seconds: float) -> None:
        until = trio.current_time() + seconds
        if self._paused_until < until or self._paused_until == inf:
            self._paused_until = until
        self._set_alarm()

    @property
    def _held_up(self) -> bool:
        return self._in_debt or self.congested

    def _expect_rest(self, *, anew: bool) -> None:
        """Give a frame that has begun its time."""
        if not self._framer.midway:
            self._midway_until = inf
        elif self._terms.frame_seconds < inf and (anew or self._midway_until == inf):
            self._midway_until = trio.current_time() + self._terms.frame_seconds
            self._set_alarm()

    def end(self) -> None:
        super().end()
        self._watch(reading=False)

    def _caught_up(self) -> None:
        """Read on, unless the peer has to read first."""
        if self._closing or not self._deaf:
            self._watch(reading=not self._heard_out)

    @property
    def _deaf(self) -> bool:
        """Whether nothing more shall be read, for a while or for ever."""
        return (
            self._over is not None
            or self._paused_until < inf
            or (self._queue is not None and self.congested)
        )

    def _watch(self, *, reading: bool) -> None:
        if reading != self._reading:
            self._reading = reading
            self._register()

    @property
    def gone(self) -> bool:
        # While frames wait to be heard the socket is not watched, so it has to be asked.
        return self._over is not None or self._heard_out or hung_up(self._socket)

    # Time

    def _be_patient(self) -> None:
        self._stuck_until = trio.current_time() + self.outbox.seconds
        self._set_alarm()

    def _bear_silence(self, seconds: float) -> None:
        self._silent_until = inf
        if seconds < inf:
            self._silent_until = trio.current_time() + seconds
            self._set_alarm()

    @property
    def _due(self) -> float:
        return min(self._stuck_until, self._midway_until, self._silent_until, self._paused_until)

    def _set_alarm(self) -> None:
        # One at a time: when it rings too early, it is set again.
        if self._alarm is not None:
            if self._alarm.time <= self._due:
                return
            self._alarm.cancel()
        self._alarm = reactor().alarms.set(self._due, self._ring)

    def _ring(self) -> None:
        self._alarm = None
        try:
            self._heed_time()
        except BaseException as bug:
            self.fail(as_bug(bug))

    def _heed_time(self) -> None:
        now = trio.current_time()
        if self._stuck_until <= now:
            self._give_peer_up(Complaint.SLOW_WRITE)
        elif self._midway_until <= now:
            self._give_up_frame()
        elif self._silent_until <= now:
            self._silent_until = inf
            self._breach(Complaint.SILENT)
        elif self._paused_until <= now:
            self._paused_until, self._in_debt = inf, False
            self._catch_up()
            self._wake()
        if self._due < inf:
            self._set_alarm()

    def _give_up_frame(self) -> None:
        self.complaint = self.complaint or Complaint.HALF_MESSAGE
        self._midway_until = inf
        self._arrive([Unreadable(f"half a message for {self._terms.frame_seconds:g} seconds")])
        self._finish(trio.EndOfChannel)
        self._watch(reading=False)

    # The end

    def _breach(self, complaint: Complaint) -> None:
        """The peer has gone beyond its terms: whoever serves it tells it so and hangs up."""
        if self.on_breach is None:
            self._give_peer_up(complaint)
        elif self.complaint is None:
            self.complaint = complaint
            self.on_breach(complaint)

    def _give_peer_up(self, complaint: Complaint) -> None:
        self.complaint = self.complaint or complaint
        self._stop()
        if self.on_breach is not None:
            self.on_breach(complaint)

    def fail(self, bug: Exception) -> None:
        """Something of ours is broken: whoever serves the peer hears of it."""
        self._over = bug
        self._lose()

    def _lose(self) -> None:
        """The other end is gone."""
        self._heard_out = True
        self._stop()

    def _stop(self) -> None:
        """Hear and say no more."""
        self._forget()
        self._stuck_until = self._midway_until = self._silent_until = self._paused_until = inf
        self._in_debt = False
        if not isinstance(self._over, Exception):  # a bug is still to be told
            self._over = trio.BrokenResourceError
        self._mute = True
        self._reading = False
        self._register()
        self._wake()

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
        cut_off, self._closing, self._mute = self._mute, True, True
        self._listener, self._backlog = None, None
        self._midway_until = self._silent_until = self._paused_until = inf
        self._in_debt = False
        self._caught_up()
        if not cut_off:  # in the middle of a frame
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
            if self.door is not None:
                self.door.leave(self.host)
