"""WebSocket connections handled by trio-websocket: those that we open, and those of a server on a
system without epoll."""

from collections.abc import Awaitable, Callable, Sequence
from typing import ClassVar

import trio
from trio_websocket import ConnectionClosed, WebSocketConnection

from transports.link import Farewell, Frame
from transports.peer_link import LINGER_SECONDS
from transports.stream_link import NoConnection
from transports.websocket_close import UNSUPPORTED_DATA, goodbye
from transports.websocket_fragments import NOT_TEXT

# The first byte tells what the rest is, between the two halves of the carrier.
_TEXT, _BINARY, _CLOSE = b"t", b"b", b"c"


class WebSocketCarrier:
    """Carries messages, and is the framer as well, since trio-websocket has cut them already."""

    half_closes: ClassVar[bool] = False
    midway: ClassVar[bool] = False  # unknown
    replies: ClassVar[list[bytes]] = []  # left to trio-websocket

    def __init__(
        self,
        stream: trio.SocketStream,
        shake_hands: Callable[[trio.Nursery], Awaitable[WebSocketConnection]],
        *,
        seconds: float,
        binary_is_unreadable: bool = False,
    ) -> None:
        """`shake_hands` has this many seconds; its caller closes the stream."""
        self._stream = stream
        self._shake_hands = shake_hands
        self._seconds = seconds
        self._binary_is_unreadable = binary_is_unreadable
        self._connection: WebSocketConnection | None = None
        self.trifles = 0
        self.ended = False

    @property
    def _open(self) -> WebSocketConnection:
        assert self._connection is not None
        return self._connection

    @property
    def close_code(self) -> int | None:
        reason = self._open.closed
        return reason.code if reason else None

    # As a carrier

    async def open(self, nursery: trio.Nursery) -> None:
        with trio.move_on_after(self._seconds):
            self._connection = await self._shake_hands(nursery)
            return
        raise NoConnection("no WebSocket server answers in time")

    async def receive(self) -> bytes:
        try:
            message = await self._open.get_message()
        except ConnectionClosed:
            self.ended = True
            return b""
        if isinstance(message, str):
            return _TEXT + message.encode()
        if not self._binary_is_unreadable:
            with trio.move_on_after(LINGER_SECONDS):
                await self._open.aclose(UNSUPPORTED_DATA, "text frames only")
            return b""
        return _BINARY

    def pick(self, pieces: Sequence[bytes | memoryview]) -> bytes:
        return b"".join(pieces[:2])  # one message

    async def send(self, data: bytes) -> None:
        try:
            if data.startswith(_CLOSE):
                await self._open.aclose(*goodbye(Farewell[data[1:].decode()]))
            else:
                await self._open.send_message(data[1:].decode())
        except ConnectionClosed:
            raise trio.BrokenResourceError from None

    async def half_close(self) -> None:
        await trio.lowlevel.checkpoint()  # a close frame is enough

    def close(self) -> None:
        self._stream.socket.close()

    # As a framer

    def feed(self, data: bytes) -> Sequence[Frame]:
        return [data[1:] if data.startswith(_TEXT) else NOT_TEXT]

    def wrap(self, frame: bytes) -> tuple[bytes, bytes]:
        return _TEXT, frame

    def ending(self, farewell: Farewell) -> bytes:
        return _CLOSE + farewell.name.encode()

    @property
    def parted(self) -> bool:
        return self._open.closed is not None
