"""Browsers, as far as playing is concerned: WebSockets to a page that serves one endpoint."""

import random
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from functools import partial
from typing import Any

import attrs
import orjson
import trio
from starlette.applications import Starlette
from trio_websocket import ConnectionClosed, WebSocketConnection, wrap_client_stream

from ludothek.contract.game import Game
from ludothek.control.http_connection import HttpConnection
from ludothek.control.http_limits import HttpLimits
from ludothek.runtime.endpoint import Endpoint
from ludothek.runtime.guarded_nursery import Guarded
from ludothek.settings.limits import Limits
from ludothek.testing.fair import Fair, open_fair
from ludothek.web.guard import Guard
from ludothek.web.parlour import Parlour
from ludothek.web.visitors import Visitors
from transports.listening import accept_forever

LOCAL = "127.0.0.1"


@attrs.define(eq=False)
class Browser:
    """Says and hears JSON."""

    connection: WebSocketConnection
    heard: list[Any] = attrs.field(factory=list)

    async def say(self, **message: Any) -> None:
        await self.say_raw(orjson.dumps(message).decode())

    async def say_raw(self, message: str | bytes) -> None:
        await self.connection.send_message(message)

    async def hear(self, kind: str) -> Any:
        """The next message of that kind; all others before it are passed over."""
        with trio.fail_after(100):
            while True:
                message = orjson.loads(await self.connection.get_message())
                self.heard.append(message)
                if message["type"] == kind:
                    return message

    async def hear_end(self) -> int:
        """The code with which the server closes the connection."""
        with trio.fail_after(100):
            try:
                while True:
                    await self.connection.get_message()
            except ConnectionClosed:
                pass
        assert self.connection.closed is not None
        return int(self.connection.closed.code)

    async def sit(self, **wish: Any) -> Any:
        await self.say(type="sit", **{"name": "Ada", "opponent": "bot", **wish})
        return await self.hear("seated")

    async def play(self, rng: random.Random | None = None, moves: int = 10_000) -> Any:
        """Answer so many questions at random; returns what was heard at the end, or None."""
        rng = rng or random.Random(1)
        with trio.fail_after(1000):
            while moves:
                message = orjson.loads(await self.connection.get_message())
                self.heard.append(message)
                if message["type"] == "over":
                    return message
                if message["type"] == "question":
                    moves -= 1
                    choice = rng.randrange(len(message["moves"]))
                    await self.say(type="answer", number=message["number"], move=choice)
        return None


@attrs.define(eq=False)
class OpenParlour:
    """A page where people play, and its address."""

    fair: Fair
    port: int

    @property
    def endpoint(self) -> Endpoint:
        return self.fair.endpoint

    @asynccontextmanager
    async def browse(
        self, headers: Sequence[tuple[bytes, bytes]] | None = None, game: str = ""
    ) -> AsyncIterator[Browser]:
        if headers is None:
            headers = [(b"Origin", f"http://{LOCAL}:{self.port}".encode())]
        path = f"/play/{game or self.endpoint.game.name}/socket"
        stream = await trio.open_tcp_stream(LOCAL, self.port)
        # Not `open_websocket`, which leaves the socket open if the server closes the connection.
        async with stream, trio.open_nursery() as nursery:
            connection = await wrap_client_stream(
                nursery, stream, f"{LOCAL}:{self.port}", path, extra_headers=[*headers]
            )
            yield Browser(connection)
            with trio.move_on_after(1):
                await connection.aclose()
            nursery.cancel_scope.cancel()


async def serve_pages(endpoints: Sequence[Endpoint], listener: trio.SocketListener) -> None:
    """Serve nothing but the sockets of people who play."""
    guard = Guard(Starlette(), Visitors(Limits()), local=True)
    parlour = Parlour(endpoints, guard)

    async def meet(stream: trio.SocketStream) -> None:
        client = (LOCAL, 1234)
        await HttpConnection(guard, stream, HttpLimits(), client, parlour.upgrade).serve()

    async with trio.open_nursery() as nursery:
        await accept_forever(meet, [listener], Guarded(nursery))


@asynccontextmanager
async def open_parlour(
    game: Game,
    settings: Mapping[str, Any] | None = None,
    limits: Mapping[str, Any] | None = None,
) -> AsyncIterator[OpenParlour]:
    async with open_fair(game, settings=settings, limits=limits) as fair:
        [listener] = await trio.open_tcp_listeners(0, host=LOCAL)
        port = listener.socket.getsockname()[1]
        fair.nursery.start_soon(partial(serve_pages, [fair.endpoint], listener))
        yield OpenParlour(fair, port)
        assert fair.endpoint.hall.crashes == 0
