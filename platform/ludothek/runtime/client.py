"""A connected peer as the rest of the core sees it."""

import contextvars
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

import structlog
import trio

from ludothek.contract.codec import Codec, Malformed
from ludothek.observe.traffic import Traffic
from transports import (
    BUGS,
    Bucket,
    Complaint,
    Farewell,
    Frame,
    Link,
    OutboxLimits,
    Rate,
    Unreadable,
)

if TYPE_CHECKING:
    from ludothek.wire.tap import Tap

log = structlog.get_logger()

# What is called with each message, and with the client that has said it.
Hear = Callable[["Client", Any], None]

# Characters of a chat message that counts as one.
CHAT_CHARACTERS = 100

# Seconds for the last goodbye (a close frame and its answer), also during shutdown.
GOODBYE = 1.5


class Client:
    """A connected peer: `send` never waits, and a peer that does not read is dropped."""

    __slots__ = (
        "_chats",
        "_codec",
        "_context",
        "_farewell",
        "_hear",
        "_link",
        "heard",
        "hosted",
        "key",
        "latest",
        "name",
        "number",
        "peer",
        "place",
        "tap",
        "traffic",
    )

    def __init__(
        self,
        number: int,
        link: Link,
        codec: Codec,
        *,
        traffic: Traffic | None = None,
        hosted: bool = False,
        outbox: OutboxLimits | None = None,
    ) -> None:
        self.number = number
        self.key = str(number)  # how the peer is known on the wire; a reception may choose it
        self.name = ""  # what the peer calls itself, once it has said so
        self.place: str | None = None  # the lobby it is in
        self.hosted = hosted  # whether it is a player that this daemon brings along
        self.peer = link.peer
        self.heard = 0  # messages
        # The frame that is being handled, unless it was unreadable. It is not kept any longer, so
        # that an idle client does not hold on to the memory of a long message.
        self.latest: bytes | None = None
        self.traffic = traffic or Traffic()  # of its endpoint
        self.tap: Tap | None = None  # who listens in
        self._link = link
        self._codec = codec
        self._chats: Bucket | None = None  # what it may still say to others
        self._hear: Hear | None = None
        self._context: contextvars.Context | None = None
        self._farewell: Farewell | None = None
        if outbox is not None:
            link.outbox_limits = outbox
        link.on_breach = self.refuse

    def __repr__(self) -> str:
        return f"<client {self.number}>"

    @property
    def host(self) -> str:
        """The address it comes from, without the port."""
        return (self.peer.rpartition(":")[0] or self.peer).strip("[]")

    # What it says

    async def receive(self) -> Any:
        """The peer's next message; Malformed if it cannot be read.

        Raises:
          trio.EndOfChannel: the peer has hung up, or we have closed.
          trio.BrokenResourceError: the connection is lost.
        """
        self.latest = None
        return self._read(await self._link.receive())

    def converse(self, hear: Hear) -> Awaitable[None]:
        """Let `hear` be called with every message, the moment it arrives, until `hush` is.

        `hear` runs in the context of the caller, for the sake of its log lines.

        Raises:
          trio.EndOfChannel, trio.BrokenResourceError: as in `receive`.
        """
        self._hear, self._context = hear, contextvars.copy_context()
        return self._link.converse(self._heed)

    def _heed(self, frame: Frame) -> None:
        self._context.run(self._hear, self, self._read(frame))  # type: ignore[union-attr,arg-type]
        self.latest = None

    def hush(self) -> None:
        """End the conversation: what the peer says from now on is kept for the next who asks."""
        self._hear = self._context = None
        self._link.hush()

    def may_chat(self, text: str, rate: Rate | None, clock: Callable[[], float]) -> bool:
        """Whether it may say this to others now, if nobody may do so faster than at the rate.

        A client that is thinking does not read, and is dropped when its receive buffer stays full.
        A few hundred kilobytes are enough for that, so long messages count as several, but never
        as more than the burst.
        """
        if rate is None:
            return True
        if self._chats is None:
            self._chats = Bucket(rate, clock())
        cost = min(max(1.0, len(text) / CHAT_CHARACTERS), rate.burst)
        return self._chats.afford(cost, clock)

    def charge(self, copies: int) -> None:
        """What it has said was told to so many others: that is work, as messages are."""
        self._link.charge(copies)

    def _read(self, frame: Frame) -> Any:
        if isinstance(frame, Unreadable):
            if self.tap is not None:
                self.tap.note(self, f"unreadable: {frame.reason}")
            self.latest = None
            return Malformed(frame.reason)
        traffic = self.traffic
        traffic.frames_in += 1
        traffic.bytes_in += len(frame)
        self.heard += 1
        self.latest = frame
        if self.tap is not None:
            self.tap.heard(self, frame)
        return self._codec.decode_request(frame)

    # What it is told

    def send(self, message: Any) -> None:
        self.post(self._codec.encode(message))

    def post(self, frame: bytes) -> None:
        """Send a frame that is encoded already."""
        if self._farewell is not None:
            return
        frame = self._codec.address(frame, self.key)
        self._link.post(frame)
        traffic = self.traffic
        traffic.frames_out += 1
        traffic.bytes_out += len(frame)
        if self.tap is not None:
            self.tap.said(self, frame)

    @property
    def waiting_frames(self) -> int:
        """Frames that wait to be written."""
        return self._link.waiting_frames

    @property
    def waiting_bytes(self) -> int:
        return self._link.waiting_bytes

    # Its end

    @property
    def gone(self) -> bool:
        """Whether it has hung up, for callers that work for it for long without listening to it."""
        return self._link.gone

    @property
    def closing(self) -> bool:
        """Whether we have said goodbye to it."""
        return self._farewell is not None

    @property
    def farewell(self) -> Farewell | None:
        """How we have said goodbye to it."""
        return self._farewell

    def refuse(self, complaint: Complaint) -> None:
        """Send the peer away because it wants more than it may have, and tell it so."""
        if self._farewell is None and (words := self._codec.refusal(complaint)) is not None:
            self.post(words)
        self.close(Farewell.REFUSED)

    def close(self, farewell: Farewell = Farewell.DONE) -> None:
        """Hang up politely: what was sent still arrives, if the peer reads it in time.

        Whoever visits with it learns by its next `receive` or `converse` that it is over.
        """
        if self._farewell is None:
            self._farewell = farewell
            self.hush()
            self._link.end()  # what comes after our goodbye is not heard; only writing goes on

    async def run(self, visit: Callable[["Client"], Awaitable[None]]) -> None:
        """Serve the peer until it hangs up or is sent away."""
        try:
            try:  # noqa: SIM105 - suppress() would take memory for as long as the peer is here
                await visit(self)
            except (trio.EndOfChannel, trio.BrokenResourceError):
                pass
            self.close()
            with trio.move_on_after(self._link.outbox_limits.seconds):
                await self._link.flush()
        except BUGS:
            self._farewell = Farewell.FAULT
            raise
        finally:
            self._link.on_breach = None
            self._note_drop()
            with trio.move_on_after(GOODBYE, shield=True):
                await self._link.aclose(self._farewell or Farewell.DONE)

    def _note_drop(self) -> None:
        if complaint := self._link.complaint:
            reason = complaint.value
            log.info("client dropped", client=self.number, address=self.host, reason=reason)
            self.traffic.drops[complaint.key] += 1
            self._farewell = Farewell.REFUSED
