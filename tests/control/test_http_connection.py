"""HTTP as the organiser's server speaks it, to peers that are polite, clumsy or hostile."""

import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import attrs
import h11
import orjson
import pytest
import trio
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send
from trio.testing import MockClock, lockstep_stream_pair, memory_stream_pair

from ludothek.control.http_connection import MAX_BODY_PIECES, WRITE_BYTES, HttpConnection
from ludothek.control.http_limits import HttpLimits

LIMITS = HttpLimits(head_bytes=1000, body_bytes=2000, seconds=2.0, idle_seconds=10.0)
CLIENT = ("192.0.2.1", 5000)

# Less than one piece, but more than a small buffer of the system takes.
MUCH = b"x" * (WRITE_BYTES // 2)

Stream = trio.abc.HalfCloseableStream


def socket_pair() -> tuple[trio.SocketStream, trio.SocketStream]:
    """Real sockets, with hardly any buffers."""
    ours, theirs = trio.socket.socketpair()
    theirs.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)
    return trio.SocketStream(ours), trio.SocketStream(theirs)


class Nothing:
    """What is streamed to somebody who waits in vain."""

    def __aiter__(self) -> "Nothing":
        return self

    async def __anext__(self) -> bytes:
        await trio.sleep_forever()


async def echo(request: Request) -> Response:
    return JSONResponse(
        {
            "method": request.method,
            "path": request.scope["path"],
            "query": dict(request.query_params),
            "version": request.scope["http_version"],
            "client": request.client,
            "body": (await request.body()).decode(),
        }
    )


async def tell_in_parts(_: Request) -> Response:
    async def parts() -> AsyncIterator[bytes]:
        for part in (b"one ", b"two ", b"three"):
            yield part

    return StreamingResponse(parts())


async def tell_nothing(_: Request) -> Response:
    return Response(status_code=204)


async def tell_a_lot(_: Request) -> Response:
    return Response(b"x" * 3 * WRITE_BYTES)


async def tell_much(_: Request) -> Response:
    return Response(MUCH)


async def wait_for_nothing(_: Request) -> Response:
    return StreamingResponse(Nothing())


async def crash(_: Request) -> Response:
    raise ZeroDivisionError("a bug")


APP = Starlette(
    routes=[
        Route("/parts", tell_in_parts),
        Route("/nothing", tell_nothing),
        Route("/lot", tell_a_lot),
        Route("/much", tell_much),
        Route("/wait", wait_for_nothing),
        Route("/crash", crash),
        Route("/{path:path}", echo, methods=["GET", "POST", "OPTIONS"]),
    ]
)


@attrs.define(eq=False)
class Peer:
    """The other end of a connection, which reads answers with h11."""

    stream: Stream
    served: trio.Event
    http: h11.Connection = attrs.field(factory=lambda: h11.Connection(h11.CLIENT))

    async def ask(self, head: str, *body: bytes, method: str = "GET") -> tuple[int, bytes]:
        """Send a request as it stands here, and read its answer."""
        await self.say(head, *body)
        return await self.hear(method)

    async def say(self, head: str, *body: bytes) -> None:
        text = head.replace("\n", "\r\n") + "\r\n\r\n"
        await self.stream.send_all(text.encode() + b"".join(body))

    async def hear(self, method: str = "GET") -> tuple[int, bytes]:
        """An answer: its status and content."""
        response, content = await self.hear_response(method)
        return response.status_code, content

    async def hear_response(self, method: str = "GET") -> tuple[h11.Response, bytes]:
        # h11 wants to know what was asked; what was really said may be no HTTP at all.
        if self.http.our_state is h11.DONE:
            self.http.start_next_cycle()
        self.http.send(h11.Request(method=method, target="/", headers=[("Host", "x")]))
        self.http.send(h11.EndOfMessage())
        response = await self._next()
        assert isinstance(response, h11.Response)
        content = b""
        while isinstance(event := await self._next(), h11.Data):
            content += event.data
        assert isinstance(event, h11.EndOfMessage)
        return response, content

    async def _next(self) -> Any:
        while (event := self.http.next_event()) is h11.NEED_DATA:
            self.http.receive_data(bytes(await self.stream.receive_some()))
        return event

    async def hear_end(self) -> None:
        """Fail unless the connection ends here, without another byte."""
        assert self.http.trailing_data[0] == b""
        assert await self.stream.receive_some() == b""


@asynccontextmanager
async def connected(
    app: ASGIApp = APP,
    limits: HttpLimits = LIMITS,
    pair: Callable[[], tuple[Stream, Stream]] = memory_stream_pair,
) -> AsyncIterator[Peer]:
    ours, theirs = pair()
    served = trio.Event()

    async def serve() -> None:
        await HttpConnection(app, theirs, limits, CLIENT).serve()
        await theirs.aclose()
        served.set()

    async with trio.open_nursery() as nursery:
        nursery.start_soon(serve)
        with trio.fail_after(1000):
            yield Peer(ours, served)
        nursery.cancel_scope.cancel()


async def took(work: Callable[[], Awaitable[object]]) -> float:
    """How many seconds that took."""
    start = trio.current_time()
    await work()
    return trio.current_time() - start


GET = "GET /a HTTP/1.1\nHost: x"
POST = "POST /a HTTP/1.1\nHost: x\n"


# What an application gets to see


async def test_an_application_sees_the_whole_request(autojump_clock: MockClock) -> None:
    async with connected() as peer:
        head = "POST /a%20b/%C3%A4?x=1&y=%26 HTTP/1.1\nHost: x\nContent-Length: 3"
        status, content = await peer.ask(head, b"abc")
        assert status == 200
        assert orjson.loads(content) == {
            "method": "POST",
            "path": "/a b/ä",
            "query": {"x": "1", "y": "&"},
            "version": "1.1",
            "client": list(CLIENT),
            "body": "abc",
        }


async def test_a_chunked_body_is_put_together(autojump_clock: MockClock) -> None:
    async with connected() as peer:
        chunks = b"3\r\nabc\r\n4;extension\r\ndefg\r\n0\r\nTrailer: x\r\n\r\n"
        for split in range(len(chunks)):
            await peer.say(POST + "Transfer-Encoding: chunked", chunks[:split])
            await peer.stream.send_all(chunks[split:])
            status, content = await peer.hear()
            assert (status, orjson.loads(content)["body"]) == (200, "abcdefg")


async def test_a_body_that_waits_for_permission_gets_it(autojump_clock: MockClock) -> None:
    async with connected() as peer:
        await peer.say(POST + "Content-Length: 3\nExpect: 100-continue")
        assert await peer.stream.receive_some() == b"HTTP/1.1 100 \r\n\r\n"
        await peer.stream.send_all(b"abc")
        status, content = await peer.hear()
        assert (status, orjson.loads(content)["body"]) == (200, "abc")


async def test_a_body_that_is_too_large_gets_no_permission(autojump_clock: MockClock) -> None:
    async with connected() as peer:
        head = POST + "Content-Length: 2001\nExpect: 100-continue"
        assert (await peer.ask(head))[0] == 413
        await peer.hear_end()


# One request after the other


async def test_a_connection_is_kept_for_the_next_request(autojump_clock: MockClock) -> None:
    async with connected() as peer:
        for path in ("/parts", "/a", "/nothing", "/lot", "/a"):
            assert (await peer.ask(f"GET {path} HTTP/1.1\nHost: x"))[0] in (200, 204)
            await trio.sleep(LIMITS.idle_seconds - 1)
        assert await took(peer.hear_end) == pytest.approx(1)


async def test_pipelined_requests_are_answered_in_order(autojump_clock: MockClock) -> None:
    async with connected() as peer:
        requests = [f"{POST}Content-Length: 1\r\n\r\n{number}" for number in range(9)]
        await peer.stream.send_all("".join(requests).replace("x\n", "x\r\n").encode())
        for number in range(9):
            _, content = await peer.hear()
            assert orjson.loads(content)["body"] == str(number)


async def test_a_connection_ends_if_the_peer_wants_it_to(autojump_clock: MockClock) -> None:
    async with connected() as peer:
        await peer.say(GET + "\nConnection: close")
        response, _ = await peer.hear_response()
        assert (b"connection", b"close") in list(response.headers)
        await peer.hear_end()


@pytest.mark.parametrize("path", ["/a", "/parts"])
async def test_http_1_0_is_answered_without_chunks(path: str, autojump_clock: MockClock) -> None:
    async with connected() as peer:
        await peer.say(f"GET {path} HTTP/1.0")
        response, content = await peer.hear_response()
        assert b"transfer-encoding" not in dict(response.headers)
        assert content in (b"one two three",) or orjson.loads(content)["version"] == "1.0"
        await peer.hear_end()


@pytest.mark.parametrize("path", ["/a", "/parts", "/lot"])
async def test_head_is_get_without_content(path: str, autojump_clock: MockClock) -> None:
    async with connected() as peer:
        heads = []
        for method in ("GET", "HEAD"):
            await peer.say(f"{method} {path} HTTP/1.1\nHost: x")
            response, content = await peer.hear_response(method)
            heads.append(sorted(name for name, _ in response.headers))
            assert bool(content) == (method == "GET")
        assert heads[0] == heads[1]
        # Nothing of the content is left on the line.
        assert (await peer.ask("GET /nothing HTTP/1.1\nHost: x"))[0] == 204


async def test_an_upgrade_is_not_granted(autojump_clock: MockClock) -> None:
    async with connected() as peer:
        head = GET + "\nConnection: Upgrade\nUpgrade: websocket\nSec-WebSocket-Version: 13"
        assert (await peer.ask(head))[0] == 200
        assert (await peer.ask(GET))[0] == 200


# What is refused


NOT_HTTP = [
    ("GET", 400),
    ("\0\1\2", 400),
    ("GET / HTTP/1.1", 400),  # no Host
    ("GET / HTTP/1.1\nHost: x\nHost: y", 400),
    ("GET / HTTP/1.1\nHost: x\nno colon", 400),
    ("GET / HTTP/1.1\nHost: x\nContent-Length: -1", 400),
    ("GET / HTTP/1.1\nHost: x\nContent-Length: 1\nContent-Length: 2", 400),
    ("GET / HTTP/1.1\nHost: x\nTransfer-Encoding: gzip", 501),
    (f"GET / HTTP/1.1\nHost: x\nLong: {'x' * 20_000}", 431),
    (f"GET /{'x' * 20_000} HTTP/1.1\nHost: x", 431),
    (POST + "Content-Length: 1\nTransfer-Encoding: chunked", 400),
    (POST + "Content-Length: 2001", 413),
    (POST + f"Content-Length: {'9' * 19}", 413),
]


@pytest.mark.parametrize("before", [None, "GET", "HEAD"])
@pytest.mark.parametrize(("head", "status"), NOT_HTTP)
async def test_what_is_no_request_is_refused(
    head: str, status: int, before: str | None, autojump_clock: MockClock
) -> None:
    async with connected() as peer:
        if before:
            await peer.ask(f"{before} /a HTTP/1.1\nHost: x", method=before)
        await peer.say(head)
        response, content = await peer.hear_response()
        assert response.status_code == status
        assert list(orjson.loads(content)) == ["error"]
        assert (b"connection", b"close") in list(response.headers)
        await peer.hear_end()


async def test_a_refused_head_request_is_answered_without_content(
    autojump_clock: MockClock,
) -> None:
    async with connected() as peer:
        status, content = await peer.ask(
            "HEAD / HTTP/1.1\nHost: x\nContent-Length: 9999", method="HEAD"
        )
        assert (status, content) == (413, b"")
        await peer.hear_end()


async def test_a_head_that_never_ends_is_refused(autojump_clock: MockClock) -> None:
    async with connected() as peer:
        await peer.stream.send_all(b"GET / HTTP/1.1\r\n")
        for _ in range(50):
            await peer.stream.send_all(b"X: " + b"x" * 100 + b"\r\n")
        assert (await peer.hear())[0] == 431


@pytest.mark.parametrize(
    ("chunks", "status"),
    [
        (b"7d1\r\n" + b"x" * 2001 + b"\r\n", 413),
        (b"7d0\r\n" + b"x" * 2000 + b"\r\n1\r\nx\r\n", 413),
        (b"7d0\r\n" + b"x" * 2000 + b"\r\n0\r\n\r\n", 200),
        (b"1\r\nx\r\n" * (MAX_BODY_PIECES + 1), 413),
        (b"1\r\nx\r\n" * MAX_BODY_PIECES + b"0\r\n\r\n", 200),
        (b"zz\r\n", 400),
        (b"1\r\nxx\r\n", 400),
    ],
)
async def test_a_chunked_body_has_the_same_limits(
    chunks: bytes, status: int, autojump_clock: MockClock
) -> None:
    async with connected() as peer:
        assert (await peer.ask(POST + "Transfer-Encoding: chunked", chunks))[0] == status


async def test_a_refused_body_is_read_on_so_that_the_refusal_arrives(
    autojump_clock: MockClock,
) -> None:
    """Closing a socket with unread input would reset the connection."""
    async with connected(pair=lockstep_stream_pair) as peer:
        async with trio.open_nursery() as nursery:
            await peer.say(POST + "Content-Length: 50000")
            nursery.start_soon(peer.stream.send_all, b"x" * 50_000)
            assert (await peer.hear())[0] == 413
        await peer.stream.send_eof()
        await peer.served.wait()


# Slow peers


@pytest.mark.parametrize("start", [b"", b"GET / HT", b"GET / HTTP/1.1\r\nHost: x\r\n"])
async def test_a_head_must_come_in_time(start: bytes, autojump_clock: MockClock) -> None:
    async with connected() as peer:
        await peer.stream.send_all(start)
        assert await took(peer.hear_end) == pytest.approx(LIMITS.seconds)


async def test_a_head_in_drops_gains_no_time(autojump_clock: MockClock) -> None:
    async def drip() -> None:
        await peer.stream.send_all(b"GET / HTTP/1.1\r\n")
        while True:
            await peer.stream.send_all(b"X: x\r\n")
            await trio.sleep(0.1)

    async with connected() as peer, trio.open_nursery() as nursery:
        nursery.start_soon(drip)
        assert await took(peer.hear_end) == pytest.approx(LIMITS.seconds)
        nursery.cancel_scope.cancel()


async def test_a_body_in_drops_gains_no_time(autojump_clock: MockClock) -> None:
    async def drip() -> None:
        await peer.say(POST + "Content-Length: 1000")
        while True:
            await peer.stream.send_all(b"x")
            await trio.sleep(0.1)

    async def heard() -> None:
        status, content = await peer.hear()
        assert status == 408
        assert b"not complete after 2 seconds" in content

    async with connected() as peer, trio.open_nursery() as nursery:
        nursery.start_soon(drip)
        assert await took(heard) == pytest.approx(LIMITS.seconds)
        # Its drops are read for some more seconds, but not as long as it likes.
        assert await took(peer.served.wait) == pytest.approx(LIMITS.seconds)
        nursery.cancel_scope.cancel()


async def test_a_peer_that_does_not_read_is_dropped(autojump_clock: MockClock) -> None:
    async with connected(pair=lockstep_stream_pair) as peer:
        await peer.say("GET /lot HTTP/1.1\nHost: x")
        assert await took(peer.served.wait) == pytest.approx(LIMITS.seconds)


async def test_a_peer_that_reads_slowly_gets_everything(autojump_clock: MockClock) -> None:
    """As long as it takes each piece in time."""
    async with connected(pair=lockstep_stream_pair) as peer:
        await peer.say("GET /lot HTTP/1.1\nHost: x\nConnection: close")
        heard = b""
        while piece := await peer.stream.receive_some(WRITE_BYTES // 4):
            heard += piece
            await trio.sleep(LIMITS.seconds / 5)
        assert len(heard.partition(b"\r\n\r\n")[2]) == 3 * WRITE_BYTES


# Peers that go


async def test_a_peer_that_has_closed_its_side_still_gets_its_answer(
    autojump_clock: MockClock,
) -> None:
    async with connected() as peer:
        await peer.say(GET)
        await peer.stream.send_eof()
        assert (await peer.hear())[0] == 200
        await peer.hear_end()


@pytest.mark.parametrize("start", ["GET / HTTP/1.1", POST + "Content-Length: 9\r\n\r\nx"])
async def test_half_a_request_is_none(start: str, autojump_clock: MockClock) -> None:
    async with connected() as peer:
        await peer.stream.send_all(start.replace("x\nC", "x\r\nC").encode())
        await peer.stream.send_eof()
        assert (await peer.hear())[0] == 400
        await peer.hear_end()


@pytest.mark.parametrize("path", ["/a", "/lot"])
async def test_a_peer_that_is_gone_disturbs_nobody(path: str, autojump_clock: MockClock) -> None:
    async with connected() as peer:
        await peer.say(f"GET {path} HTTP/1.1\nHost: x")
        await peer.stream.aclose()
        await peer.served.wait()


async def test_a_bug_is_answered_and_reported(autojump_clock: MockClock) -> None:
    """Whoever runs the connection gets to know."""
    ours, theirs = memory_stream_pair()
    peer = Peer(ours, trio.Event())
    await peer.say("GET /crash HTTP/1.1\nHost: x")
    with pytest.raises(ZeroDivisionError):
        await HttpConnection(APP, theirs, LIMITS).serve()
    assert (await peer.hear())[0] == 500


# Live events


@attrs.define(eq=False)
class Feed:
    """A state that changes, and a stream of it for every viewer: no queue, only the newest."""

    newest: int = 0
    changed: trio.Event = attrs.field(factory=trio.Event)
    viewers: int = 0

    def change(self) -> None:
        self.newest += 1
        self.changed.set()
        self.changed = trio.Event()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        head = (b"content-type", b"text/event-stream")
        await send({"type": "http.response.start", "status": 200, "headers": [head]})
        self.viewers += 1
        try:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self._tell, send)
                while (await receive())["type"] != "http.disconnect":
                    pass
                nursery.cancel_scope.cancel()
        finally:
            self.viewers -= 1

    async def _tell(self, send: Send) -> None:
        while True:
            changed = self.changed
            body = b"data: %d\n\n" % self.newest
            await send({"type": "http.response.body", "body": body, "more_body": True})
            await changed.wait()

    @property
    def app(self) -> Starlette:
        return Starlette(routes=[Route("/", self)])


ROOT = "GET / HTTP/1.1\nHost: x"


async def hear_event(peer: Peer) -> int:
    """The newest event that has arrived."""
    data = await peer.stream.receive_some()
    return int(data.rpartition(b"data: ")[2].split()[0])


async def test_events_arrive_when_they_happen(autojump_clock: MockClock) -> None:
    feed = Feed()
    async with connected(feed.app) as peer:
        await peer.say(ROOT)
        assert await hear_event(peer) == 0
        for number in range(1, 4):
            await trio.sleep(100 * LIMITS.seconds)  # no silence is too long
            feed.change()
            assert await hear_event(peer) == number


async def test_a_slow_viewer_skips_to_the_newest_state(autojump_clock: MockClock) -> None:
    feed = Feed()
    async with connected(feed.app, pair=lockstep_stream_pair) as peer:
        await peer.say(ROOT)
        await trio.testing.wait_all_tasks_blocked()
        for _ in range(1000):
            feed.change()
            await trio.sleep(0.001)
        heard = [await hear_event(peer), await hear_event(peer)]
        assert heard == [0, 1000]


async def test_a_viewer_that_does_not_read_is_dropped(autojump_clock: MockClock) -> None:
    feed = Feed()
    async with connected(feed.app, pair=lockstep_stream_pair) as peer:
        await peer.say(ROOT)
        await peer.served.wait()
        assert feed.viewers == 0


async def test_a_viewer_that_goes_is_noticed_while_nothing_happens(
    autojump_clock: MockClock,
) -> None:
    feed = Feed()
    async with connected(feed.app) as peer:
        await peer.say(ROOT)
        await hear_event(peer)
        assert feed.viewers == 1
        await peer.stream.send_eof()
        await peer.served.wait()
        assert feed.viewers == 0


async def test_a_viewer_that_is_torn_away_is_noticed(autojump_clock: MockClock) -> None:
    feed = Feed()
    async with connected(feed.app, pair=socket_pair) as peer:
        await peer.say(ROOT)
        await trio.testing.wait_all_tasks_blocked()
        assert feed.viewers == 1
        await peer.stream.aclose()  # an event is unread: that is a reset
        await peer.served.wait()
        assert feed.viewers == 0


async def test_starlettes_own_streams_end_with_their_peer(autojump_clock: MockClock) -> None:
    async with connected() as peer:
        await peer.say("GET /wait HTTP/1.1\nHost: x")
        await trio.testing.wait_all_tasks_blocked()
        await peer.stream.send_eof()
        await peer.served.wait()


async def test_a_viewer_cannot_fill_the_memory_with_further_requests(
    autojump_clock: MockClock,
) -> None:
    feed = Feed()
    async with connected(feed.app, pair=lockstep_stream_pair) as peer:
        await peer.say(ROOT)
        await hear_event(peer)
        with trio.move_on_after(100 * LIMITS.seconds) as patience:
            await peer.stream.send_all(b"x" * 1_000_000)
        assert patience.cancelled_caught


# The end


async def test_nothing_keeps_the_daemon_from_ending(autojump_clock: MockClock) -> None:
    async def end(app: ASGIApp, head: str) -> float:
        async with connected(app, pair=lockstep_stream_pair) as peer:
            if head:
                await peer.say(head)
            await trio.testing.wait_all_tasks_blocked()
            start = trio.current_time()
        return trio.current_time() - start

    assert await end(APP, "") == 0
    assert await end(APP, ROOT) <= LIMITS.seconds  # not read
    assert await end(APP, "GET /lot HTTP/1.1\nHost: x") <= LIMITS.seconds  # not read either
    assert await end(Feed().app, ROOT) <= LIMITS.seconds


async def test_an_answer_that_has_begun_is_finished_when_the_daemon_ends(
    autojump_clock: MockClock,
) -> None:
    ours, theirs = socket_pair()
    async with ours, theirs, trio.open_nursery() as nursery:
        nursery.start_soon(HttpConnection(APP, theirs, LIMITS).serve)
        peer = Peer(ours, trio.Event())
        await peer.say("GET /much HTTP/1.1\nHost: x")
        await trio.testing.wait_all_tasks_blocked()
        nursery.cancel_scope.cancel()
        with trio.CancelScope(shield=True), trio.fail_after(1000):
            assert await peer.hear() == (200, MUCH)
