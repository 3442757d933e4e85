"""A client's request for a WebSocket connection, and what may be wrong with it (RFC 6455, section
4.2); no I/O."""

import re
from base64 import b64decode
from collections.abc import Sequence
from http import HTTPStatus

import attrs
import h11

from transports.http_answer import answer
from transports.origins import host_name

VERSION = b"13"
KEY_BYTES = 16

# Headers that must occur once: a request with two of them would be ambiguous.
_SINGLE = (
    b"host",
    b"upgrade",
    b"sec-websocket-key",
    b"sec-websocket-version",
    b"origin",
    b"content-length",
)
_ASCII = (*_SINGLE, b"connection", b"sec-websocket-protocol", b"sec-websocket-extensions")

# The name of a subprotocol (RFC 9110, section 5.6.2).
_TOKEN = re.compile(rb"[!#$%&'*+.^_`|~0-9A-Za-z-]+")


class HandshakeRefusal(Exception):
    """Why the handshake is refused, with the HTTP status for it."""

    mistaken = True  # whether the peer has made a mistake that nobody has noted yet

    def __init__(self, status: HTTPStatus, reason: str) -> None:
        super().__init__(reason)
        self.status = status

    def answer(self) -> bytes:
        return refusal(self.status, f"This port speaks WebSocket: {self}")


class ForeignPage(HandshakeRefusal):
    """A web page that may not connect, which is noted as such."""

    mistaken = False


class OpenedInBrowser(HandshakeRefusal):
    """A person has opened the port in a browser; they are told what it is and how to connect."""

    mistaken = False

    def __init__(self, text: str, *, bodiless: bool) -> None:
        super().__init__(HTTPStatus.UPGRADE_REQUIRED, text)
        self.bodiless = bodiless

    def answer(self) -> bytes:
        return refusal(self.status, str(self), bodiless=self.bodiless)


def refusal(status: HTTPStatus, text: str, *, bodiless: bool = False) -> bytes:
    """The response to a peer that is refused a connection."""
    headers = {"Sec-WebSocket-Version": VERSION.decode()}
    if status == HTTPStatus.UPGRADE_REQUIRED:
        headers |= {"Connection": "close, Upgrade", "Upgrade": "websocket"}
    elif status == HTTPStatus.METHOD_NOT_ALLOWED:
        headers["Allow"] = "GET, HEAD"
    return answer(status, text, headers, bodiless=bodiless)


@attrs.frozen
class UpgradeRequest:
    """The relevant parts of a request for a connection."""

    key: bytes
    host: str
    origin: str | None = None
    user_agent: str = ""
    subprotocol: bytes | None = None  # the first of those that the client offers
    forwarded: Sequence[str] = ()  # all of X-Forwarded-For


def interpret(request: h11.Request, sign: str) -> UpgradeRequest:
    """Interpret a request; any path, subprotocol and extension is fine.

    Raises:
      HandshakeRefusal: it is not a valid request for a connection.
    """
    headers = _Headers(list(request.headers))
    _check_method(request, headers, sign)
    headers.check()
    if request.http_version != b"1.1":
        raise _bad("HTTP/1.1 is needed")
    if headers.of(b"upgrade").lower() != b"websocket":
        raise _bad("a header 'Upgrade: websocket' is needed")
    if b"upgrade" not in headers.tokens(b"connection"):
        raise _bad("a header 'Connection: Upgrade' is needed")
    _check_version(headers.of(b"sec-websocket-version"))
    _check_no_body(headers)
    return UpgradeRequest(
        key=_key(headers.of(b"sec-websocket-key")),
        host=headers.of(b"host").decode(),
        origin=headers.of(b"origin").decode() or None,  # browsers never send an empty one
        user_agent=headers.of(b"user-agent").decode("latin-1"),
        subprotocol=_first_name(headers.all(b"sec-websocket-protocol")),
        forwarded=[value.decode("latin-1") for value in headers.all(b"x-forwarded-for")],
    )


@attrs.frozen
class _Headers:
    """The headers of a request; the library has converted their names to lower case."""

    items: list[tuple[bytes, bytes]]

    def __contains__(self, name: bytes) -> bool:
        return any(each == name for each, _ in self.items)

    def all(self, name: bytes) -> list[bytes]:
        return [value for each, value in self.items if each == name]

    def of(self, name: bytes) -> bytes:
        return next(iter(self.all(name)), b"")

    def tokens(self, name: bytes) -> list[bytes]:
        return [token.strip().lower() for token in b",".join(self.all(name)).split(b",")]

    def check(self) -> None:
        for name in _SINGLE:
            if len(self.all(name)) > 1:
                raise _bad(f"there is more than one header '{name.decode().title()}'")
        if not all(value.isascii() for name, value in self.items if name in _ASCII):
            raise _bad("a header is not ASCII")


def _first_name(offers: Sequence[bytes]) -> bytes | None:
    """The first subprotocol in the headers; None if there is none, or none with a proper name."""
    first, *_ = b",".join(offers).split(b",")
    name = first.strip()
    return name if _TOKEN.fullmatch(name) else None


def _bad(reason: str) -> HandshakeRefusal:
    return HandshakeRefusal(HTTPStatus.BAD_REQUEST, reason)


def _check_method(request: h11.Request, headers: _Headers, sign: str) -> None:
    wants_page = b"upgrade" not in headers and b"sec-websocket-key" not in headers
    if request.method not in (b"GET", b"HEAD") or (request.method == b"HEAD" and not wants_page):
        raise HandshakeRefusal(HTTPStatus.METHOD_NOT_ALLOWED, "the method must be GET")
    if wants_page:
        raise OpenedInBrowser(_page(headers, sign), bodiless=request.method == b"HEAD")


def _page(headers: _Headers, sign: str) -> str:
    """Which game this is and how to connect, for people."""
    host = headers.of(b"host").decode("latin-1")
    if host_name(host) is None or b"x-forwarded-for" in headers:
        where = "at the address of this page, with wss:// instead of https:// (ws:// for http://)"
    else:
        where = f"at ws://{host}/"
    return (
        f"This is a server for {sign}.\n"
        f"It speaks WebSocket and has no web pages. Connect with a client of the game\n{where}"
    )


def _check_version(version: bytes) -> None:
    if not version:
        raise _bad("a header 'Sec-WebSocket-Version: 13' is needed")
    if version != VERSION:
        raise HandshakeRefusal(HTTPStatus.UPGRADE_REQUIRED, "Sec-WebSocket-Version must be 13")


def _check_no_body(headers: _Headers) -> None:
    if b"transfer-encoding" in headers or headers.of(b"content-length").strip(b"0"):
        raise _bad("the request must have no body")


def _key(text: bytes) -> bytes:
    try:
        decoded = b64decode(text, validate=True)
    except ValueError:
        decoded = b""
    if len(decoded) != KEY_BYTES:
        raise _bad("a header 'Sec-WebSocket-Key' of 16 bytes in base64 is needed")
    return text
