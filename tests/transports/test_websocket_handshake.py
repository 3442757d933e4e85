"""The HTTP part of a WebSocket connection, with well and ill behaved clients."""

import gc

import attrs
import h11
import pytest
import trio
from trio.testing import memory_stream_pair, wait_all_tasks_blocked

from tests.support.raw_websocket import HANDSHAKE
from transports.websocket_handshake import MAX_HEAD_BYTES, HandshakeError, accept

REQUEST = HANDSHAKE % (b"/", b"")


def with_header(*lines: bytes) -> bytes:
    return HANDSHAKE % (b"/", b"".join(line + b"\r\n" for line in lines))


def with_key(key: bytes) -> bytes:
    return REQUEST.replace(b"dGhlIHNhbXBsZSBub25jZQ==", key)


WELCOME = (
    b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n"  # RFC 6455, section 1.3
)


@attrs.define(eq=False)
class Outcome:
    """What one side has said, and what came out of the handshake for it."""

    said: bytes = b""
    rest: bytes | None = None
    failure: str = ""


async def accepting(*pieces: bytes, sign: str = "a game") -> Outcome:
    """What our server answers and makes of a client that says these pieces and hangs up."""
    ours, theirs = memory_stream_pair()
    outcome = Outcome()

    async def serve() -> None:
        try:
            outcome.rest = await accept(ours, sign=sign)
        except HandshakeError as error:
            outcome.failure = str(error)
        await ours.send_eof()

    with trio.fail_after(60):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(serve)
            for piece in pieces:
                await wait_all_tasks_blocked()
                await theirs.send_all(piece)
            await theirs.send_eof()
            outcome.said = b"".join([bytes(data) async for data in theirs])
    return outcome


@pytest.mark.parametrize(
    "request_head",
    [
        REQUEST,
        HANDSHAKE % (b"/any/path?with=query", b""),
        HANDSHAKE % (b"*", b""),
        HANDSHAKE % (b"/", b"Sec-WebSocket-Protocol: \r\n"),
        HANDSHAKE % (b"/", b"Sec-WebSocket-Extensions: permessage-deflate; x=1\r\n"),
        HANDSHAKE % (b"/", b"Cookie: " + b"x" * 8000 + b"\r\n"),
        with_header(*[b"X: y"] * 100),
        with_header(b"Content-Length: 0"),
        with_header(b"Connection: keep-alive"),
        REQUEST.replace(b"Connection: Upgrade", b"connection: keep-alive, upgrade"),
        REQUEST.replace(b"websocket", b"WebSocket"),
        REQUEST.replace(b"\r\n", b"\n"),
    ],
)
async def test_a_request_is_welcome(request_head: bytes) -> None:
    outcome = await accepting(request_head)
    assert outcome.said == WELCOME
    assert outcome.rest == b""


async def test_who_begins_with_something_else_is_told_so_after_the_first_line() -> None:
    outcome = await accepting(b'{"messageType": "GetAvailable', b'Lobbies"}\n')
    assert outcome.said.startswith(b"HTTP/1.1 400 ")
    assert b"This port speaks WebSocket: it begins with an HTTP request" in outcome.said


@pytest.mark.parametrize(
    ("offers", "chosen"),
    [
        (b"Sec-WebSocket-Protocol: http-only\r\n", b"http-only"),
        (b"Sec-WebSocket-Protocol: Hexxagon, chat\r\n", b"Hexxagon"),
        (b"Sec-WebSocket-Protocol: one\r\nSec-WebSocket-Protocol: two\r\n", b"one"),
        (b"Sec-WebSocket-Protocol: " + b"x" * 8000 + b"\r\n", b"x" * 8000),
        (b"Sec-WebSocket-Protocol: ,\r\n", None),
        (b"Sec-WebSocket-Protocol: two words\r\n", None),
        (b'Sec-WebSocket-Protocol: "quoted"\r\n', None),
        (b"Sec-WebSocket-Protocol: one\ttwo\r\n", None),
    ],
)
async def test_a_client_gets_the_first_subprotocol_that_it_offers(
    offers: bytes, chosen: bytes | None
) -> None:
    """A browser fails a connection for which it has offered some and none was chosen."""
    outcome = await accepting(HANDSHAKE % (b"/", offers))
    answer = b"" if chosen is None else b"Sec-WebSocket-Protocol: %b\r\n" % chosen
    assert outcome.said == WELCOME[:-2] + answer + b"\r\n"


async def test_a_request_may_come_byte_by_byte() -> None:
    outcome = await accepting(*(REQUEST[n : n + 1] for n in range(len(REQUEST))))
    assert outcome.said == WELCOME


@pytest.mark.parametrize("cut", [0, 1, 100, *range(len(REQUEST) - 5, len(REQUEST) + 3)])
async def test_what_follows_the_request_is_kept(cut: int) -> None:
    data = REQUEST + b"\x81\x80\r\n\r\n"
    outcome = await accepting(data[:cut], data[cut:])
    assert outcome.said == WELCOME
    # What had not come with the end of the request is still in the stream.
    assert outcome.rest == (
        data[len(REQUEST) : cut] if cut >= len(REQUEST) else b"\x81\x80\r\n\r\n"
    )


@pytest.mark.parametrize(
    ("data", "status"),
    [
        (b"POST /game HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\nhello", 405),
        (REQUEST.replace(b"GET", b"POST"), 405),
        (REQUEST.replace(b"GET", b"HEAD"), 405),
        (REQUEST.replace(b"HTTP/1.1", b"HTTP/1.0"), 400),
        (with_header(b"Host: elsewhere"), 400),
        (with_header(b"Upgrade: websocket"), 400),
        (with_header(b"Upgrade: h2c"), 400),
        (REQUEST.replace(b"Upgrade: websocket", b"Upgrade: h2c"), 400),
        (with_header(b"Sec-WebSocket-Version: 13"), 400),
        (with_header(b"Sec-WebSocket-Version: 8"), 400),
        (REQUEST.replace(b"13", b"13, 8"), 426),
        (REQUEST.replace(b"13", b"8"), 426),
        (with_header(b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="), 400),
        (with_header(b"Origin: http://a", b"Origin: http://b"), 400),
        (with_key(b""), 400),
        (with_key(b"dGhlIHNhbXBsZQ=="), 400),  # 10 bytes
        (with_key(b"dGhlIHNhbXBsZSBub25jZSBpcyBsb25n"), 400),  # 24 bytes
        (with_key(b"dGhlIHNhbXBsZSBub25jZQ"), 400),  # without its padding
        (with_key(b"dGhlIHNhbXBs*ZSBub25jZQ=="), 400),
        (with_header(b"Content-Length: 5") + b"hello", 400),
        (with_header(b"Transfer-Encoding: chunked") + b"0\r\n\r\n", 400),
        (REQUEST.replace(b"Host: localhost\r\n", b""), 400),
        (REQUEST.replace(b"Upgrade: websocket\r\n", b""), 400),
        (REQUEST.replace(b"Connection: Upgrade\r\n", b""), 400),
        (REQUEST.replace(b"Sec-WebSocket-Version: 13\r\n", b""), 400),
        (REQUEST.replace(b"Sec-WebSocket-Key", b"Sec-WebSocket-Lock"), 400),
        (REQUEST.replace(b"localhost", b"\xff"), 400),
        (HANDSHAKE % (b"/", b"Sec-WebSocket-Protocol: \xff\r\n"), 400),
        (REQUEST.replace(b"13", b"99"), 426),
        (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", 400),  # a TLS hello, no line at all
        (b"\x00" * 1000, 400),
        (b"hello\r\n\r\n", 400),
        (b"\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\nX: " + b"x" * 200_000, 431),
        (b"GET / HTTP/1.1\r\nX: " + b"x" * MAX_HEAD_BYTES + b"\r\n\r\n", 431),
        (with_header(*[b"X:"] * 3000), 431),  # a hundred times the work of an honest one
        (with_header(b"X:", *[b" y"] * 3000), 431),
    ],
)
async def test_a_bad_request_is_answered_in_http(data: bytes, status: int) -> None:
    for pieces in ([data], [data[:10], data[10:]]):
        outcome = await accepting(*pieces)
        assert outcome.failure
        assert outcome.rest is None
        parser = h11.Connection(h11.CLIENT)
        parser.send(h11.Request(method="GET", target="/", headers=[("Host", "localhost")]))
        parser.receive_data(outcome.said)
        response = parser.next_event()
        assert isinstance(response, h11.Response)
        assert response.status_code == status
        assert dict(response.headers)[b"sec-websocket-version"] == b"13"
        body = parser.next_event()
        assert isinstance(body, h11.Data)
        assert b"WebSocket" in body.data
        assert isinstance(parser.next_event(), h11.EndOfMessage)
        assert parser.their_state is h11.MUST_CLOSE


def parsed(answer: bytes, method: str = "GET") -> tuple[h11.Response, bytes]:
    parser = h11.Connection(h11.CLIENT)
    parser.send(h11.Request(method=method, target="/", headers=[("Host", "localhost")]))
    parser.send(h11.EndOfMessage())
    parser.receive_data(answer)
    response, body = parser.next_event(), b""
    assert isinstance(response, h11.Response)
    while isinstance(event := parser.next_event(), h11.Data):
        body += event.data
    assert isinstance(event, h11.EndOfMessage)
    return response, body


@pytest.mark.parametrize("version", ["1.1", "1.0"])
@pytest.mark.parametrize("method", ["GET", "HEAD"])
async def test_who_opens_the_port_in_a_browser_reads_what_it_is(method: str, version: str) -> None:
    request = f"{method} /game HTTP/{version}\r\nHost: lab.example.org:4444\r\n\r\n"
    outcome = await accepting(request.encode(), sign="Hexxagon (Hexxagon-Netzwerkstandard 0.6.1)")
    assert outcome.rest is None
    response, body = parsed(outcome.said, method)
    headers = dict(response.headers)
    assert response.status_code == 426
    assert headers[b"upgrade"] == b"websocket"
    assert headers[b"connection"] == b"close, Upgrade"
    assert headers[b"content-type"] == b"text/plain; charset=utf-8"
    if method == "HEAD":
        assert body == b""
    else:
        assert b"Hexxagon (Hexxagon-Netzwerkstandard 0.6.1)" in body
        assert b"ws://lab.example.org:4444/" in body
        assert int(headers[b"content-length"]) == len(body)


@pytest.mark.parametrize(
    "headers",
    [
        b"Host: <script>alert(1)</script>\r\n",
        b"Host: games.example.org\r\nX-Forwarded-For: ::1\r\n",
    ],
)
async def test_an_address_that_would_lead_nowhere_is_not_named(headers: bytes) -> None:
    outcome = await accepting(b"GET / HTTP/1.1\r\n" + headers + b"\r\n")
    response, body = parsed(outcome.said)
    assert response.status_code == 426
    assert b"at the address of this page, with wss://" in body
    assert b"script" not in body


@pytest.mark.parametrize("cut", [0, 1, 20, len(REQUEST) - 1])
async def test_who_hangs_up_early_gets_no_connection(cut: int) -> None:
    outcome = await accepting(*[REQUEST[:cut]] * bool(cut))
    assert outcome.failure == "hung up during the handshake"
    assert outcome.said == b""


async def test_a_lost_connection_is_a_failed_handshake() -> None:
    ours, theirs = memory_stream_pair()
    await theirs.send_all(REQUEST)
    await theirs.aclose()
    with pytest.raises(HandshakeError, match="connection lost"):
        await accept(ours)


async def test_nothing_of_the_handshake_stays_in_memory() -> None:
    ours, theirs = memory_stream_pair()
    await theirs.send_all(REQUEST)
    gc.collect()
    gc.disable()  # not even for the garbage collector to find
    try:
        await accept(ours)
        left = [thing for thing in gc.get_objects() if isinstance(thing, h11.Connection)]
    finally:
        gc.enable()
    assert left == []
