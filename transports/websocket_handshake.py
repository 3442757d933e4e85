"""The WebSocket handshake: an HTTP request and its response (RFC 6455, section 4).

Any path and subprotocol is accepted, and no extension. The callers of these functions set the
timeout and close the stream.
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

# Browsers send about half a kilobyte, or more if they have cookies for this host.
MAX_HEAD_BYTES = 16 * 1024

# Twenty lines are many. Parsing a header takes far longer than the four bytes of the shortest one
# suggest, so a limit on bytes is not enough.
MAX_HEAD_LINES = 128

# By this the response proves that the server understood the request (RFC 6455, section 1.3).
_GUID = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"

_END_OF_HEAD = re.compile(rb"\n\r?\n")
_WELCOME = (
    b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Accept: %b\r\n%b\r\n"
)
_SUBPROTOCOL = b"Sec-WebSocket-Protocol: %b\r\n"


class HandshakeError(Exception):
    """The handshake failed, and why."""


class BadHandshake(HandshakeError):
    """The client has said something else, and was told so."""


async def accept(
    stream: trio.abc.Stream,
    said: bytes = b"",
    judge: Callable[[UpgradeRequest], None] = lambda request: None,
    *,
    sign: str = "a game",
) -> bytes:
    """Answer a client's request; returns what the client has sent beyond it.

    Raises like `read_request`.
    """
    request, rest = await read_request(stream, said, judge, sign=sign)
    with _failing_if_lost():
        await stream.send_all(welcome(request))
    return rest


def welcome(request: UpgradeRequest) -> bytes:
    """The answer to a client that is let in.

    The protocols of the games have no subprotocols. But a client that offers one gets it: a browser
    closes the connection if the server has chosen none.
    """
    chosen = _SUBPROTOCOL % request.subprotocol if request.subprotocol else b""
    return _WELCOME % (_accept_token(request.key), chosen)


async def read_request(
    stream: trio.abc.Stream,
    said: bytes,
    judge: Callable[[UpgradeRequest], None],
    *,
    sign: str,
) -> tuple[UpgradeRequest, bytes]:
    """A valid request, and what the client has sent beyond it.

    `said` was read from the stream before. `judge` may raise HandshakeRefusal for a request that is
    valid; anything else it raises goes to the caller. `sign` tells people what this server is.

    Raises:
      HandshakeError: the client is gone, or was told that its request is bad (BadHandshake).
    """
    with _failing_if_lost():
        try:
            head, rest = await _read_head(stream, said)
            request = interpret(head, sign)
            judge(request)
        except HandshakeRefusal as refusal:
            await stream.send_all(refusal.answer())
            kind = BadHandshake if refusal.mistaken else HandshakeError
            raise kind(str(refusal)) from None
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
    """The head of the client's request, and the bytes after it."""
    reader = _RequestReader()
    size = lines = 0
    tail = b""  # of earlier input: the end of the head may be split
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
        # Piece by piece: garbage shows long before an end of the head that may never come.
        request = reader.read(data[:cut])
        if request is not None:
            return request, data[cut:]
        tail = (tail + data)[-2:]


class _RequestReader:
    """Parses the head of a request incrementally."""

    def __init__(self) -> None:
        self._parser = h11.Connection(h11.SERVER, max_incomplete_event_size=MAX_HEAD_BYTES)
        self._first_line: bytearray | None = bytearray()  # None: it was looked at

    def read(self, data: bytes) -> h11.Request | None:
        self._look_at_first_line(data)
        self._parser.receive_data(data)
        try:
            event = self._parser.next_event()
        except h11.RemoteProtocolError as error:
            raise HandshakeRefusal(HTTPStatus(error.error_status_hint), str(error)) from None
        return event if isinstance(event, h11.Request) else None

    def _look_at_first_line(self, data: bytes) -> None:
        """The parser looks only at the whole head, for which somebody else would have to wait."""
        if self._first_line is None:
            return
        line, newline, _ = data.partition(b"\n")
        self._first_line += line
        if not newline:
            return
        if b" HTTP/" not in self._first_line:
            raise HandshakeRefusal(HTTPStatus.BAD_REQUEST, "it begins with an HTTP request")
        self._first_line = None
