"""A connection inside this process, for bots that the daemon itself hosts."""

from collections.abc import Callable, Coroutine
from typing import Any

import trio

from transports.bugs import as_bug
from transports.complaint import Complaint
from transports.inbox import Hear, Inbox
from transports.link import OUTBOX_LIMITS, Farewell, Frame


class MemoryLink:
    """One end of the connection; what is sent arrives at once."""

    __slots__ = ("_inbox", "_other", "complaint", "farewell", "on_breach", "outbox_limits", "peer")

    _other: "MemoryLink"

    def __init__(self) -> None:
        self.peer = "this server"
        self.outbox_limits = OUTBOX_LIMITS
        self.on_breach: Callable[[Complaint], None] | None = None
        self.complaint: Complaint | None = None
        self.farewell: Farewell | None = None
        self._inbox = Inbox()

    # Receiving

    @property
    def gone(self) -> bool:
        return self._inbox.over is not None

    def receive(self) -> Coroutine[Any, Any, Frame]:
        return self._inbox.receive(self._caught_up)

    def received(self) -> list[bytes]:
        """All frames that have arrived and were not asked for."""
        frames, self._inbox.backlog = self._inbox.backlog or (), None
        return [frame for frame in frames if isinstance(frame, bytes)]

    def converse(self, hear: Hear) -> Coroutine[Any, Any, None]:
        return self._inbox.converse(hear, self._catch_up)

    def hush(self) -> None:
        self._inbox.hush()

    def end(self) -> None:
        self._inbox.forget()
        self._finish(trio.EndOfChannel)

    def charge(self, copies: int) -> None:
        """Bots of our own have no rate limit."""

    def _arrive(self, frame: bytes) -> None:
        try:
            self._inbox.arrive((frame,))
        except BaseException as bug:  # no await in here, so never Cancelled
            self._break(as_bug(bug))

    def _catch_up(self) -> None:
        try:
            while self._inbox.is_behind:
                self._inbox.catch_up()
        except BaseException as bug:
            self._break(as_bug(bug))
        if self._inbox.backlog is None:
            self._caught_up()
            self._inbox.wake()

    def _caught_up(self) -> None:
        """Let the other end continue; it has waited until we handled what it sent."""
        self._other._go_on_soon()

    def _go_on_soon(self) -> None:
        self._inbox.held = False
        # Not from within the other end's handler: what it receives next comes after what it does
        # now.
        if self._inbox.backlog is not None:
            trio.lowlevel.current_trio_token().run_sync_soon(self._catch_up)
        self._inbox.wake()

    def _break(self, bug: Exception) -> None:
        self._inbox.forget()
        self._inbox.finish(bug)

    # Sending

    @property
    def waiting_frames(self) -> int:
        return len(self._other._inbox.backlog or ())

    @property
    def waiting_bytes(self) -> int:
        return 0  # they are in the other end's inbox already

    def post(self, frame: bytes) -> None:
        if self.gone:
            return
        self._other._arrive(frame)
        waiting = self.waiting_frames
        self._inbox.held = waiting > self.outbox_limits.frames // 2
        if waiting > self.outbox_limits.frames:
            self.complaint = Complaint.OUTBOX_FULL
            self._part(trio.BrokenResourceError)

    async def send(self, frame: bytes) -> None:
        self.post(frame)
        await trio.lowlevel.checkpoint()
        while self._inbox.held and not self.gone:
            await self._inbox.sleep()
        if self.gone:
            raise trio.BrokenResourceError

    async def flush(self) -> None:
        await trio.lowlevel.checkpoint()

    # Closing

    async def aclose(self, farewell: Farewell = Farewell.DONE) -> None:
        self.close(farewell)
        await trio.lowlevel.checkpoint()

    def close(self, farewell: Farewell = Farewell.DONE) -> None:
        self.farewell = farewell
        self._part(trio.EndOfChannel)

    def _part(self, why: type[Exception]) -> None:
        self._finish(why)
        self._other._finish(trio.EndOfChannel)

    def _finish(self, why: type[Exception]) -> None:
        self._inbox.held = False
        if not self.gone:
            self._inbox.finish(why)
        self._inbox.wake()


def memory_link_pair() -> tuple[MemoryLink, MemoryLink]:
    """The two ends of a new connection."""
    one, other = MemoryLink(), MemoryLink()
    one._other, other._other = other, one
    return one, other
