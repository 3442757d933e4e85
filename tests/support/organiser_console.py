"""What tests of the organiser's interface share: a daemon's parts, an organiser, players."""

from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from math import inf
from pathlib import Path
from typing import Any

import attrs
import httpx
import trio

from ludothek.contract.chance import Chance
from ludothek.contract.clock import Clock
from ludothek.contract.game import Game, load
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
from ludothek.contract.table import Close, Effect, Summary
from ludothek.control.app import Limits
from ludothek.control.places import Place
from ludothek.control.server import serve_control
from ludothek.control.unix_socket import listen
from ludothek.runtime.client import Client
from ludothek.runtime.endpoint import Endpoint, Guarded
from ludothek.runtime.hall import Hall
from ludothek.runtime.lobby import Lobby
from ludothek.settings.fields import build
from ludothek.storage.state import StateDirectory
from tests.support.helpers import Server
from tests.support.hexxagon import HexxagonClient
from transports import open_poller

# So much time that only those run out of it who are meant to.
CALM = Limits(seconds=60, connection_seconds=120)


@attrs.define(eq=False)
class Organiser:
    """An organiser who talks HTTP over the socket."""

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
    limits: Limits = CALM,
    settings: dict[str, Any] | None = None,
) -> AsyncIterator[Organiser]:
    """The given games (Hexxagon if none) and the interface to them."""
    servers = {}
    state = StateDirectory(directory / "state")
    listener = await listen(Place(directory / "control.sock"))
    async with open_poller() as poller, trio.open_nursery() as nursery:
        for game in games or (load("hexxagon"),):
            built = build(game.settings, settings or {}, "test")
            endpoint = Endpoint(game, built, "127.0.0.1", 0, Clock(), Chance(1), state=state)
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
class MeekTable:
    """A table that obeys whatever it is told, and fails when told to step."""

    name: str
    size: int = 0
    state: str = "waiting"
    seated: list[str] = attrs.field(factory=list)
    deadline: float = inf

    @property
    def summary(self) -> Summary:
        if self.name == "broken":
            raise ZeroDivisionError("a bug in the summary")
        facts = {"codes": ["x", "y"], "odd": {Path("/")}, "size": "x" * self.size}
        return Summary(name=self.name, state=self.state, spectators=self.seated, facts=facts)

    def enter(self, client: Client, request: Any) -> Iterator[Effect]:
        yield from ()

    def receive(self, client: Client, message: Any) -> Iterator[Effect]:
        yield from ()

    def leave(self, client: Client) -> Iterator[Effect]:
        yield from ()

    def time_up(self) -> Iterator[Effect]:
        yield from ()

    def order(self, order: Order) -> Iterator[Effect]:
        match order:
            case Pause():
                self.state = "paused"
            case Resume():
                self.state = "running"
            case Step():
                raise ZeroDivisionError("a bug")
            case Shutdown() | Fault():
                yield Close()


class SilentReception:
    """Listens to everybody and knows nothing of organisers."""

    def __init__(self, hall: Hall, settings: Any) -> None:
        self.hall = hall
        hall.open("a/b", lambda rng: MeekTable("with a slash"))

    async def visit(self, client: Client) -> None:
        while True:
            await client.receive()


class MeekReception(SilentReception):
    """Opens and fills lobbies as it is told."""

    def open(self, opening: Opening) -> Lobby:
        if opening.settings.get("wrong"):
            raise OrderRefused("wrong is wrong")
        name = opening.name or " ".join(map(str, attrs.astuple(opening, recurse=False)))
        size = opening.settings.get("size", 0)
        return self.hall.open(opening.name or "1", lambda rng: MeekTable(name, size))

    def seat(self, lobby: Lobby, clients: Sequence[Client], *, spectator: bool) -> None:
        assert isinstance(lobby.table, MeekTable)
        lobby.table.seated += [f"{client.number} {spectator}" for client in clients]


def meek_game(name: str = "meek", reception: Any = MeekReception) -> Game:
    return attrs.evolve(load("hexxagon"), name=name, reception=reception)
