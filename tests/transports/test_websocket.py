"""The WebSocket transport against peers that speak RFC 6455 well, oddly, badly or not at all."""

import re
import struct
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from functools import partial

import attrs
import pytest
import structlog
import trio
from structlog.testing import LogCapture
from trio.testing import MockClock
from wsproto.utilities import generate_accept_token

from ludothek.runtime.guarded_nursery import Guarded
from tests.support.raw_websocket import BINARY, CLOSE, HANDSHAKE, PING, PONG, TEXT, RawPeer, frame
from transports import Farewell, Link, Terms, Unreadable, WebSocket, open_listeners, open_poller
from transports.terms import TERMS, OpenDoor
from transports.websocket_close import CLOSE_CODES


@attrs.define(eq=False)
class Server:
    """An echo server on the transport under test, and what it has seen of its peers."""

    port: int
    links: list[Link] = attrs.field(factory=list)
    unreadable: list[Unreadable] = attrs.field(factory=list)

    async def echo(self, link: Link) -> None:
        self.links.append(link)
        try:
            while True:
                frame = await link.receive()
                if isinstance(frame, Unreadable):
                    self.unreadable.append(frame)
                elif frame == b"goodbye":
                    return
                else:
                    await link.send(frame)
        except (trio.EndOfChannel, trio.BrokenResourceError):
            pass
        finally:
            with trio.move_on_after(2, shield=True):
                await link.aclose(Farewell.GOING_AWAY)


@asynccontextmanager
async def serving(
    transport: WebSocket, host: str = "127.0.0.1", terms: Terms = TERMS
) -> AsyncIterator[Server]:
    async with open_poller() as poller, trio.open_nursery() as nursery:
        listeners = await open_listeners(host, 0)
        server = Server(listeners[0].socket.getsockname()[1])
        serve = partial(transport.serve, poller=poller, door=OpenDoor(terms))
        await nursery.start(serve, server.echo, listeners, Guarded(nursery))
        yield server
        nursery.cancel_scope.cancel()


@pytest.fixture
async def server() -> AsyncIterator[Server]:
    async with serving(WebSocket(max_bytes=1000)) as server:
        yield server


@pytest.fixture(autouse=True)
def logs() -> LogCapture:
    capture = LogCapture()
    structlog.configure(processors=[capture])
    return capture


@asynccontextmanager
async def raw(server: Server, *, shaken: bool = True) -> AsyncIterator[RawPeer]:
    async with await trio.open_tcp_stream("127.0.0.1", server.port) as stream:
        peer = RawPeer(stream)
        if shaken:
            assert (await peer.shake()).startswith(b"HTTP/1.1 101 ")
        yield peer


@pytest.mark.parametrize("path", [b"/", b"/any/path?with=query", b"*"])
@pytest.mark.parametrize(
    ("headers", "chosen"),
    [
        (b"", b""),
        (b"Origin: http://somewhere.example\r\n", b""),
        (b"Sec-WebSocket-Protocol: \r\n", b""),
        (b"Sec-WebSocket-Protocol: hexxagon, chat\r\n", b"hexxagon"),
    ],
)
async def test_any_path_origin_and_subprotocol_is_welcome(
    server: Server, path: bytes, headers: bytes, chosen: bytes
) -> None:
    async with raw(server, shaken=False) as peer:
        answer = await peer.shake(path, headers)
        assert answer.startswith(b"HTTP/1.1 101 ")
        assert b"s3pPLMBiTxaQ9kYGzzhZRbK+xOo=" in answer
        _, _, subprotocol = answer.partition(b"Sec-WebSocket-Protocol: ")
        assert subprotocol.strip() == chosen
        await peer.write(frame(TEXT, b"hello"))
        assert await peer.read_frame() == (TEXT, b"hello")


@pytest.mark.parametrize("size", [0, 1, 125, 126, 127, 999])
async def test_a_message_comes_back_as_one_frame(server: Server, size: int) -> None:
    async with raw(server) as peer:
        await peer.write(frame(TEXT, b"x" * size))
        assert await peer.read_frame() == (TEXT, b"x" * size)


async def test_a_message_may_arrive_in_fragments_and_byte_by_byte(server: Server) -> None:
    async with raw(server) as peer:
        data = frame(TEXT, "Grüße ".encode(), final=False) + frame(0, b"an alle")
        for byte in data:
            await peer.write(bytes([byte]))
        assert await peer.read_frame() == (TEXT, "Grüße an alle".encode())


async def test_empty_fragments_do_not_pile_up(server: Server) -> None:
    async with raw(server) as peer:
        await peer.write(frame(TEXT, b"one ", final=False) + frame(0, b"", final=False) * 10_000)
        await peer.write(frame(PING, b"read so far?"))
        assert await peer.read_frame() == (PONG, b"read so far?")
        await peer.write(frame(0, b"two"))
        assert await peer.read_frame() == (TEXT, b"one two")


async def test_a_ping_between_fragments_is_answered_at_once(server: Server) -> None:
    async with raw(server) as peer:
        await peer.write(frame(TEXT, b"one ", final=False) + frame(PING, b"are you there?"))
        assert await peer.read_frame() == (PONG, b"are you there?")
        await peer.write(frame(0, b"two"))
        assert await peer.read_frame() == (TEXT, b"one two")


@pytest.mark.parametrize("size", [1001, 70_000, 10_000_000])
async def test_a_message_that_is_too_long_is_closed_with_1009(server: Server, size: int) -> None:
    async with raw(server) as peer, trio.open_nursery() as nursery:
        nursery.start_soon(_write_what_goes, peer, frame(TEXT, b"x" * size))
        assert await peer.read_close() == 1009
        nursery.cancel_scope.cancel()


async def test_a_message_announced_as_endless_is_closed_with_1009(server: Server) -> None:
    async with raw(server) as peer:
        await peer.write(struct.pack("!BBQ", 0x81, 0xFF, 1 << 40) + b"\0\0\0\0" + b"x" * 2000)
        assert await peer.read_close() == 1009


async def test_many_small_fragments_are_limited_together(server: Server) -> None:
    async with raw(server) as peer:
        await peer.write(frame(TEXT, b"x" * 600, final=False) + frame(0, b"x" * 600))
        assert await peer.read_close() == 1009


async def _write_what_goes(peer: RawPeer, data: bytes) -> None:
    with suppress(trio.BrokenResourceError):
        await peer.write(data)


async def test_a_binary_frame_is_closed_with_1003(server: Server) -> None:
    async with raw(server) as peer:
        await peer.write(frame(BINARY, b"\0\1"))
        assert await peer.read_close() == 1003


async def test_a_game_may_hear_of_binary_frames_instead() -> None:
    async with serving(WebSocket(binary_is_unreadable=True)) as server, raw(server) as peer:
        await peer.write(frame(BINARY, b"\0\1") + frame(TEXT, b"and on"))
        assert await peer.read_frame() == (TEXT, b"and on")
        assert len(server.unreadable) == 1


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (frame(TEXT, b"\xff\xfe"), 1007),
        (frame(TEXT, b"\xc3", final=False) + frame(0, b"("), 1007),
        (b"\x81\x05hello", 1002),  # not masked
        (frame(3, b"reserved opcode"), 1002),
        (bytes([0xF1]) + frame(TEXT, b"reserved bits")[1:], 1002),
        (frame(0, b"nothing to continue"), 1002),
        (frame(TEXT, b"a", final=False) + frame(TEXT, b"b"), 1002),
        (frame(PING, b"x", final=False), 1002),
        (frame(PING, b"x" * 126), 1002),
        (frame(CLOSE, b"\0"), 1002),
        (frame(CLOSE, struct.pack("!H", 1005)), 1002),
    ],
)
async def test_what_the_rfc_forbids_is_closed_with_its_code(
    server: Server, data: bytes, code: int
) -> None:
    async with raw(server) as peer:
        await peer.write(data)
        assert await peer.read_close() == code
        with pytest.raises(EOFError):
            await peer.read(1)


async def test_an_answer_that_crosses_with_a_broken_frame_is_no_fault_of_ours(
    server: Server, logs: LogCapture
) -> None:
    for _ in range(10):
        async with raw(server) as peer:
            await peer.write(frame(TEXT, b"hello") + frame(TEXT, b"\xff"))
            with pytest.raises(EOFError):
                await peer.read(1000)
    assert [entry for entry in logs.entries if entry["log_level"] == "error"] == []


async def test_a_close_is_answered_with_its_own_code(server: Server) -> None:
    async with raw(server) as peer:
        await peer.write(frame(CLOSE, struct.pack("!H", 1000) + b"bye"))
        assert await peer.read_close() == 1000
        with pytest.raises(EOFError):
            await peer.read(1)


async def test_a_goodbye_of_ours_carries_its_code(server: Server) -> None:
    async with raw(server) as peer:
        await peer.write(frame(TEXT, b"goodbye"))
        assert await peer.read_close() == 1001


def test_every_farewell_has_a_close_code() -> None:
    assert set(CLOSE_CODES) == set(Farewell)


@pytest.mark.parametrize(
    "rudeness",
    [
        b"",
        b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"POST /game HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\nhello",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",  # a TLS hello
        b"\x00" * 1000,
        b"GET / HTTP/1.1\r\nX: " + b"x" * 200_000,
        HANDSHAKE % (b"/", b"Sec-WebSocket-Extensions: permessage-deflate\r\n") + b"\xff" * 50,
        HANDSHAKE.replace(b"13", b"99") % (b"/", b""),
    ],
)
async def test_rude_peers_harm_only_themselves(
    server: Server, rudeness: bytes, logs: LogCapture
) -> None:
    async with raw(server, shaken=False) as rude, raw(server) as peer:
        await _write_what_goes(rude, rudeness)
        await rude.stream.aclose()
        await peer.write(frame(TEXT, b"hello"))
        assert await peer.read_frame() == (TEXT, b"hello")
    assert [entry for entry in logs.entries if entry["log_level"] == "error"] == []


async def test_an_abrupt_end_at_any_byte_leaves_no_trace(server: Server, logs: LogCapture) -> None:
    script = HANDSHAKE % (b"/", b"") + frame(TEXT, b"hello") + frame(CLOSE, b"")
    for cut in range(0, len(script), 7):
        async with raw(server, shaken=False) as peer:
            await peer.write(script[:cut])
            linger = struct.pack("ii", 1, 0)  # a reset instead of an orderly end
            peer.stream.setsockopt(trio.socket.SOL_SOCKET, trio.socket.SO_LINGER, linger)
    async with raw(server) as peer:
        await peer.write(frame(TEXT, b"hello"))
        assert await peer.read_frame() == (TEXT, b"hello")
    assert [entry for entry in logs.entries if entry["log_level"] == "error"] == []


async def test_who_does_not_shake_hands_in_time_is_hung_up_on() -> None:
    hasty = Terms(handshake_seconds=0.05)
    async with serving(WebSocket(), terms=hasty) as server, raw(server, shaken=False) as peer:
        await peer.write(b"GET / HTTP/1.1\r\n")
        with pytest.raises(EOFError):
            await peer.read(1)
    assert server.links == []


async def test_all_addresses_means_both_ip_versions_on_one_port() -> None:
    async with serving(WebSocket(), host="*") as server:
        for address in ("127.0.0.1", "::1"):
            async with WebSocket().connect(address, server.port) as link:
                await link.send(b"hello")
                assert await link.receive() == b"hello"


async def test_a_port_without_a_server_cannot_be_reached() -> None:
    listeners = await open_listeners("127.0.0.1", 0)
    port = listeners[0].socket.getsockname()[1]
    await listeners[0].aclose()
    with pytest.raises(OSError, match="failed"):
        async with WebSocket().connect("127.0.0.1", port):
            pass


TOKEN = b"TOKEN"  # stands for the right one
WELCOME = (
    b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Accept: TOKEN\r\n\r\n"
)


@asynccontextmanager
async def answering(answer: bytes) -> AsyncIterator[tuple[int, list[bytes]]]:
    """A server that says this to whatever it is asked and then hangs up, and what it was asked."""
    asked: list[bytes] = []

    async def serve(stream: trio.SocketStream) -> None:
        asked.append(bytes(await stream.receive_some()))
        key = re.search(rb"Sec-WebSocket-Key: (.*)\r", asked[0], re.IGNORECASE)
        assert key is not None
        await stream.send_all(answer.replace(TOKEN, generate_accept_token(key[1])))

    async with trio.open_nursery() as nursery:
        (listener,) = await nursery.start(partial(trio.serve_tcp, serve, 0, host="127.0.0.1"))
        yield listener.socket.getsockname()[1], asked
        nursery.cancel_scope.cancel()


async def test_our_request_says_what_the_rfc_wants() -> None:
    async with (
        answering(WELCOME + b"\x81\x05Hello") as (port, asked),
        WebSocket().connect("127.0.0.1", port) as link,
    ):
        assert await link.receive() == b"Hello"
    line, *headers = asked[0].lower().rstrip().split(b"\r\n")
    assert line == b"get / http/1.1"
    assert {
        b"host: 127.0.0.1:%d" % port,
        b"upgrade: websocket",
        b"connection: upgrade",
        b"sec-websocket-version: 13",
    } <= set(headers)


@pytest.mark.parametrize(
    "answer",
    [
        b"HTTP/1.1 404 Not Found\r\nContent-Length: 3\r\n\r\nno!",
        b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n<html>",
        b"HTTP/1.1 103 Early Hints\r\n\r\n",
        WELCOME.replace(TOKEN, b"s3pPLMBiTxaQ9kYGzzhZRbK+xOo="),
        WELCOME.replace(b"\r\n\r\n", b"\r\nSec-WebSocket-Protocol: x\r\n\r\n"),
        WELCOME.replace(b"\r\n\r\n", b"\r\nSec-WebSocket-Extensions: x\r\n\r\n"),
        WELCOME.replace(b"\r\n\r\n", b"\r\nConnection: \xff\r\n\r\n"),
        WELCOME.replace(b"Upgrade: websocket\r\n", b""),
        b"220 mail.example.org ESMTP\r\n\r\n",
        b"HTTP/1.1 101 Switching\r\nX: " + b"x" * 200_000,
        WELCOME[:-2],
        b"",
    ],
)
async def test_whatever_is_no_welcome_is_no_server(
    answer: bytes, unhurried_clock: MockClock
) -> None:
    async with answering(answer) as (port, _):
        with pytest.raises(OSError, match="answers"):
            async with WebSocket().connect("127.0.0.1", port):
                pass


async def test_a_taken_port_is_an_error() -> None:
    (listener,) = await open_listeners("127.0.0.1", 0)
    async with listener:
        with pytest.raises(OSError, match="in use"):
            await open_listeners("127.0.0.1", listener.socket.getsockname()[1])
