"""What tests of the organiser's interface share: a daemon's parts, an organiser, players."""

from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import attrs
import httpx
import trio

from ludothek.contract.chance import Chance
from ludothek.contract.client import Client
from ludothek.contract.clock import Clock
from ludothek.contract.effects import Close, Effect, Effects, Open, Tell
from ludothek.contract.game import Game
from ludothek.contract.orders import (
    Fault,
    Opening,
    Order,
    OrderRefused,
    Pause,
    Resume,
    Shutdown,
    Step,
)
from ludothek.contract.reception import Desk, Reception
from ludothek.contract.registry import load
from ludothek.contract.table import Stage, Summary, Table
from ludothek.contract.timers import Timers
from ludothek.control.http_limits import HttpLimits
from ludothek.control.places import SocketPlace
from ludothek.control.server import serve_control
from ludothek.control.unix_socket import listen
from ludothek.runtime.endpoint import Endpoint
from ludothek.runtime.guarded_nursery import Guarded
from ludothek.settings.config_file import Host
from ludothek.settings.fields import build
from ludothek.storage.state import StateDirectory
from tests.support.helpers import Server
from tests.support.hexxagon import HexxagonClient
from transports import open_poller

# So much time that it runs out only where it is meant to.
CALM = HttpLimits(seconds=60, idle_seconds=60)


@attrs.define(eq=False)
class Organiser:
    """An organiser who speaks HTTP over the socket."""

    path: Path
    http: httpx.AsyncClient
    servers: dict[str, Server]

    async def ask(
        self, method: str, path: str, body: Any = None, **options: Any
    ) -> tuple[int, Any]:
        if body is not None:
            options["json"] = body
        with trio.fail_after(60):
            response = await self.http.request(method, path, **options)
        return response.status_code, response.json()

    async def get(self, path: str) -> Any:
        status, answer = await self.ask("GET", path)
        assert status == 200, answer
        return answer

    async def do(self, path: str, **fields: Any) -> Any:
        status, answer = await self.ask("POST", path, fields)
        assert status in (200, 201), answer
        return answer

    async def refused(self, path: str, **fields: Any) -> tuple[int, str]:
        status, answer = await self.ask("POST", path, fields)
        assert list(answer) == ["error"]
        return status, answer["error"]

    async def lobby(self, name: str = "Lobby") -> tuple[str, str]:
        """A new Hexxagon lobby: its path here and its id in the protocol."""
        opened = await self.do("/lobbies", game="hexxagon", name=name)
        return f"/lobbies/{opened['id']}", opened["id"].partition("/")[2]

    @property
    def hexxagon(self) -> Server:
        return self.servers["hexxagon"]


@asynccontextmanager
async def open_control(
    directory: Path,
    *games: Game,
    limits: HttpLimits = CALM,
    settings: dict[str, Any] | None = None,
) -> AsyncIterator[Organiser]:
    """The given games (Hexxagon if none) and the interface to them."""
    servers = {}
    state = StateDirectory(directory / "state")
    listener = await listen(SocketPlace(directory / "control.sock"))
    async with open_poller() as poller, trio.open_nursery() as nursery:
        for game in games or (load("hexxagon"),):
            built = build(game.settings, settings or {}, "test")
            host = Host(game=game, settings=built, host="127.0.0.1", port=0)
            endpoint = Endpoint(host, Clock(), Chance(1), state=state)
            url = await endpoint.bind()
            await nursery.start(endpoint.listen, Guarded(nursery), nursery, poller)
            servers[game.name] = Server(endpoint, int(url.rpartition(":")[2]))
        endpoints = [server.endpoint for server in servers.values()]
        nursery.start_soon(serve_control, endpoints, listener, limits)
        transport = httpx.AsyncHTTPTransport(uds=str(listener.path))
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as http:
            yield Organiser(listener.path, http, servers)
        nursery.cancel_scope.cancel()
    state.close()


@asynccontextmanager
async def open_client(server: Server) -> AsyncIterator[HexxagonClient]:
    async with server.connect() as peer:
        yield await HexxagonClient.arrive(peer)


@asynccontextmanager
async def open_pair(
    organiser: Organiser,
) -> AsyncIterator[tuple[str, HexxagonClient, HexxagonClient]]:
    """The path of a lobby and two clients that have joined it."""
    path, lobby_id = await organiser.lobby()
    server = organiser.hexxagon
    async with open_client(server) as ann, open_client(server) as bob:
        await ann.join(lobby_id, "Ann")
        await bob.join(lobby_id, "Bob")
        await ann.hear("LobbyStatus")
        yield path, ann, bob


@attrs.define(eq=False)
class MeekTable(Table):
    """A table that obeys whatever it is told, and fails when told to step."""

    name: str
    timers: Timers
    size: int = 0
    stage: Stage = Stage.WAITING
    seated: list[str] = attrs.field(factory=list)

    @property
    def summary(self) -> Summary:
        if self.name == "broken":
            raise ZeroDivisionError("a bug in the summary")
        facts = {"codes": ["x", "y"], "odd": {Path("/")}, "size": "x" * self.size}
        return Summary(name=self.name, stage=self.stage, spectators=self.seated, facts=facts)

    def enter(self, client: Client, admission: Any) -> Effects:
        return ()

    def receive(self, client: Client, message: Any) -> Effects:
        return ()

    def leave(self, client: Client) -> Effects:
        return ()

    def told(self, notice: list[str]) -> Effects:
        self.seated += notice
        return ()

    def order(self, order: Order) -> Iterator[Effect]:
        match order:
            case Pause():
                self.stage = Stage.PAUSED
            case Resume():
                self.stage = Stage.RUNNING
            case Step():
                raise ZeroDivisionError("a bug")
            case Shutdown() | Fault():
                yield Close()


class SilentReception(Reception):
    """Listens to everybody and knows nothing about organisers."""

    def __init__(self, desk: Desk, settings: Any) -> None:
        self.timers = Timers(desk.clock.time)
        self._desk = desk

    def begin(self) -> Effects:
        return [self._open("a/b", "with a slash")]

    def receive(self, client: Client, message: Any) -> Effects:
        return ()

    def _open(self, key: str, name: str, size: int = 0) -> Open:
        table = MeekTable(name, Timers(self._desk.clock.time), size)
        return Open(key, table, self._desk.chance_for(key))


class MeekReception(SilentReception):
    """Opens and fills lobbies as told."""

    def open(self, opening: Opening) -> Effects:
        if opening.settings.get("wrong"):
            raise OrderRefused("wrong is wrong")
        name = opening.name or " ".join(map(str, attrs.astuple(opening, recurse=False)))
        return [self._open(opening.name or "1", name, opening.settings.get("size", 0))]

    def seat(self, lobby: str, clients: Sequence[Client], spectator: bool) -> Effects:
        return [Tell(lobby, [f"{client.number} {spectator}" for client in clients])]


def meek_game(name: str = "meek", reception: Any = MeekReception) -> Game:
    return attrs.evolve(load("hexxagon"), name=name, reception=reception)
