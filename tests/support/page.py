"""The page over real sockets, with games to show on it."""

import random
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any, cast

import attrs
import h11
import httpx
import orjson
import trio

from ludothek.contract.clock import Clock
from ludothek.contract.player import PlayerOptions
from ludothek.control.organiser import Organiser
from ludothek.control.sessions import Sessions
from ludothek.daemon.ports import Ports
from ludothek.runtime.endpoint import Endpoint
from ludothek.runtime.playing import play
from ludothek.settings.config_file import Config, Daemon
from ludothek.settings.limits import Limits
from ludothek.storage.state import StateDirectory
from ludothek.web.curves import Curves
from ludothek.web.service import WebService
from tests.support.helpers import Server, open_server
from transports import Link

# Seconds between two looks at something that nobody tells.
LOOK_AGAIN = 0.01
# Seconds that a player thinks.
THOUGHT = 0.01


@attrs.define(eq=False)
class Browser:
    """Asks the page for things, as the scripts of the page do."""

    http: httpx.AsyncClient
    servers: Sequence[Server]
    nursery: trio.Nursery
    state: StateDirectory
    sessions: Sessions
    curves: Curves

    async def get(self, path: str, status: int = 200, **options: Any) -> Any:
        with trio.fail_after(60):
            response = await self.http.get(path, **options)
        assert response.status_code == status, response.text
        return response.json()

    async def running_match(self) -> str:
        """The id of a match that is being played, once there is one."""
        with trio.fail_after(60):
            while True:
                for lobby in (await self.get("/api/matches"))["lobbies"]:
                    if lobby["match"] is not None:
                        return str(lobby["match"])
                await trio.sleep(LOOK_AGAIN)

    async def ended_match(self) -> Any:
        """A match that is over and whose record is on disk."""
        with trio.fail_after(60):
            while True:
                ended = (await self.get("/api/ended"))["matches"]
                if ended and ended[0]["id"] is not None:
                    return ended[0]
                await trio.sleep(LOOK_AGAIN)

    def play(self, server: int = 0, players: int = 2, games: int = 1) -> None:
        """Let random players play in the background."""
        for number in range(players):
            self.nursery.start_soon(self._play, self.servers[server], number, games)

    async def _play(self, server: Server, number: int, games: int) -> None:
        game = server.endpoint.game
        options = PlayerOptions(username=f"Random {number}", difficulty=len(game.difficulties) - 1)
        player = game.player(options, random.Random(number))
        codec = game.codec(Clock(), game.settings())
        async with game.transport.connect("127.0.0.1", server.port) as link:
            slow = cast("Link", SlowLink(link))
            with suppress(trio.EndOfChannel, trio.BrokenResourceError):
                await play(slow, codec, player, lambda report: None, games=games)

    @asynccontextmanager
    async def follow(self, path: str, **headers: str) -> AsyncIterator["Events"]:
        """Hear the events of a stream."""
        url = self.http.base_url
        async with await trio.open_tcp_stream(url.host, url.port or 80) as stream:
            events = Events(stream)
            await events.ask(path, **headers)
            yield events


class SlowLink:
    """A link whose player thinks a little, so that there is something to watch."""

    def __init__(self, link: Link) -> None:
        self._link = link

    def __getattr__(self, name: str) -> Any:
        return getattr(self._link, name)

    async def send(self, frame: bytes) -> None:
        await trio.sleep(THOUGHT)
        await self._link.send(frame)


class Events:
    """A stream of events, as a browser reads it."""

    def __init__(self, stream: trio.abc.Stream) -> None:
        self._stream = stream
        self._http = h11.Connection(h11.CLIENT)
        self._text = ""

    async def ask(self, path: str, **headers: str) -> None:
        about = [("host", "127.0.0.1"), *headers.items()]
        request = h11.Request(method="GET", target=path, headers=about)
        await self._stream.send_all(self._http.send(request) or b"")
        await self._stream.send_all(self._http.send(h11.EndOfMessage()) or b"")
        answer = await self._receive()
        assert isinstance(answer, h11.Response)
        assert answer.status_code == 200
        assert dict(answer.headers)[b"content-type"] == b"text/event-stream"

    async def next(self) -> tuple[str, Any]:
        """The name and the data of the next event."""
        with trio.fail_after(60):
            while True:
                event, found, rest = self._text.partition("\n\n")
                if not found:
                    data = await self._receive()
                    assert isinstance(data, h11.Data), "the stream is over"
                    self._text += bytes(data.data).decode()
                    continue
                self._text = rest
                fields = dict(line.split(": ", 1) for line in event.splitlines() if ": " in line)
                if "data" in fields:
                    return fields["event"], orjson.loads(fields["data"])

    async def hear_end(self) -> None:
        """Read until the server has hung up."""
        with trio.fail_after(60), suppress(trio.BrokenResourceError):
            while await self._stream.receive_some():
                pass

    async def _receive(self) -> Any:
        while (event := self._http.next_event()) is h11.NEED_DATA:
            self._http.receive_data(bytes(await self._stream.receive_some()))
        return event


@asynccontextmanager
async def open_page(
    tmp_path: Path,
    *games: str,
    limits: dict[str, Any] | None = None,
    endpoints: Sequence[Endpoint] | None = None,
    settings: dict[str, Any] | None = None,
    **daemon: Any,
) -> AsyncIterator[Browser]:
    """Serve games and a page; a clean end takes no time."""
    state = StateDirectory(tmp_path / "state")
    async with trio.open_nursery() as nursery:
        servers = [await nursery.start(_serve_game, name, state, settings or {}) for name in games]
        sessions = Sessions(state.path)
        service = WebService(Ports(), state, sessions)
        shown = [*(endpoints or ()), *(server.endpoint for server in servers)]
        config = Config(
            daemon=Daemon(web_port=0, **daemon), hosts=[], limits=Limits(**(limits or {}))
        )
        await service.bind(config)
        organiser = Organiser(shown, Clock(), sessions=sessions)
        curves = Curves(organiser)
        nursery.start_soon(service.serve_site, shown, service.backstage(organiser, curves))
        async with httpx.AsyncClient(base_url=service.url, timeout=60, verify=False) as http:
            yield Browser(http, servers, nursery, state, sessions, curves)
        nursery.cancel_scope.cancel()
    state.close()


async def _serve_game(
    name: str,
    state: StateDirectory,
    settings: dict[str, Any],
    task_status: trio.TaskStatus[Server],
) -> None:
    async with open_server(name, settings, state=state) as server:
        task_status.started(server)
        await trio.sleep_forever()
