"""The WebSocket transport: one message per unfragmented text frame, on any path."""

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from http import HTTPStatus
from typing import Any, NoReturn

import attrs
import trio

from transports.complaint import Complaint
from transports.link import Link, Spawner
from transports.listening import Entrance, accept_forever, notice_dead_peer, peer_name, plain_socket
from transports.socket_link import SocketLink
from transports.terms import OF_SERVERS, OPEN_DOOR, TERMS, Door, Terms
from transports.websocket_frames import WebSocketFramer
from transports.websocket_handshake import HandshakeError, accept, call, refusal

# How long a server may take to answer when we call it.
CONNECT_SECONDS = 10.0

# A server may say far more in one message than it will hear: lists, whole matches.
CLIENT_MAX_BYTES = 16 * 1024 * 1024

# How long somebody who cannot shake hands may take to read why.
REFUSAL_SECONDS = 1.0


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
        async def meet(stream: trio.SocketStream, terms: Terms) -> SocketLink | None:
            notice_dead_peer(stream)
            return await self._shake_hands(stream, terms, door)

        entrance = Entrance(door, meet, _turn_away, handler, clients)
        await accept_forever(entrance.answer, listeners, clients, task_status=task_status)

    async def _shake_hands(
        self, stream: trio.SocketStream, terms: Terms, door: Door
    ) -> SocketLink | None:
        handshake = trio.CancelScope(deadline=trio.current_time() + terms.handshake_seconds)
        door.handshakes.add(handshake)
        said = None
        try:
            with handshake, suppress(HandshakeError):
                said = await accept(stream)
        finally:
            door.handshakes.remove(handshake)
        if handshake.cancelled_caught and trio.current_time() < handshake.deadline:
            await trio.aclose_forcefully(stream)  # we end, and wait for no strangers
        elif said is None:
            if handshake.cancelled_caught:
                door.drop(Complaint.SLOW_HANDSHAKE)
            await _hang_up(stream)
        if said is None:
            return None
        return self._link(stream, peer_name(stream), said, terms)

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


async def _hang_up(stream: trio.SocketStream) -> None:
    """Close so that the answer can still be read: unread input would make it a reset."""
    with trio.move_on_after(REFUSAL_SECONDS), suppress(trio.BrokenResourceError):
        await stream.send_eof()
        while await stream.receive_some(65536):
            pass
    await trio.aclose_forcefully(stream)
