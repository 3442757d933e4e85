"""How a WebSocket connection begins: an HTTP request and its answer (RFC 6455, section 4).

Any path and subprotocol is welcome; we choose no subprotocol and no extension. Whoever calls
these functions sets the timeout and closes the stream.
"""

import re
from base64 import b64encode
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from hashlib import sha1
from http import HTTPStatus

import h11
import trio

from transports.websocket_request import HandshakeRefusal, UpgradeRequest, interpret

# Browsers send about half a kilobyte, some more if they have cookies for this machine.
MAX_HEAD_BYTES = 16 * 1024

# Twenty lines are many. To read a header takes far longer than the four bytes of the shortest one
# tell, so bytes alone are no limit.
MAX_HEAD_LINES = 128

# What the server's answer proves to have read (RFC 6455, section 1.3).
_GUID = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"

_END_OF_HEAD = re.compile(rb"\n\r?\n")
_WELCOME = (
    b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Accept: %b\r\n\r\n"
)


class HandshakeError(Exception):
    """No WebSocket connection came about, and why."""


async def accept(
    stream: trio.abc.Stream,
    said: bytes = b"",
    judge: Callable[[UpgradeRequest], None] = lambda request: None,
    *,
    sign: str = "a game",
) -> bytes:
    """Answer the request of a client; returns what it has sent beyond that already.

    Raises like `read_request`.
    """
    request, rest = await read_request(stream, said, judge, sign=sign)
    with _failing_if_lost():
        await stream.send_all(_WELCOME % _accept_token(request.key))
    return rest


async def read_request(
    stream: trio.abc.Stream,
    said: bytes,
    judge: Callable[[UpgradeRequest], None],
    *,
    sign: str,
) -> tuple[UpgradeRequest, bytes]:
    """A request that may be answered, and what the client has sent beyond it already.

    `said` was read from the stream before. `judge` may raise HandshakeRefusal for a request that is
    proper, or whatever else goes to the caller. `sign` tells people what is here.

    Raises:
      HandshakeError: the client is gone, or was told that its request is bad.
    """
    with _failing_if_lost():
        try:
            head, rest = await _read_head(stream, said)
            request = interpret(head, sign)
            judge(request)
        except HandshakeRefusal as refusal:
            await stream.send_all(refusal.answer())
            raise HandshakeError(str(refusal)) from None
    return request, rest


def _accept_token(key: bytes) -> bytes:
    return b64encode(sha1(key + _GUID, usedforsecurity=False).digest())


@contextmanager
def _failing_if_lost() -> Iterator[None]:
    try:
        yield
    except (trio.BrokenResourceError, trio.ClosedResourceError):
        raise HandshakeError("connection lost") from None


async def _read_head(stream: trio.abc.Stream, said: bytes) -> tuple[h11.Request, bytes]:
    """The head of the client's request, and the bytes behind it."""
    reader = _RequestReader()
    size = lines = 0
    tail = b""  # of what was heard before: the end of the head may be cut
    while True:
        data, said = said or bytes(await stream.receive_some(MAX_HEAD_BYTES)), b""
        if not data:
            raise HandshakeError("hung up during the handshake")
        end = _END_OF_HEAD.search(tail + data)
        cut = end.end() - len(tail) if end else len(data)
        size += cut
        lines += data.count(b"\n", 0, cut)
        if size > MAX_HEAD_BYTES or lines > MAX_HEAD_LINES:
            raise HandshakeRefusal(
                HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE, "too many or too long headers"
            )
        # Piece by piece, since rubbish shows long before an end of the head that may never come.
        request = reader.read(data[:cut])
        if request is not None:
            return request, data[cut:]
        tail = (tail + data)[-2:]


class _RequestReader:
    """Reads the head of a request, piece by piece."""

    def __init__(self) -> None:
        self._parser = h11.Connection(h11.SERVER, max_incomplete_event_size=MAX_HEAD_BYTES)

    def read(self, data: bytes) -> h11.Request | None:
        self._parser.receive_data(data)
        try:
            event = self._parser.next_event()
        except h11.RemoteProtocolError as error:
            raise HandshakeRefusal(HTTPStatus(error.error_status_hint), str(error)) from None
        return event if isinstance(event, h11.Request) else None
