"""A connected peer as the rest of the core sees it."""

from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any

import structlog
import trio

from ludothek.codec import Codec, Malformed
from transports import Farewell, Link, Unreadable

log = structlog.get_logger()

# Frames and bytes that may wait for a slow peer. The largest burst is what happens at once in the
# thousand lobbies that one peer may watch over, two frames each and twice for who watches twice; so
# a full outbox means: this peer does not read.
OUTBOX = 4096
OUTBOX_BYTES = 4 * 1024 * 1024

# Seconds one frame may take to be written, and everything still waiting may take at the end.
PATIENCE = 10.0

# Seconds for the last goodbye (a close frame and its answer), also during shutdown.
GOODBYE = 1.5


class Client:
    """A connected peer: `send` never waits, and a peer that does not read is dropped."""

    def __init__(
        self,
        number: int,
        link: Link,
        codec: Codec,
        *,
        hosted: bool = False,
        outbox: int = OUTBOX,
        outbox_bytes: int = OUTBOX_BYTES,
        patience: float = PATIENCE,
    ) -> None:
        self.number = number
        self.key = str(number)  # how the peer is known on the wire; a reception may choose it
        self.name = ""  # what the peer calls itself, once it has said so
        self.place: str | None = None  # the lobby it is in
        self.hosted = hosted  # whether it is a player that this daemon brings along
        self.peer = link.peer
        self._link = link
        self._codec = codec
        self._patience = patience
        self._outbox, self._frames = trio.open_memory_channel[bytes](outbox)
        # When half of the room is taken, no more questions are heard.
        self._enough = outbox // 2
        self._max_bytes = outbox_bytes
        self._waiting_bytes = 0
        self.heard_bytes = 0  # of the latest message
        self._written = trio.lowlevel.ParkingLot()
        self._scope = trio.CancelScope()
        self._talk_scope = trio.CancelScope()
        self._farewell: Farewell | None = None
        self._unheard: list[Any] = []

    def __repr__(self) -> str:
        return f"<client {self.number}>"

    async def receive(self) -> Any:
        """The peer's next message; Malformed if it cannot be read.

        Raises:
          trio.EndOfChannel: the peer has hung up, or we have closed.
          trio.BrokenResourceError: the connection is lost.
        """
        if self._unheard:
            await trio.lowlevel.checkpoint()
            return self._unheard.pop()
        await self._catch_up()
        frame = await self._link.receive()
        if self._farewell is not None:
            raise trio.EndOfChannel  # what comes after our goodbye is not heard
        if isinstance(frame, Unreadable):
            return Malformed(frame.reason)
        self.heard_bytes = len(frame)
        return self._codec.decode(frame)

    async def _catch_up(self) -> None:
        """Answer first: who asks faster than it can be answered is not dropped, but has to wait."""
        while (
            self._outbox.statistics().current_buffer_used > self._enough
            or self._waiting_bytes > self._max_bytes // 2
        ):
            await self._written.park()

    def put_back(self, message: Any) -> None:
        """Hear a message again, by whoever listens next."""
        self._unheard.append(message)

    def send(self, message: Any) -> None:
        self.post(self._codec.encode(message))

    def post(self, frame: bytes) -> None:
        """Send a frame that is encoded already."""
        frame = self._codec.address(frame, self.key)
        try:
            if self._waiting_bytes + self._charge(frame) > self._max_bytes:
                raise trio.WouldBlock
            self._outbox.send_nowait(frame)
            self._waiting_bytes += self._charge(frame)
        except trio.WouldBlock:
            self._drop("does not read: outbox full")
        except (trio.ClosedResourceError, trio.BrokenResourceError):
            pass  # already saying goodbye

    def _charge(self, frame: bytes) -> int:
        """What a frame counts in the outbox.

        A single answer may be larger than all that may wait (a whole match with every snapshot).
        It counts a little more than half: until it is written, no second question is heard, and
        there is still room for what happens meanwhile.
        """
        return min(len(frame), self._max_bytes // 2 + 1)

    @property
    def closing(self) -> bool:
        """Whether we have said goodbye to it."""
        return self._farewell is not None

    def close(self, farewell: Farewell = Farewell.DONE) -> None:
        """Hang up politely: what was sent still arrives, if the peer reads it in time."""
        if self._farewell is None:
            self._farewell = farewell
            self._outbox.close()
            self._talk_scope.cancel()  # what it is doing ends now, only writing goes on
            self._scope.deadline = trio.current_time() + self._patience

    async def run(self, visit: Callable[["Client"], Awaitable[None]]) -> None:
        """Serve the peer: one task talks, one task writes; whichever ends first ends both."""
        try:
            with self._scope:
                async with trio.open_nursery() as nursery:
                    nursery.start_soon(self._write)
                    await self._talk(visit)
        finally:
            with trio.move_on_after(GOODBYE, shield=True):
                await self._link.aclose(self._farewell or Farewell.DONE)

    async def _talk(self, visit: Callable[["Client"], Awaitable[None]]) -> None:
        try:
            with self._talk_scope, suppress(trio.EndOfChannel, trio.BrokenResourceError):
                await visit(self)
        except Exception:
            self.close(Farewell.FAULT)
            raise
        self.close()

    async def _write(self) -> None:
        with suppress(trio.BrokenResourceError):
            async for frame in self._frames:
                with trio.move_on_after(self._patience) as patience:
                    await self._link.send(frame)
                if patience.cancelled_caught:
                    self._drop("does not read: a write took too long")
                self._waiting_bytes -= self._charge(frame)
                self._written.unpark_all()
        self._scope.cancel()

    def _drop(self, reason: str) -> None:
        log.info("client dropped", client=self.number, reason=reason)
        self._farewell = self._farewell or Farewell.REFUSED
        self._outbox.close()
        self._scope.cancel()
