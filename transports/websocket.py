"""The WebSocket transport: one message per unfragmented text frame, on any path."""

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Any, NoReturn

import attrs
import h11
import trio
from trio_websocket import (
    ConnectionClosed,
    HandshakeError,
    WebSocketConnection,
    wrap_client_stream,
)
from wsproto import ConnectionType, WSConnection
from wsproto.connection import ConnectionState
from wsproto.events import BytesMessage, CloseConnection, TextMessage
from wsproto.utilities import LocalProtocolError

from transports.link import Farewell, Link, Spawner, Unreadable
from transports.listening import LingeringStream, accept_forever, notice_dead_peer, peer_name

# RFC 6455, section 7.4.1
CLOSE_CODES = {
    Farewell.DONE: 1000,
    Farewell.GOING_AWAY: 1001,
    Farewell.REFUSED: 1008,
    Farewell.KICKED: 1008,  # not 1000: a client shall not take it for the normal end of a game
    Farewell.FAULT: 1011,
}
UNSUPPORTED_DATA = 1003

# How long a server may take to answer when we call it.
CONNECT_SECONDS = 10.0

# How long a peer may take to answer our close frame before we hang up on it.
CLOSE_SECONDS = 1.0


@attrs.frozen
class WebSocket:
    """Settings of the WebSocket transport.

    A game that has its own answer to binary frames sets `binary_is_unreadable`; for all others
    the connection is closed with 1003, as RFC 6455 has it for a peer that understands text only.
    """

    max_bytes: int = 64 * 1024
    handshake_seconds: float = 5.0
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
        task_status: trio.TaskStatus[Any] = trio.TASK_STATUS_IGNORED,
    ) -> NoReturn:
        async def meet(stream: trio.SocketStream) -> None:
            notice_dead_peer(stream)
            await self._meet(LingeringStream(stream), peer_name(stream), handler)

        await accept_forever(meet, listeners, clients, task_status=task_status)

    async def _meet(
        self, stream: trio.abc.Stream, peer: str, handler: Callable[[Link], Awaitable[None]]
    ) -> None:
        async with trio.open_nursery() as nursery:
            connection: WebSocketConnection | None = None
            with trio.move_on_after(self.handshake_seconds):
                connection = await self._shake_hands(nursery, stream)
            if connection is not None:
                await handler(WebSocketLink(connection, peer, self))
            # The library's reader may still wait for a peer that never says goodbye.
            nursery.cancel_scope.cancel()

    async def _shake_hands(
        self, nursery: trio.Nursery, stream: trio.abc.Stream
    ) -> WebSocketConnection | None:
        connection = FrankConnection(
            stream, WSConnection(ConnectionType.SERVER), max_message_size=self.max_bytes
        )
        nursery.start_soon(connection._reader_task)
        request = await connection._get_request()
        try:
            return await request.accept()
        except ConnectionClosed:
            return None  # gone before the handshake was over

    @asynccontextmanager
    async def connect(self, host: str, port: int) -> AsyncIterator[Link]:
        failure: Exception | None = None
        try:
            async with (
                await trio.open_tcp_stream(host, port) as stream,
                trio.open_nursery() as nursery,
            ):
                try:
                    with trio.fail_after(CONNECT_SECONDS):
                        connection = await wrap_client_stream(nursery, stream, host, "/")
                    link = WebSocketLink(connection, f"{host}:{port}", self)
                    yield link
                    await link.aclose()
                except Exception as error:
                    failure = error  # raised below, where no nursery wraps it in a group
                nursery.cancel_scope.cancel()
        except* (HandshakeError, h11.ProtocolError):
            failure = OSError("no WebSocket server answers")
        if isinstance(failure, trio.TooSlowError):
            failure = OSError("no WebSocket server answers in time")
        if failure is not None:
            raise failure


class FrankConnection(WebSocketConnection):
    """A connection that tells its peer why it is closed.

    RFC 6455, section 7.1.7, wants a close frame with a code also when a peer breaks the protocol
    (1002 for bad frames, 1007 for bad UTF-8); the library would just hang up.
    """

    async def _handle_close_connection_event(self, event: CloseConnection) -> None:
        # A peer's close would have changed the state; this one is our own parser's complaint.
        if self._wsproto.state is ConnectionState.OPEN:
            await self._send(CloseConnection(code=event.code, reason=event.reason))
        await super()._handle_close_connection_event(event)

    async def _handle_message_event(self, event: TextMessage | BytesMessage) -> None:
        # The library limits what fragments hold, not how many there are: empty ones would pile up.
        if event.data or event.message_finished:
            await super()._handle_message_event(event)


@attrs.define(eq=False)
class WebSocketLink:
    """One end of a WebSocket connection, its frames as bytes."""

    _connection: WebSocketConnection
    peer: str
    _settings: WebSocket

    @property
    def close_code(self) -> int | None:
        """How the peer or we have closed the connection, if it is closed."""
        return self._connection.closed.code if self._connection.closed else None

    async def receive(self) -> bytes | Unreadable:
        try:
            message = await self._connection.get_message()
        except ConnectionClosed:
            raise trio.EndOfChannel from None
        if isinstance(message, str):
            return message.encode()
        return await self._refuse_binary()

    async def _refuse_binary(self) -> Unreadable:
        if not self._settings.binary_is_unreadable:
            await self._close(UNSUPPORTED_DATA, "text frames only")
            raise trio.EndOfChannel
        return Unreadable("a binary frame; this protocol uses text frames")

    async def send(self, frame: bytes) -> None:
        try:
            await self._connection.send_message(frame.decode())
        except (ConnectionClosed, LocalProtocolError):  # closed, or our close frame is under way
            raise trio.BrokenResourceError from None

    async def aclose(self, farewell: Farewell = Farewell.DONE) -> None:
        reason = None if farewell is Farewell.DONE else farewell.value
        await self._close(CLOSE_CODES[farewell], reason)

    async def _close(self, code: int, reason: str | None) -> None:
        with trio.move_on_after(CLOSE_SECONDS):
            await self._connection.aclose(code, reason)
