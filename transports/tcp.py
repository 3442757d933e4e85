"""Plain TCP, cut into frames by a framer."""

from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from math import inf
from typing import Any, NoReturn

import attrs
import trio

from transports.framing import FrameError, Framer
from transports.link import Farewell, Link, Spawner, Unreadable
from transports.listening import LingeringStream, accept_forever, notice_dead_peer, peer_name

RECEIVE_BYTES = 64 * 1024


@attrs.frozen
class Tcp:
    """Settings of a TCP transport: what cuts its streams into frames.

    A peer that begins a frame must complete it within `frame_seconds`; a peer that says nothing
    may be silent as long as it likes.
    """

    framer: Callable[[], Framer]
    frame_seconds: float = inf

    @property
    def scheme(self) -> str:
        return "tcp"

    async def serve(
        self,
        handler: Callable[[Link], Awaitable[None]],
        listeners: Sequence[trio.SocketListener],
        clients: Spawner,
        *,
        task_status: trio.TaskStatus[Any] = trio.TASK_STATUS_IGNORED,
    ) -> NoReturn:
        async def meet(stream: trio.SocketStream) -> None:
            notice_dead_peer(stream)
            await handler(self._link(LingeringStream(stream), peer_name(stream)))

        await accept_forever(meet, listeners, clients, task_status=task_status)

    @asynccontextmanager
    async def connect(self, host: str, port: int) -> AsyncIterator[Link]:
        link = self._link(await trio.open_tcp_stream(host, port), f"{host}:{port}")
        try:
            yield link
        finally:
            await link.aclose()

    def _link(self, stream: trio.abc.Stream, peer: str) -> "StreamLink":
        return StreamLink(stream, self.framer(), peer, self.frame_seconds)


@attrs.define(eq=False)
class StreamLink:
    """One end of a stream, its frames as bytes."""

    _stream: trio.abc.Stream
    _framer: Framer
    peer: str
    _frame_seconds: float = inf
    _deadline: float = inf  # for the frame that has begun
    _frames: deque[bytes | Unreadable] = attrs.field(factory=deque)
    _ended: bool = False
    _sending: bool = False

    async def receive(self) -> bytes | Unreadable:
        # A checkpoint even if a frame is there already: a peer that talks without pause must not
        # starve the others, nor be heard after its seat was taken away.
        await trio.lowlevel.checkpoint()
        while not self._frames:
            if self._ended:
                raise trio.EndOfChannel
            await self._receive_some()
        return self._frames.popleft()

    async def _receive_some(self) -> None:
        if self._deadline == inf:
            self._feed(await self._stream.receive_some(RECEIVE_BYTES))
            return
        with trio.move_on_at(self._deadline) as patience:
            self._feed(await self._stream.receive_some(RECEIVE_BYTES))
        if patience.cancelled_caught:
            self._ended = True
            self._frames.append(Unreadable(f"half a message for {self._frame_seconds:g} seconds"))

    def _feed(self, data: bytes | bytearray) -> None:
        self._ended = not data
        try:
            for frame in self._framer.feed(bytes(data)):
                self._frames.append(frame)
        except FrameError:
            self._ended = True
        if not self._framer.midway:
            self._deadline = inf
        elif self._frames or self._deadline == inf:
            self._deadline = trio.current_time() + self._frame_seconds

    async def send(self, frame: bytes) -> None:
        self._sending = True
        await self._stream.send_all(self._framer.wrap(frame))
        self._sending = False

    async def aclose(self, farewell: Farewell = Farewell.DONE) -> None:
        try:
            with suppress(trio.BrokenResourceError, trio.ClosedResourceError):
                await self._send_ending()
        finally:
            await self._stream.aclose()

    async def _send_ending(self) -> None:
        # Not into a frame that was cut off, nor where another task still writes.
        if not self._sending and (ending := self._framer.ending()):
            await self._stream.send_all(ending)
