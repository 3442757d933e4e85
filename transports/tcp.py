"""Plain TCP, cut into frames by a framer."""

import socket
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Sequence
from contextlib import asynccontextmanager
from typing import Any, NoReturn

import attrs
import trio

from transports.complaint import Complaint
from transports.doorstep import STRANGER, TURNED_AWAY, Doorstep
from transports.durable_link import DurableLink
from transports.framing import Framer
from transports.guest import Guest
from transports.link import Farewell, Link, Spawner
from transports.listening import (
    Accepted,
    Entrance,
    accept_forever,
    notice_dead_peer,
    open_durable,
    own_stream,
    plain_socket,
    resume_link,
)
from transports.peer_link import PeerLink
from transports.poller import Poller
from transports.recovered_link import RecoveredLink
from transports.resumable_framer import ResumableFramer
from transports.socket_link import SocketLink
from transports.stored_listener import Listener
from transports.stream_link import StreamCarrier, StreamLink, open_link
from transports.terms import OF_SERVERS, OPEN_DOOR, Door
from transports.waiting import Waiting


@attrs.frozen
class Tcp:
    """Settings of a TCP transport: what cuts its streams into frames.

    A server may send far longer messages than it accepts; where that matters, clients use a framer
    of their own.
    """

    framer: Callable[[], ResumableFramer]
    caller_framer: Callable[[], Framer] | None = None

    @property
    def scheme(self) -> str:
        return "tcp"

    async def serve(
        self,
        handler: Callable[[Link], Awaitable[None]],
        listeners: Sequence[Listener],
        clients: Spawner,
        *,
        poller: Poller | None,
        door: Door = OPEN_DOOR,
        accepted: Iterable[Accepted] = (),
        task_status: trio.TaskStatus[Any] = trio.TASK_STATUS_IGNORED,
    ) -> NoReturn:
        waiting = Waiting()

        async def meet(guest: Guest) -> PeerLink:
            guest.settle()
            framer, peer, said = Doorstep(self.framer(), door.sign), str(guest.address), guest.said
            if poller is not None and guest.ledger is not None:
                return open_durable(guest, framer, poller, guest.finish(said))
            if poller is None:
                carrier = StreamCarrier(own_stream(guest.stream), said)
                return StreamLink(carrier, framer, peer, terms=guest.terms, waiting=waiting)
            sock = plain_socket(guest.stream)
            return SocketLink(sock, framer, peer, poller, terms=guest.terms, said=said)

        def turn_away(complaint: Complaint) -> bytes:
            words, framer = door.words(complaint), self.framer()
            said = b"".join(framer.wrap(words)) if words is not None else b""
            return said + framer.ending(Farewell.REFUSED)

        ledger = poller.ledger if poller else None
        entrance = Entrance(door, meet, turn_away, handler, clients, ledger)
        entrance.answer_all(accepted)
        await accept_forever(entrance.answer, listeners, clients, ledger, task_status=task_status)

    def resume(
        self, sock: socket.socket, recovered: RecoveredLink, poller: Poller, door: Door
    ) -> DurableLink:
        framer = self.framer()
        known = recovered.input.framer
        if known is None or known.startswith((STRANGER, TURNED_AWAY)):
            framer = Doorstep(framer, door.sign)
        return resume_link(sock, framer, recovered, poller, door)

    @asynccontextmanager
    async def connect(self, host: str, port: int) -> AsyncIterator[Link]:
        stream = await trio.open_tcp_stream(host, port)
        notice_dead_peer(stream)
        framer = (self.caller_framer or self.framer)()
        link = StreamLink(StreamCarrier(stream), framer, f"{host}:{port}", terms=OF_SERVERS)
        async with open_link(link):
            yield link
