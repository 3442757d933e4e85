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
from transports.listening import (
    Entrance,
    accept_forever,
    notice_dead_peer,
    own_stream,
    plain_socket,
)
from transports.peer_link import PeerLink
from transports.poller import Poller
from transports.socket_link import SocketLink
from transports.stream_link import StreamCarrier, StreamLink, open_link
from transports.terms import OF_SERVERS, OPEN_DOOR, Door
from transports.waiting import Waiting


@attrs.frozen
class Tcp:
    """Settings of a TCP transport: what cuts its streams into frames.

    A server may send far longer messages than it accepts; where that matters, clients use a framer
    of their own.
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
        poller: Poller | None,
        door: Door = OPEN_DOOR,
        task_status: trio.TaskStatus[Any] = trio.TASK_STATUS_IGNORED,
    ) -> NoReturn:
        waiting = Waiting()

        async def meet(guest: Guest) -> PeerLink:
            guest.settle()
            framer, peer, said = Doorstep(self.framer(), door.sign), str(guest.address), guest.said
            if poller is None:
                carrier = StreamCarrier(own_stream(guest.stream), said)
                return StreamLink(carrier, framer, peer, terms=guest.terms, waiting=waiting)
            sock = plain_socket(guest.stream)
            return SocketLink(sock, framer, peer, poller, terms=guest.terms, said=said)

        def turn_away(complaint: Complaint) -> bytes:
            words, framer = door.words(complaint), self.framer()
            said = b"".join(framer.wrap(words)) if words is not None else b""
            return said + framer.ending(Farewell.REFUSED)

        entrance = Entrance(door, meet, turn_away, handler, clients)
        await accept_forever(entrance.answer, listeners, clients, task_status=task_status)

    @asynccontextmanager
    async def connect(self, host: str, port: int) -> AsyncIterator[Link]:
        stream = await trio.open_tcp_stream(host, port)
        notice_dead_peer(stream)
        framer = (self.caller_framer or self.framer)()
        link = StreamLink(StreamCarrier(stream), framer, f"{host}:{port}", terms=OF_SERVERS)
        async with open_link(link):
            yield link
