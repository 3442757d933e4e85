"""One HTTP/1.1 connection, driven by h11 and answered by an ASGI application."""

from collections.abc import Awaitable, Callable, Iterable
from email.utils import formatdate
from functools import partial
from urllib.parse import unquote

import h11
import orjson
import trio
from starlette.types import ASGIApp, Message, Scope

from ludothek.control.http_limits import HttpLimits
from transports.begun_stream import BegunStream

READ_BYTES = 16 * 1024

# A peer has to read a long answer at least this fast: so many bytes in HttpLimits.seconds.
WRITE_BYTES = 64 * 1024

# A body in tiny chunks takes far more time to parse than its size suggests.
MAX_BODY_PIECES = 1000

Headers = Iterable[tuple[bytes, bytes]]

# Continues with a connection in another protocol, from the request for it on; closes the stream.
Takeover = Callable[[trio.abc.Stream], Awaitable[None]]

# Who takes over after this request for a WebSocket; None: nobody, it is answered like any other.
Upgrade = Callable[[Scope], Takeover | None]

# How long the body of this request may be, which is longer than usual.
Allow = Callable[[Scope], int]


class RequestRefused(Exception):
    """A request that no application gets to see."""

    def __init__(self, status: int, reason: str) -> None:
        super().__init__(reason)
        self.status = status


class HttpConnection:
    """Answers the requests of one peer, one after the other.

    A request is read completely before the application is called: applications never wait for a
    slow sender, and malformed, oversized and slow requests are all refused here. Answers are not
    buffered: `send` returns when the operating system has accepted the data, so an application
    that streams is slowed down to the speed of its peer. A peer that stops reading is dropped.
    """

    def __init__(
        self,
        app: ASGIApp,
        stream: trio.abc.HalfCloseableStream,
        limits: HttpLimits,
        client: tuple[str, int] | None = None,
        upgrade: Upgrade | None = None,
        protection: Headers = (),
        allow: Allow | None = None,
    ) -> None:
        """`upgrade` may raise RequestRefused; `protection` goes with what is refused here."""
        self._app = app
        self._stream = stream
        self._limits = limits
        self._client = client
        self._upgrade = upgrade
        self._protection = protection
        self._allow = allow
        self._http = h11.Connection(h11.SERVER, max_incomplete_event_size=limits.head_bytes)
        self._is_head = False  # to a HEAD request, the answer is sent without its body
        self._unread: bytes | None = None  # the request's body, until the application asks for it
        self._unsent = b""  # the answer's head, until there is a body to go with it
        self._answering = trio.CancelScope()

    async def serve(self) -> None:
        """Answer until either side ends the connection; the caller closes the stream."""
        try:
            takeover = await self._answer_requests()
            if takeover is not None:
                await takeover()
            else:
                await self._hang_up()
        except trio.BrokenResourceError:
            pass  # the peer is gone

    async def _answer_requests(self) -> Callable[[], Awaitable[None]] | None:
        """Answer until the connection ends here, or somebody else takes it over."""
        seconds = self._limits.seconds
        try:
            while request := await self._read_head(seconds):
                self._is_head = request.method == b"HEAD"
                self._unread = await self._read_body(request)
                if takeover := self._find_takeover(request):
                    return takeover
                with trio.CancelScope() as self._answering:
                    await self._app(self._scope(request), self._receive, self._send)
                if self._answering.cancel_called:
                    raise trio.BrokenResourceError("the answer was not read")
                if not self._http.our_state is self._http.their_state is h11.DONE:
                    return None
                self._http.start_next_cycle()
                self._is_head = False
                seconds = self._limits.idle_seconds
        except h11.RemoteProtocolError as error:
            await self._refuse(error.error_status_hint, str(error))
        except RequestRefused as refusal:
            await self._refuse(refusal.status, str(refusal))
        return None

    def _find_takeover(self, request: h11.Request) -> Callable[[], Awaitable[None]] | None:
        wanted = dict(request.headers).get(b"upgrade", b"").lower()
        if self._upgrade is None or wanted != b"websocket":
            return None
        takeover = self._upgrade(self._scope(request))
        if takeover is None:
            return None
        stream = BegunStream(self._stream, _head(request) + self._http.trailing_data[0])
        return partial(takeover, stream)

    # Reading

    async def _read_head(self, seconds: float) -> h11.Request | None:
        """The next request; None if there is none, or not in time."""
        event = None
        with trio.move_on_after(seconds):
            event = await self._next_event()
        return event if isinstance(event, h11.Request) else None

    async def _read_body(self, request: h11.Request) -> bytes:
        headers = dict(request.headers)
        if b"content-length" in headers and b"transfer-encoding" in headers:
            # A proxy before us could see the end of the request somewhere else.
            raise RequestRefused(400, "a request has Content-Length or Transfer-Encoding, not both")
        declared = int(headers.get(b"content-length", 0))
        self._check_size(declared, request)
        if self._http.they_are_waiting_for_100_continue:
            await self._write(self._encode(h11.InformationalResponse(status_code=100, headers=[])))
        body, pieces = bytearray(), 0
        with trio.move_on_after(self._limits.seconds):
            while isinstance(event := await self._next_event(), h11.Data):
                body += event.data
                self._check_size(len(body), request)
                pieces += 1
                if pieces > MAX_BODY_PIECES:
                    raise RequestRefused(413, f"a request may come in {MAX_BODY_PIECES} pieces")
            return bytes(body)
        raise RequestRefused(
            408, f"the request was not complete after {self._limits.seconds:g} seconds"
        )

    def _check_size(self, size: int, request: h11.Request) -> None:
        most = self._limits.body_bytes
        if size > most and self._allow is not None:
            most = self._allow(self._scope(request))
        if size > most:
            raise RequestRefused(413, f"a request may have {most} bytes")

    async def _next_event(self) -> object:
        while (event := self._http.next_event()) is h11.NEED_DATA:
            self._http.receive_data(await self._read())
        return event

    async def _read(self) -> bytes:
        return bytes(await self._stream.receive_some(READ_BYTES))

    async def _wait_until_gone(self) -> None:
        """Wait for the peer to close its side; requests that it sends meanwhile are kept."""
        while not self._http.trailing_data[0]:
            try:
                data = await self._read()
            except trio.BrokenResourceError:
                return
            if not data:
                return
            self._http.receive_data(data)
        # More is not read, or a peer could fill our memory. Whether it is gone shows in writing.
        await trio.sleep_forever()

    # Writing

    async def _refuse(self, status: int, reason: str) -> None:
        content = orjson.dumps({"error": reason})
        headers = [
            (b"content-type", b"application/json"),
            (b"content-length", str(len(content)).encode()),
            (b"connection", b"close"),
            *self._protection,
        ]
        answer = self._encode(_response(status, headers))
        await self._write(answer + self._encode_body(content, more=False))

    def _encode_body(self, body: bytes, *, more: bool) -> bytes:
        data = b"" if self._is_head else self._encode(h11.Data(data=body))
        return data if more else data + self._encode(h11.EndOfMessage())

    def _encode(self, event: h11.Event) -> bytes:
        return self._http.send(event) or b""

    async def _write(self, data: bytes) -> None:
        """Send this; when the daemon ends, it is still sent."""
        with trio.move_on_after(self._limits.seconds, shield=True) as patience:
            await self._stream.send_all(data)
        if patience.cancelled_caught:
            raise trio.BrokenResourceError("the peer does not read")

    async def _write_body(self, body: bytes, *, more: bool) -> None:
        """Send piece by piece, so that those who read slowly have no copy of a long body each."""
        for start in range(0, len(body) or 1, WRITE_BYTES):
            end = start + WRITE_BYTES
            head, self._unsent = self._unsent, b""
            rest = more or end < len(body)
            await self._write(head + self._encode_body(body[start:end], more=rest))

    async def _hang_up(self) -> None:
        """Close so that the answer arrives: with input left unread, closing would be a reset."""
        with trio.move_on_after(self._limits.seconds):
            await self._stream.send_eof()
            while await self._read():
                pass

    # The application's side

    def _scope(self, request: h11.Request) -> Scope:
        path, _, query = request.target.partition(b"?")
        return {
            "type": "http",
            # Before 2.4, streaming applications wait for the disconnect themselves, so that they
            # end even while they have nothing to send.
            "asgi": {"version": "3.0", "spec_version": "2.3"},
            "http_version": request.http_version.decode(),
            "method": request.method.decode(),
            "scheme": "http",
            "path": unquote(path.decode()),
            "raw_path": path,
            "query_string": query,
            "root_path": "",
            "headers": list(request.headers),
            "client": self._client,
            "server": None,
            # For answers that never end, such as events: see `ludothek.web.stream`.
            "extensions": {"ludothek.stream": self._stream},
        }

    async def _receive(self) -> Message:
        if self._unread is not None:
            body, self._unread = self._unread, None
            return {"type": "http.request", "body": body, "more_body": False}
        await self._wait_until_gone()
        return {"type": "http.disconnect"}

    async def _send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self._unsent = self._encode(_response(message["status"], message["headers"]))
            return
        more = message.get("more_body", False)
        try:
            await self._write_body(message.get("body", b""), more=more)
        except trio.BrokenResourceError:
            # Not raised to the application, which might continue; cancelled, it must end.
            self._answering.cancel()
            await trio.lowlevel.checkpoint()


def _response(status: int, headers: Headers) -> h11.Response:
    date = formatdate(usegmt=True).encode()
    return h11.Response(status_code=status, headers=[*headers, (b"date", date)])


def _head(request: h11.Request) -> bytes:
    """A request as it was sent, for somebody else who reads it."""
    lines = [b"%b %b HTTP/%b" % (request.method, request.target, request.http_version)]
    lines += [b"%b: %b" % header for header in request.headers]
    return b"\r\n".join([*lines, b"", b""])
