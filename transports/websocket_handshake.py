"""How a WebSocket connection begins: an HTTP request and its answer (RFC 6455, section 4).

Any path, origin and subprotocol is welcome; we choose no subprotocol and no extension. Whoever
calls these functions sets the timeout and closes the stream.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from http import HTTPStatus

import trio
from wsproto.connection import ConnectionType
from wsproto.events import AcceptConnection, Event, RejectConnection, Request
from wsproto.handshake import H11Handshake
from wsproto.utilities import RemoteProtocolError, generate_accept_token

# Browsers send about half a kilobyte, some more if they have cookies for this machine.
MAX_HEAD_BYTES = 16 * 1024

_END_OF_HEAD = re.compile(rb"\n\r?\n")
_WELCOME = (
    b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Accept: %b\r\n\r\n"
)
_REFUSAL = (
    "HTTP/1.1 {status.value} {status.phrase}\r\nConnection: close\r\nUpgrade: websocket\r\n"
    "Sec-WebSocket-Version: 13\r\nContent-Type: text/plain; charset=utf-8\r\n"
    "Content-Length: {length}\r\n\r\n{text}"
)


class HandshakeError(Exception):
    """No WebSocket connection came about, and why."""


class _BadHead(Exception):
    """The head of a request or an answer is not what a handshake needs."""

    def __init__(self, reason: str, status: int = HTTPStatus.BAD_REQUEST) -> None:
        super().__init__(reason)
        self.status = HTTPStatus(status)


def refusal(status: HTTPStatus, reason: str) -> bytes:
    """The answer to somebody who gets no connection."""
    text = f"{reason}\n"
    return _REFUSAL.format(status=status, length=len(text), text=text).encode()


async def accept(stream: trio.abc.Stream) -> bytes:
    """Answer the request of a client; returns what it has sent beyond that already.

    Raises:
      HandshakeError: the client is gone, or was told that its request is bad.
    """
    with _failing_if_lost():
        try:
            request, rest = await _read_head(stream, H11Handshake(ConnectionType.SERVER))
        except _BadHead as bad:
            await stream.send_all(refusal(bad.status, f"This port speaks WebSocket: {bad}"))
            raise HandshakeError(str(bad)) from None
        assert isinstance(request, Request)  # for all else the library raises an error
        key = dict(request.extra_headers)[b"sec-websocket-key"]
        await stream.send_all(_WELCOME % generate_accept_token(key))
        return rest


async def call(stream: trio.abc.Stream, host: str, resource: str = "/") -> bytes:
    """Ask a server for a connection; returns what it has sent beyond its answer already.

    Raises:
      HandshakeError: the server is gone, or does not welcome us.
    """
    handshake = H11Handshake(ConnectionType.CLIENT)
    with _failing_if_lost():
        await stream.send_all(handshake.send(Request(host=host, target=resource)))
        try:
            answer, rest = await _read_head(stream, handshake)
        except _BadHead as bad:
            raise HandshakeError(str(bad)) from None
    if isinstance(answer, RejectConnection):
        raise HandshakeError(f"status {answer.status_code}")
    assert isinstance(answer, AcceptConnection)
    return rest


@contextmanager
def _failing_if_lost() -> Iterator[None]:
    try:
        yield
    except (trio.BrokenResourceError, trio.ClosedResourceError):
        raise HandshakeError("connection lost") from None


async def _read_head(stream: trio.abc.Stream, handshake: H11Handshake) -> tuple[Event, bytes]:
    """What the peer's head means, and the bytes behind it."""
    size = 0
    tail = b""  # of what was heard before: the end of the head may be cut
    while True:
        data = bytes(await stream.receive_some(MAX_HEAD_BYTES))
        if not data:
            raise HandshakeError("hung up during the handshake")
        end = _END_OF_HEAD.search(tail + data)
        cut = end.end() - len(tail) if end else len(data)
        size += cut
        if size > MAX_HEAD_BYTES:
            raise _BadHead("headers too long", HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE)
        # Piece by piece, since rubbish shows long before an end of the head that may never come.
        event = _interpret(handshake, data[:cut])
        if event is not None:
            return event, data[cut:]
        tail = (tail + data)[-2:]


def _interpret(handshake: H11Handshake, data: bytes) -> Event | None:
    try:
        handshake.receive_data(data)
    except RemoteProtocolError as error:
        hint = error.event_hint
        status = hint.status_code if isinstance(hint, RejectConnection) else 400
        raise _BadHead(str(error), status) from None
    except UnicodeError:
        raise _BadHead("header that is not ASCII") from None
    return next(handshake.events(), None)
