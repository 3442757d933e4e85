"""The WebSocket transport: one message per unfragmented text frame, on any path."""

import socket
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Sequence
from contextlib import asynccontextmanager
from functools import partial
from http import HTTPStatus
from typing import Any, NoReturn

import attrs
import trio
from trio_websocket import WebSocketConnection, wrap_client_stream, wrap_server_stream

from transports.address import Address
from transports.begun_stream import BegunStream
from transports.complaint import Complaint
from transports.durable_link import DurableLink
from transports.forwarded import BadForwarding, forwarded_for
from transports.guest import Guest
from transports.link import Link, Spawner
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
from transports.socket_link import SocketLink
from transports.stored_listener import Listener
from transports.stream_link import StreamLink, open_link
from transports.terms import OF_SERVERS, OPEN_DOOR, Door
from transports.waiting import Waiting
from transports.websocket_carrier import WebSocketCarrier
from transports.websocket_frames import WebSocketFramer
from transports.websocket_handshake import (
    BadHandshake,
    HandshakeError,
    accept,
    read_request,
    welcome,
)
from transports.websocket_request import ForeignPage, HandshakeRefusal, UpgradeRequest, refusal

# How long a server may take to answer when we connect to it.
CONNECT_SECONDS = 10.0

# A server may send far longer messages than it accepts: lists, whole matches.
CLIENT_MAX_BYTES = 16 * 1024 * 1024

# Passed to trio-websocket in place of the client's own request, which we have read already.
_PROPER_REQUEST = (
    b"GET / HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: %b\r\nSec-WebSocket-Version: 13\r\n\r\n"
)


@attrs.frozen
class WebSocket:
    """Settings of the WebSocket transport.

    A game that has its own answer to binary frames sets `binary_is_unreadable`; for all others the
    connection is closed with 1003, which RFC 6455 defines for peers that understand only text.
    """

    max_bytes: int = 64 * 1024
    binary_is_unreadable: bool = False

    @property
    def scheme(self) -> str:
        return "ws"

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

        async def meet(guest: Guest) -> PeerLink | None:
            try:
                if poller is None:
                    return await self._meet_by_stream(guest, waiting)
                return await self._meet(guest, poller)
            except BadHandshake:
                door.drop(Complaint.BAD_HANDSHAKE, guest.address.host)
            except HandshakeError:
                pass
            return None

        ledger = poller.ledger if poller else None
        entrance = Entrance(door, meet, _turn_away, handler, clients, ledger)
        entrance.answer_all(accepted)
        await accept_forever(entrance.answer, listeners, clients, ledger, task_status=task_status)

    async def _meet(self, guest: Guest, poller: Poller) -> SocketLink:
        judge = partial(_judge, guest)
        if guest.ledger is not None:
            asked, said = await read_request(guest.reader, guest.said, judge, sign=guest.door.sign)
            head = guest.finish(said)
            return open_durable(guest, self._framer(), poller, head, welcome(asked))
        said = await accept(guest.stream, guest.said, judge, sign=guest.door.sign)
        sock, peer = plain_socket(guest.stream), str(guest.address)
        return SocketLink(sock, self._framer(), peer, poller, terms=guest.terms, said=said)

    def _framer(self) -> WebSocketFramer:
        return WebSocketFramer(
            max_bytes=self.max_bytes, binary_is_unreadable=self.binary_is_unreadable
        )

    def resume(
        self, sock: socket.socket, recovered: RecoveredLink, poller: Poller, door: Door
    ) -> DurableLink:
        return resume_link(sock, self._framer(), recovered, poller, door)

    async def _meet_by_stream(self, guest: Guest, waiting: Waiting) -> StreamLink:
        judge = partial(_judge, guest)
        asked, said = await read_request(guest.stream, guest.said, judge, sign=guest.door.sign)
        stream = own_stream(guest.stream)
        begun = BegunStream(stream, _PROPER_REQUEST % asked.key + said)

        async def shake_hands(nursery: trio.Nursery) -> WebSocketConnection:
            request = await wrap_server_stream(nursery, begun, max_message_size=self.max_bytes)
            return await request.accept()

        carrier = WebSocketCarrier(
            stream,
            shake_hands,
            seconds=guest.terms.handshake_seconds,
            binary_is_unreadable=self.binary_is_unreadable,
        )
        return StreamLink(carrier, carrier, str(guest.address), terms=guest.terms, waiting=waiting)

    @asynccontextmanager
    async def connect(self, host: str, port: int) -> AsyncIterator[Link]:
        stream = await trio.open_tcp_stream(host, port)
        notice_dead_peer(stream)
        name = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"

        async def shake_hands(nursery: trio.Nursery) -> WebSocketConnection:
            return await wrap_client_stream(
                nursery, stream, name, "/", max_message_size=CLIENT_MAX_BYTES
            )

        carrier = WebSocketCarrier(stream, shake_hands, seconds=CONNECT_SECONDS)
        link = StreamLink(carrier, carrier, f"{host}:{port}", terms=OF_SERVERS)
        async with open_link(link):
            yield link


def _judge(guest: Guest, request: UpgradeRequest) -> None:
    if guest.is_proxy:
        guest.introduce(_forwarded_for(request, guest.door))
        guest.settle()
    _check_origin(request, guest)


def _turn_away(complaint: Complaint) -> bytes:
    """Before the handshake there are no messages, only HTTP."""
    return refusal(HTTPStatus.SERVICE_UNAVAILABLE, complaint.value)


def _forwarded_for(request: UpgradeRequest, door: Door) -> Address | None:
    try:
        return forwarded_for(request.forwarded, door.trusts)
    except BadForwarding as bad:
        raise HandshakeRefusal(HTTPStatus.BAD_REQUEST, str(bad)) from None


def _check_origin(request: UpgradeRequest, guest: Guest) -> None:
    origins = guest.terms.origins
    if request.origin is None or origins is None:
        return
    if not origins.welcomes(request.origin, request.host, request.user_agent):
        guest.door.drop(Complaint.FOREIGN_PAGE, guest.address.host)
        page = f"pages from {request.origin[:100]} may not connect"
        raise ForeignPage(HTTPStatus.FORBIDDEN, f"{page}; allowed_origins names those that may")
