"""Plain TCP, cut into frames by a framer."""

from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Any, NoReturn

import attrs
import trio

from transports.framing import FrameError, Framer
from transports.link import Farewell, Link, Spawner, Unreadable
from transports.listening import LingeringStream, accept_forever, notice_dead_peer, peer_name

RECEIVE_BYTES = 64 * 1024


@attrs.frozen
class Tcp:
    """Settings of a TCP transport: what cuts its streams into frames."""

    framer: Callable[[], Framer]

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
            await handler(StreamLink(LingeringStream(stream), self.framer(), peer_name(stream)))

        await accept_forever(meet, listeners, clients, task_status=task_status)

    @asynccontextmanager
    async def connect(self, host: str, port: int) -> AsyncIterator[Link]:
        async with await trio.open_tcp_stream(host, port) as stream:
            yield StreamLink(stream, self.framer(), f"{host}:{port}")


@attrs.define(eq=False)
class StreamLink:
    """One end of a stream, its frames as bytes."""

    _stream: trio.abc.Stream
    _framer: Framer
    peer: str
    _frames: deque[bytes | Unreadable] = attrs.field(factory=deque)
    _ended: bool = False

    async def receive(self) -> bytes | Unreadable:
        # A checkpoint even if a frame is there already: a peer that talks without pause must not
        # starve the others, nor be heard after its seat was taken away.
        await trio.lowlevel.checkpoint()
        while not self._frames:
            if self._ended:
                raise trio.EndOfChannel
            self._feed(await self._stream.receive_some(RECEIVE_BYTES))
        return self._frames.popleft()

    def _feed(self, data: bytes | bytearray) -> None:
        self._ended = not data
        try:
            for frame in self._framer.feed(bytes(data)):
                self._frames.append(frame)
        except FrameError:
            self._ended = True

    async def send(self, frame: bytes) -> None:
        await self._stream.send_all(self._framer.wrap(frame))

    async def aclose(self, farewell: Farewell = Farewell.DONE) -> None:
        await self._stream.aclose()
