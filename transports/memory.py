"""A connection inside this process, for bots that the daemon itself hosts."""

from collections import deque
from collections.abc import Callable, Coroutine, Iterable
from typing import Any

import trio

from transports.bugs import as_bug
from transports.complaint import Complaint
from transports.inbox import Hear, Inbox
from transports.link import OUTBOX_LIMITS, Farewell, Frame


class MemoryLink:
    """One end of the connection; what is sent arrives at once."""

    __slots__ = (
        "_inbox",
        "complaint",
        "farewell",
        "ledger_id",
        "on_breach",
        "on_change",
        "other",
        "outbox_limits",
        "owner",
        "peer",
    )

    other: "MemoryLink"

    def __init__(self) -> None:
        self.peer = "this server"
        self.ledger_id = 0
        self.outbox_limits = OUTBOX_LIMITS
        self.on_breach: Callable[[Complaint], None] | None = None
        self.complaint: Complaint | None = None
        self.farewell: Farewell | None = None
        self.owner: Any = None  # who speaks at this end
        self.on_change: Callable[[], None] | None = None  # something waits at either end
        self._inbox = Inbox()

    # Receiving

    @property
    def broken(self) -> str:
        return ""  # nothing carries the frames

    @property
    def gone(self) -> bool:
        return self._inbox.over is not None

    def receive(self) -> Coroutine[Any, Any, Frame]:
        return self._inbox.receive(self._caught_up)

    def received(self) -> list[bytes]:
        """All frames that have arrived and were not asked for."""
        frames, self._inbox.backlog = self._inbox.backlog or (), None
        return [frame for frame in frames if isinstance(frame, bytes)]

    @property
    def waiting(self) -> list[bytes]:
        """The same, but they stay."""
        return [frame for frame in self._inbox.backlog or () if isinstance(frame, bytes)]

    def refill(self, frames: Iterable[bytes]) -> None:
        """Let frames wait that have arrived earlier."""
        if waiting := deque[Frame](frames):
            self._inbox.backlog = waiting

    def converse(self, hear: Hear) -> Coroutine[Any, Any, None]:
        return self._inbox.converse(hear, self._catch_up)

    def hush(self) -> None:
        self._inbox.hush()

    async def rest(self) -> None:
        await self._inbox.sleep()

    def end(self, farewell: Farewell = Farewell.DONE) -> None:
        self._inbox.forget()
        self._finish(trio.EndOfChannel)

    def charge(self, copies: int) -> None:
        """Bots of our own have no rate limit."""

    def _arrive(self, frame: bytes) -> None:
        for end in (self, self.other):
            if end.on_change is not None:
                end.on_change()
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
        self.other._go_on_soon()

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
        return len(self.other._inbox.backlog or ())

    @property
    def waiting_bytes(self) -> int:
        return 0  # they are in the other end's inbox already

    def post(self, frame: bytes) -> None:
        if self.gone:
            return
        self.other._arrive(frame)
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
        self.other._finish(trio.EndOfChannel)

    def _finish(self, why: type[Exception]) -> None:
        self._inbox.held = False
        if not self.gone:
            self._inbox.finish(why)
        self._inbox.wake()


def memory_link_pair() -> tuple[MemoryLink, MemoryLink]:
    """The two ends of a new connection."""
    one, other = MemoryLink(), MemoryLink()
    one.other, other.other = other, one
    return one, other
