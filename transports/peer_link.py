"""The life of a connection: what is received, what is sent, and why it ends; no I/O."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Coroutine, Sequence
from math import inf
from typing import Any

import trio

from transports.alarms import Alarms
from transports.bugs import as_bug
from transports.complaint import Complaint
from transports.deadlines import Deadlines
from transports.doorstep import Doorstep
from transports.framing import TRIFLE, Framer
from transports.inbox import Hear, Inbox
from transports.link import Farewell, Frame, OutboxLimits, Unreadable
from transports.meter import Meter
from transports.outbox import Outbox
from transports.patient_clock import unstopped_time
from transports.state import LinkState
from transports.terms import Stay, Terms
from transports.waiting import Waiting

# Long enough for a peer on a slow line to read our last words; short enough that a peer that keeps
# sending instead of hanging up does not hold the socket for long.
LINGER_SECONDS = 1.0

_OPEN = LinkState.OPEN  # a global, since it is looked up for every message


class PeerLink(ABC):
    """One end of a connection to another program, with frames as bytes.

    Its terms say what the peer may do. Reading and writing bytes is left to the two kinds of link:
    over sockets in an epoll, and over streams with tasks.
    """

    __slots__ = (
        "_deadlines",
        "_framer",
        "_inbox",
        "_outbox",
        "complaint",
        "on_breach",
        "peer",
        "state",
        "stay",
    )

    def __init__(
        self, framer: Framer, peer: str, terms: Terms, waiting: Waiting, alarms: Alarms | None
    ) -> None:
        self.peer = peer
        self.state = LinkState.OPEN
        self.complaint: Complaint | None = None  # why we have dropped the peer
        self.on_breach: Callable[[Complaint], None] | None = None
        self.stay: Stay | None = None  # ends with the connection
        self._framer = framer
        self._inbox = Inbox()
        self._outbox = Outbox(terms.outbox, waiting)
        self._deadlines = Deadlines(terms, alarms)
        if isinstance(framer, Doorstep):
            framer.newcomer = self
        self._deadlines.expect_word(self)

    @property
    def ledger_id(self) -> int:
        return 0

    def step_in(self, framer: Framer) -> None:
        """The peer speaks the protocol of that framer."""
        self._framer = framer

    def stay_out(self, complaint: Complaint) -> None:
        """The peer speaks another protocol."""
        self.complaint = complaint

    @abstractmethod
    def _update(self) -> None:
        """What this link waits for may have changed."""

    @abstractmethod
    def _write(self, pieces: tuple[bytes, bytes]) -> None:
        """Write a frame that the framer has wrapped."""

    # Receiving

    def take(self, data: bytes) -> None:
        """Handle what was read; empty means that the peer has hung up."""
        if self.state is not _OPEN or not data:
            self._take_end(data)
            return
        framer, inbox, deadlines = self._framer, self._inbox, self._deadlines
        frames = framer.feed(data)
        count = len(frames)
        trifles, framer.trifles = framer.trifles, 0
        meter = inbox.meter or self._open_meter()
        verdict = meter.count(count, trifles and TRIFLE * trifles, len(data))
        if verdict:
            self._slow_down(verdict)
        if frames and self.state is _OPEN:
            if deadlines.silent < inf:
                deadlines.expect_next_word(self)
            try:  # before anything else: the reply may be our last word
                hear = inbox.hear
                if count == 1 and hear and inbox.backlog is None and not inbox.held:
                    hear(frames[0])  # as nearly always
                else:
                    inbox.arrive(frames)
            except BaseException as bug:  # no await in here, so never Cancelled
                self._break(as_bug(bug))
        if framer.replies or framer.ended:
            self._reply()
        if inbox.backlog is not None or inbox.held or verdict:
            self._update()
        if framer.midway or deadlines.midway < inf:
            deadlines.expect_rest(self, midway=framer.midway, anew=count > 0)

    def _open_meter(self) -> Meter:
        terms = self._deadlines.terms
        meter = Meter(terms.messages, terms.bytes, terms.address, unstopped_time)
        self._inbox.meter = meter
        return meter

    def _slow_down(self, verdict: Complaint | float) -> None:
        """The peer has sent more than it may for now, or more than it may at all."""
        if isinstance(verdict, Complaint):
            self._breach(verdict)
            self._end()
        else:
            self._deadlines.pause(self, verdict)

    def _reply(self) -> None:
        """Send the replies of the protocol below ours, of which the last one may be its end."""
        replies = self._framer.replies
        if replies and (self.state is _OPEN or self.state is LinkState.ENDED):
            self._write((b"".join(replies), b""))
        replies.clear()
        if self._framer.ended:
            self._end()

    def _take_end(self, data: bytes) -> None:
        """The peer hangs up, or sends something after we have hung up."""
        if self.state is LinkState.CLOSING:
            self._linger(data)
        elif self.state is _OPEN:
            self._end()

    def _linger(self, data: bytes) -> None:
        """Only wait for the end; in some protocols that is a frame."""
        framer = self._framer
        if not data or not (self._inbox.meter or self._open_meter()).lingers(len(data)):
            self.state = LinkState.OVER
            self._update()
        elif not (framer.half_closes or framer.ended):
            framer.feed(data)
            framer.replies.clear()
        self._inbox.wake()

    def go_on(self) -> None:
        """Handle some more of what has arrived."""
        inbox = self._inbox
        try:
            inbox.catch_up()
        except BaseException as bug:
            self._break(as_bug(bug))
        self._update()
        if inbox.backlog is None:
            inbox.wake()

    def _release(self) -> None:
        """Handle what has arrived, unless the peer has to read or to wait first."""
        self._inbox.held = self._outbox.congested or self._deadlines.owing < inf
        self.go_on()
        self._inbox.wake()

    @property
    def _wants_more(self) -> bool:
        """Whether to read from the peer."""
        return self.state is LinkState.CLOSING or (
            self.state is _OPEN
            and self._inbox.backlog is None
            and not (self._inbox.held or self._deadlines.resting)
        )

    def charge(self, copies: int) -> None:
        """Charge the peer for a message that was passed on to that many others."""
        meter = self._inbox.meter
        if meter is not None and (seconds := meter.charge(copies)):
            self._inbox.held = True
            self._deadlines.owe(self, seconds)

    def receive(self) -> Coroutine[Any, Any, Frame]:
        return self._inbox.receive(self._update)

    def converse(self, hear: Hear) -> Coroutine[Any, Any, None]:
        return self._inbox.converse(hear, self.go_on)

    def hush(self) -> None:
        self._inbox.hush()

    async def rest(self) -> None:
        await self._inbox.sleep()

    def end(self, farewell: Farewell = Farewell.DONE) -> None:
        self._inbox.forget()
        self._end()

    @property
    def gone(self) -> bool:
        """Whether the peer has hung up, even if some of what it sent is not handled yet.

        For callers that are not waiting for the peer; those that are learn it anyway.
        """
        return self.state is not _OPEN

    @property
    def broken(self) -> str:
        """How the peer has broken the protocol that carries frames, if that has one."""
        return str(getattr(self._framer, "broken", ""))

    # Sending

    @property
    def outbox_limits(self) -> OutboxLimits:
        return self._outbox.limits

    @outbox_limits.setter
    def outbox_limits(self, limits: OutboxLimits) -> None:
        self._outbox.limits = limits

    @property
    def waiting_bytes(self) -> int:
        """How many bytes the peer still has to read before it gets what is sent now."""
        return self._outbox.bytes

    @property
    def waiting_frames(self) -> int:
        return self._outbox.frames

    @property
    def congested(self) -> bool:
        """Whether the peer has so much to read that nothing more of it is handled."""
        return self._outbox.congested

    def post(self, frame: bytes) -> None:
        """Write a frame, or keep it until the peer reads; a peer that stops reading is dropped."""
        framer = self._framer
        if framer.ended and not framer.half_closes:
            return  # we have said goodbye
        if self.state is _OPEN or self.state is LinkState.ENDED:
            self._write(framer.wrap(frame))

    async def send(self, frame: bytes) -> None:
        """Write a frame, and wait while the peer has a large backlog to read."""
        self.post(frame)
        await trio.lowlevel.checkpoint()
        while self._outbox.congested:
            await self._inbox.sleep()
        if self._inbox.over is trio.BrokenResourceError:
            raise trio.BrokenResourceError

    def _keep(self, pieces: Sequence[bytes], sent: int = 0) -> None:
        """Keep what is not written yet until the peer reads; `sent` bytes of it are written."""
        outbox = self._outbox
        anew = not outbox.bytes
        outbox.keep(pieces)
        if anew:
            outbox.drop_written(sent)
            outbox.waiting.peers.add(self)
            self._update()
        if outbox.congested:
            self._inbox.held = True
        if outbox.full:
            self.give_up()
        elif outbox.waiting.bytes > outbox.limits.total:
            outbox.waiting.make_room(outbox.limits.total)

    def _written(self, size: int) -> None:
        """That many bytes of what is waiting have been written."""
        outbox = self._outbox
        outbox.drop_written(size)
        if not outbox.bytes:
            outbox.waiting.peers.discard(self)
            self._deadlines.stuck = inf
        self._release()

    async def flush(self) -> None:
        """Wait until the peer's system has taken everything, or the connection is lost."""
        while self._outbox.bytes:
            await self._inbox.sleep()

    # Time

    def ring(self) -> None:
        """One of the deadlines may have passed."""
        deadlines = self._deadlines
        now = deadlines.rung()
        if deadlines.stuck <= now:
            self._give_peer_up(Complaint.SLOW_WRITE)
        elif deadlines.midway <= now:
            self._give_up_frame()
        elif deadlines.silent <= now:
            deadlines.silent = inf
            self._breach(Complaint.SILENT)
        else:
            deadlines.let_go_on(now)
            self._release()
        deadlines.arm(self)

    def _give_up_frame(self) -> None:
        self.complaint = self.complaint or Complaint.HALF_MESSAGE
        self._deadlines.midway = inf
        seconds = self._deadlines.terms.frame_seconds
        try:
            self._inbox.arrive([Unreadable(f"half a message for {seconds:g} seconds")])
        except BaseException as bug:
            self._break(as_bug(bug))
        self._end()

    # Closing

    def _breach(self, complaint: Complaint) -> None:
        """The peer has broken a limit: whoever serves it tells it so and hangs up."""
        if self.on_breach is None:
            self._give_peer_up(complaint)
        elif self.complaint is None:
            self.complaint = complaint
            self.on_breach(complaint)

    def give_up(self) -> None:
        """Drop the peer because its backlog is too large."""
        try:
            self._give_peer_up(Complaint.OUTBOX_FULL)
        except BaseException as bug:  # not the fault of whoever has sent something to it
            self.fail(as_bug(bug))

    def _give_peer_up(self, complaint: Complaint) -> None:
        self.complaint = self.complaint or complaint
        self._stop(LinkState.CUT_OFF)
        if self.on_breach is not None:
            self.on_breach(complaint)

    def _end(self) -> None:
        """Receive no more; what was received before may still be answered."""
        if self.state is _OPEN:
            self.state = LinkState.ENDED
            self._inbox.finish(trio.EndOfChannel)
        self._update()

    def _break(self, bug: Exception) -> None:
        """The listener has failed, and is told so."""
        self._inbox.forget()
        self._inbox.finish(bug)
        self._end()

    def fail(self, bug: Exception) -> None:
        """Something on our side is broken: whoever serves the peer is told."""
        self._inbox.finish(bug)
        self._lose()

    def _lose(self) -> None:
        """The other end is gone."""
        self._stop(LinkState.OVER)

    def _stop(self, state: LinkState) -> None:
        """Receive and send no more."""
        self.state = state
        self._outbox.forget()
        self._outbox.waiting.peers.discard(self)
        self._deadlines.clear()
        self._inbox.held = False
        self._inbox.finish(trio.BrokenResourceError)
        self._update()

    async def aclose(self, farewell: Farewell = Farewell.DONE) -> None:
        """End the connection so that the peer can read our last words.

        Closing a socket that has unread input makes the system send a reset, which may overtake our
        last message. So we half-close, and read on for a moment before we close.
        """
        try:
            if self.state is not LinkState.OVER:
                with trio.move_on_after(LINGER_SECONDS):
                    await self._part(farewell)
        finally:
            self.abort()
        await trio.lowlevel.checkpoint()

    async def _part(self, farewell: Farewell) -> None:
        cut_off, self.state = self.state is LinkState.CUT_OFF, LinkState.CLOSING
        self._inbox.forget()
        self._deadlines.clear()
        self._inbox.finish(trio.EndOfChannel)  # for whoever else is waiting
        self._update()
        if not cut_off:  # in the middle of a frame
            await self.flush()
            await self._take_leave(farewell)
            await self.flush()
        if self._framer.parted:
            return
        await self._half_close()
        while self.state is LinkState.CLOSING:
            await self._inbox.sleep()

    async def _take_leave(self, farewell: Farewell) -> None:
        """Send our last word, and wait for the peer's if the protocol has one."""
        framer = self._framer
        self._say_goodbye(farewell)
        while not (framer.half_closes or framer.ended or self.state is LinkState.OVER):
            await self._inbox.sleep()

    def _say_goodbye(self, farewell: Farewell) -> None:
        if ending := self._framer.ending(farewell):
            self._write((ending, b""))

    @abstractmethod
    async def _half_close(self) -> None:
        """Tell the peer's system that nothing more will come."""

    def abort(self) -> None:
        """End the connection without saying goodbye."""
        self._lose()
        self._deadlines.disarm()
        self._close()
        if (stay := self.stay) is not None:
            self.stay = None
            stay.end()

    @abstractmethod
    def _close(self) -> None:
        """Release the system's resources."""
