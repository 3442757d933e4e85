"""Plain TCP, cut into frames by a framer."""

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Any, NoReturn

import attrs
import trio

from transports.complaint import Complaint
from transports.doorstep import Doorstep
from transports.framing import Framer
from transports.guest import Guest
from transports.link import Farewell, Link, Spawner
from transports.listening import Entrance, accept_forever, notice_dead_peer, plain_socket
from transports.socket_link import SocketLink
from transports.terms import OF_SERVERS, OPEN_DOOR, Door


@attrs.frozen
class Tcp:
    """Settings of a TCP transport: what cuts its streams into frames.

    A server may say far more in one message than it will hear; where that matters, who calls a
    server has a framer of its own.
    """

    framer: Callable[[], Framer]
    caller_framer: Callable[[], Framer] | None = None

    @property
    def scheme(self) -> str:
        return "tcp"

    async def serve(
        self,
        handler: Callable[[Link], Awaitable[None]],
        listeners: Sequence[trio.SocketListener],
        clients: Spawner,
        *,
        door: Door = OPEN_DOOR,
        task_status: trio.TaskStatus[Any] = trio.TASK_STATUS_IGNORED,
    ) -> NoReturn:
        async def meet(guest: Guest) -> SocketLink:
            guest.settle()
            return SocketLink(
                plain_socket(guest.stream),
                Doorstep(self.framer(), door.sign),
                str(guest.address),
                terms=guest.terms,
                said=guest.said,
            )

        def turn_away(complaint: Complaint) -> bytes:
            words, framer = door.words(complaint), self.framer()
            said = framer.wrap(words) if words is not None else b""
            return said + framer.ending(Farewell.REFUSED)

        entrance = Entrance(door, meet, turn_away, handler, clients)
        await accept_forever(entrance.answer, listeners, clients, task_status=task_status)

    @asynccontextmanager
    async def connect(self, host: str, port: int) -> AsyncIterator[Link]:
        stream = await trio.open_tcp_stream(host, port)
        notice_dead_peer(stream)
        framer = (self.caller_framer or self.framer)()
        link = SocketLink(plain_socket(stream), framer, f"{host}:{port}", terms=OF_SERVERS)
        try:
            yield link
        finally:
            await link.aclose()
