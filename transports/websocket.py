"""The WebSocket transport: one message per unfragmented text frame, on any path."""

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from http import HTTPStatus
from typing import Any, NoReturn

import attrs
import trio

from transports.address import Address
from transports.complaint import Complaint
from transports.forwarded import BadForwarding, forwarded_for
from transports.guest import Guest
from transports.link import Link, Spawner
from transports.listening import Entrance, accept_forever, notice_dead_peer, plain_socket
from transports.socket_link import SocketLink
from transports.terms import OF_SERVERS, OPEN_DOOR, TERMS, Door, Terms
from transports.websocket_frames import WebSocketFramer
from transports.websocket_handshake import HandshakeError, accept, call
from transports.websocket_request import Refusal, Request, refusal

# How long a server may take to answer when we call it.
CONNECT_SECONDS = 10.0

# A server may say far more in one message than it will hear: lists, whole matches.
CLIENT_MAX_BYTES = 16 * 1024 * 1024


@attrs.frozen
class WebSocket:
    """Settings of the WebSocket transport.

    A game that has its own answer to binary frames sets `binary_is_unreadable`; for all others
    the connection is closed with 1003, as RFC 6455 has it for a peer that understands text only.
    """

    max_bytes: int = 64 * 1024
    binary_is_unreadable: bool = False

    @property
    def scheme(self) -> str:
        return "ws"

    async def serve(
        self,
        handler: Callable[[Link], Awaitable[None]],
        listeners: Sequence[trio.SocketListener],
        clients: Spawner,
        *,
        door: Door = OPEN_DOOR,
        task_status: trio.TaskStatus[Any] = trio.TASK_STATUS_IGNORED,
    ) -> NoReturn:
        entrance = Entrance(door, self._shake_hands, _turn_away, handler, clients)
        await accept_forever(entrance.answer, listeners, clients, task_status=task_status)

    async def _shake_hands(self, guest: Guest) -> SocketLink | None:
        def judge(request: Request) -> None:
            if guest.is_proxy:
                guest.introduce(_forwarded_for(request, guest.door))
                guest.settle()
            _check_origin(request, guest)

        try:
            said = await accept(guest.stream, guest.said, judge, sign=guest.door.sign)
        except HandshakeError:
            return None
        return self._link(guest.stream, str(guest.address), said, guest.terms)

    @asynccontextmanager
    async def connect(self, host: str, port: int) -> AsyncIterator[Link]:
        stream = await trio.open_tcp_stream(host, port)
        try:
            with trio.fail_after(CONNECT_SECONDS):
                said = await call(stream, f"[{host}]:{port}" if ":" in host else f"{host}:{port}")
        except BaseException as error:
            await trio.aclose_forcefully(stream)
            if isinstance(error, trio.TooSlowError):
                raise OSError("no WebSocket server answers in time") from None
            if isinstance(error, HandshakeError):
                raise OSError("no WebSocket server answers") from None
            raise
        notice_dead_peer(stream)
        link = self._link(stream, f"{host}:{port}", said, OF_SERVERS, client=True)
        try:
            yield link
        finally:
            await link.aclose()

    def _link(
        self,
        stream: trio.SocketStream,
        peer: str,
        said: bytes,
        terms: Terms = TERMS,
        *,
        client: bool = False,
    ) -> SocketLink:
        framer = WebSocketFramer(
            client=client,
            max_bytes=CLIENT_MAX_BYTES if client else self.max_bytes,
            binary_is_unreadable=self.binary_is_unreadable,
        )
        return SocketLink(plain_socket(stream), framer, peer, terms=terms, said=said)


def _turn_away(complaint: Complaint) -> bytes:
    """Without a handshake there is no message yet, only HTTP."""
    return refusal(HTTPStatus.SERVICE_UNAVAILABLE, complaint.value)


def _forwarded_for(request: Request, door: Door) -> Address | None:
    try:
        return forwarded_for(request.forwarded, door.trusts)
    except BadForwarding as bad:
        raise Refusal(HTTPStatus.BAD_REQUEST, str(bad)) from None


def _check_origin(request: Request, guest: Guest) -> None:
    origins = guest.terms.origins
    if request.origin is None or origins is None:
        return
    if not origins.welcomes(request.origin, request.host, request.user_agent):
        guest.door.drop(Complaint.FOREIGN_PAGE, guest.address.host)
        page = f"pages from {request.origin[:100]} may not connect"
        raise Refusal(HTTPStatus.FORBIDDEN, f"{page}; allowed_origins names those that may")
