"""Where people play on the page: WebSockets of browsers, let in and served."""

import re
from collections.abc import Sequence
from functools import partial

import structlog
import trio
from starlette.datastructures import Headers
from starlette.types import Scope
from trio_websocket import ConnectionClosed, HandshakeError, WebSocketConnection, wrap_server_stream

from ludothek.control.http_connection import RequestRefused, Takeover
from ludothek.kit.reports import careful
from ludothek.runtime.endpoint import Endpoint
from ludothek.web.guard import TOO_MANY, Guard
from ludothek.web.play_socket import PlaySocket
from ludothek.web.slow_stream import SlowStream
from ludothek.web.visitors import PATIENCE
from transports import BUGS

log = structlog.get_logger()

PATH = re.compile(r"/play/([^/]+)/socket")

# Seconds for the rest of the handshake.
HANDSHAKE_SECONDS = 5.0

# The longest message that a browser has to send: a name and a lobby, escaped.
MAX_MESSAGE = 4096

ONCE = ("upgrade", "origin", "sec-websocket-key", "sec-websocket-version")
OF_BODIES = ("content-length", "transfer-encoding")


class Parlour:
    """Lets browsers in whose pages are our own."""

    def __init__(self, endpoints: Sequence[Endpoint], guard: Guard) -> None:
        self._endpoints = endpoints
        self._guard = guard

    def upgrade(self, scope: Scope) -> Takeover | None:
        """Who takes over a request for a WebSocket; raises RequestRefused."""
        path = PATH.fullmatch(scope["path"])
        if path is None:
            return None
        if (objection := self._guard.objection(scope)) is not None:
            raise RequestRefused(*objection)
        if (delay := self._guard.delay(scope)) > PATIENCE:
            raise RequestRefused(*TOO_MANY)
        _check_request(scope)
        endpoint = self._find(path[1])
        if endpoint is None:
            raise RequestRefused(404, "no such game can be played here")
        return partial(self._serve_after, delay, endpoint, scope["ludothek.host"])

    def _find(self, name: str) -> Endpoint | None:
        """The endpoint of that name, or the first one of that game."""
        playable = [each for each in self._endpoints if each.opened and each.playable]
        named = [each for each in playable if each.name == name]
        return next(iter([*named, *(each for each in playable if each.game.name == name)]), None)

    async def _serve_after(
        self, delay: float, endpoint: Endpoint, host: str, stream: trio.abc.Stream
    ) -> None:
        """Serve when it is the visitor's turn, like everything else that the page is asked for."""
        if delay:
            await trio.sleep(delay)
        await self._serve(endpoint, host, stream)

    async def _serve(self, endpoint: Endpoint, host: str, stream: trio.abc.Stream) -> None:
        try:
            async with trio.open_nursery() as nursery:
                await self._talk(endpoint, host, SlowStream(stream), nursery)
                nursery.cancel_scope.cancel()
        except* (ConnectionClosed, HandshakeError, trio.BrokenResourceError):
            pass  # the browser is gone
        except* trio.ClosedResourceError:
            pass
        except* BUGS as bugs:
            with careful("a browser's game crashed"):
                log.error("a browser's game crashed", game=endpoint.name, exc_info=bugs)
        finally:
            await trio.aclose_forcefully(stream)

    async def _talk(
        self, endpoint: Endpoint, host: str, stream: trio.abc.Stream, nursery: trio.Nursery
    ) -> None:
        connection: WebSocketConnection | None = None
        with trio.move_on_after(HANDSHAKE_SECONDS):
            request = await wrap_server_stream(nursery, stream, max_message_size=MAX_MESSAGE)
            connection = await request.accept()
        if connection is not None:
            peer = f"[{host}]:0" if ":" in host else f"{host}:0"
            await PlaySocket(endpoint, connection, peer).serve()


def _check_request(scope: Scope) -> None:
    """Only pages of this server may play, since others would do so in the name of their visitors;
    and trio-websocket would wait for the rest of a request that asks for too little."""
    headers = Headers(scope=scope)
    host = headers.get("host", "").lower()
    # Behind a proxy, browsers speak TLS and we do not, so the scheme does not count.
    if headers.get("origin", "").lower() not in (f"http://{host}", f"https://{host}"):
        raise RequestRefused(403, "only pages of this server may play here")
    connection = {word.strip().lower() for word in headers.get("connection", "").split(",")}
    asks = (scope["method"], scope["http_version"]) == ("GET", "1.1") and "upgrade" in connection
    # A proxy could understand otherwise what is said twice, or where the request ends.
    twice = any(len(headers.getlist(name)) > 1 for name in ONCE)
    if not asks or twice or any(name in headers for name in OF_BODIES):
        raise RequestRefused(400, "not a request for a WebSocket")
    if headers.get("sec-websocket-version") != "13":
        raise RequestRefused(426, "only WebSocket version 13 is known here")
    if len(headers.get("sec-websocket-key", "")) != 24:
        raise RequestRefused(400, "a WebSocket needs a key of 16 bytes")
