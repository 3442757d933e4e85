"""A connection inside this process, for players that the daemon itself brings along."""

import trio

from transports.complaint import Complaint
from transports.link import OUTBOX, Farewell
from transports.mailbox import Mailbox


class MemoryLink(Mailbox):
    """One end of it; what is said here is there at once."""

    __slots__ = ("_other", "complaint", "farewell", "outbox", "peer")

    _other: "MemoryLink"

    def __init__(self) -> None:
        super().__init__()
        self.peer = "this server"
        self.outbox = OUTBOX
        self.complaint: Complaint | None = None
        self.farewell: Farewell | None = None

    def received(self) -> list[bytes]:
        """All frames that have arrived and nobody has asked for."""
        frames, self._backlog = self._backlog or (), None
        return [frame for frame in frames if isinstance(frame, bytes)]

    @property
    def waiting_frames(self) -> int:
        return len(self._other._backlog or ())

    @property
    def waiting_bytes(self) -> int:
        return 0  # they are the other's already

    @property
    def congested(self) -> bool:
        return self._over is None and self.waiting_frames > self.outbox.frames // 2

    def _caught_up(self) -> None:
        """The other may go on; it has waited for us to hear what it said."""
        self._other._catch_up_soon()

    def _catch_up_soon(self) -> None:
        # Not from within the other's hearing: what it hears next comes after what it does now.
        if self._backlog is not None:
            trio.lowlevel.current_trio_token().run_sync_soon(self._catch_up)
        self._wake()

    def post(self, frame: bytes) -> None:
        if self._over is not None:
            return
        self._other._arrive((frame,))
        if self.waiting_frames > self.outbox.frames:
            self.complaint = Complaint.OUTBOX_FULL
            self._part(trio.BrokenResourceError)

    async def send(self, frame: bytes) -> None:
        self.post(frame)
        await trio.lowlevel.checkpoint()
        while self.congested:
            await self._sleep()
        if self._over is not None:
            raise trio.BrokenResourceError

    async def flush(self) -> None:
        await trio.lowlevel.checkpoint()

    async def aclose(self, farewell: Farewell = Farewell.DONE) -> None:
        self.close(farewell)
        await trio.lowlevel.checkpoint()

    def close(self, farewell: Farewell = Farewell.DONE) -> None:
        self.farewell = farewell
        self._part(trio.EndOfChannel)

    def _part(self, why: type[Exception]) -> None:
        self._finish(why)
        self._other._finish(trio.EndOfChannel)


def memory_link_pair() -> tuple[MemoryLink, MemoryLink]:
    """Two ends of a new connection."""
    one, other = MemoryLink(), MemoryLink()
    one._other, other._other = other, one
    return one, other
