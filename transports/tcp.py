"""Plain TCP, cut into frames by a framer."""

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from math import inf
from typing import Any, NoReturn

import attrs
import trio

from transports.framing import Framer
from transports.link import Link, Spawner
from transports.listening import accept_forever, notice_dead_peer, peer_name, plain_socket
from transports.socket_link import SocketLink


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
            await handler(self._link(stream, peer_name(stream)))

        await accept_forever(meet, listeners, clients, task_status=task_status)

    @asynccontextmanager
    async def connect(self, host: str, port: int) -> AsyncIterator[Link]:
        link = self._link(await trio.open_tcp_stream(host, port), f"{host}:{port}")
        try:
            yield link
        finally:
            await link.aclose()

    def _link(self, stream: trio.SocketStream, peer: str) -> SocketLink:
        return SocketLink(
            plain_socket(stream), self.framer(), peer, frame_seconds=self.frame_seconds
        )
