"""Qwirkle clients for tests: guests on the wire, and parties of them in one game."""

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

import attrs
import pytest

from games.qwirkle.table import QwirkleTable
from ludothek.contract.orders import Opening, Order, OrderRefused, Start
from ludothek.runtime.connection import Connection
from ludothek.runtime.endpoint import Endpoint
from ludothek.runtime.lobby import Lobby
from tests.support.helpers import Fair, Peer, Server, open_fair, open_server

Message = dict[str, Any]

# No open game of the server's own, so that the first game is the test's and has the id 1.
QUIET = {"open_games": 0, "coordinates": "library"}

# Long enough that no turn ends by itself during a test in real time.
CALM: dict[str, Any] = {"turnTime": 600_000, "timeVisualization": 0}

# After every turn everybody waits for ever.
STILL: dict[str, Any] = {"turnTime": 600_000, "timeVisualization": 600_000}

# A move that is never valid as the first one: no tile is on the origin.
ELSEWHERE = (5, 5)


def placed(tile: Message, x: int = 0, y: int = 0) -> Message:
    return {"coordX": x, "coordY": y, "tile": tile}


@attrs.define(eq=False)
class Guest:
    """A client that sends messages by their ids, and hears what it expects to hear."""

    peer: Peer
    name: str
    client_id: int = 0
    hand: list[Message] = attrs.field(factory=list)

    @property
    def info(self) -> Message:
        return {"clientId": self.client_id, "clientName": self.name, "clientType": "PLAYER"}

    async def say(self, unique_id: int, **attributes: Any) -> None:
        await self.peer.say(attributes | {"uniqueId": unique_id})

    async def say_line(self, line: bytes) -> None:
        await self.peer.say(line)

    async def hear(self, *unique_ids: int) -> Message:
        """The next messages, which must have these ids; returns the last of them."""
        message: Message = {}
        for unique_id in unique_ids:
            message = await self.peer.hear()
            assert message["uniqueId"] == unique_id, message
            if unique_id in (408, 410, 413):
                self.hand += message["tiles"]
        return message

    async def ask(self, unique_id: int, answer_id: int, **attributes: Any) -> Message:
        await self.say(unique_id, **attributes)
        return await self.hear(answer_id)

    async def refused(self, error_id: int, unique_id: int, **attributes: Any) -> Message:
        """Say something that is answered with that error."""
        error = await self.ask(unique_id, error_id, **attributes)
        assert error["causeId"] == unique_id
        assert error["message"]
        return error

    async def hears_nothing(self) -> None:
        """Fail if anything was on its way: it would arrive before the answer to a bad line."""
        await self.say(999)
        await self.hear(910)

    async def connect(self, client_type: str = "PLAYER") -> None:
        accepted = await self.ask(100, 101, clientName=self.name, clientType=client_type)
        self.client_id = accepted["clientId"]

    async def lay(self, *tiles: Message) -> None:
        await self.say(414, tiles=list(tiles))

    async def lay_first(self, cell: tuple[int, int] = (0, 0)) -> None:
        await self.lay(placed(self.hand[0], *cell))


@attrs.define(eq=False)
class Party:
    """A game that an organiser has opened, and the clients in it."""

    server: Server | Fair
    lobby: Lobby
    players: list[Guest]
    spectators: list[Guest]

    @property
    def endpoint(self) -> Endpoint:
        return self.server.endpoint

    @property
    def everybody(self) -> list[Guest]:
        return self.players + self.spectators

    @property
    def table(self) -> QwirkleTable:
        assert isinstance(self.lobby.table, QwirkleTable)
        return self.lobby.table

    def order(self, order: Order) -> None:
        self.lobby.order(order)

    def client(self, guest: Guest) -> Connection:
        return client_of(self.endpoint, guest)

    async def all_hear(self, *unique_ids: int) -> Message:
        for guest in self.everybody:
            message = await guest.hear(*unique_ids)
        return message

    async def start(self) -> None:
        """Start; everybody has heard who begins, and that is the first of the players."""
        self.order(Start())
        for player in self.players:
            await player.hear(400, 408, 409)
        for spectator in self.spectators:
            await spectator.hear(400, 409)


def client_of(endpoint: Endpoint, guest: Guest) -> Connection:
    return next(client for client in endpoint.clients if client.number == guest.client_id)


def open_game(endpoint: Endpoint, name: str | None = None, **config: Any) -> Lobby:
    return endpoint.hall.foyer.open_lobby(Opening(name=name, settings=config))


def seat(endpoint: Endpoint, lobby: Lobby, *guests: Guest, spectator: bool = False) -> None:
    clients = [client_of(endpoint, guest) for guest in guests]
    endpoint.hall.foyer.seat(lobby, clients, spectator=spectator)


def refusal(endpoint: Endpoint, lobby: Lobby, *guests: Guest, spectator: bool = False) -> str:
    """Why these guests are not seated."""
    with pytest.raises(OrderRefused) as refused:
        seat(endpoint, lobby, *guests, spectator=spectator)
    return str(refused.value)


@asynccontextmanager
async def connected(
    server: Server | Fair, *names: str, client_type: str = "PLAYER"
) -> AsyncIterator[list[Guest]]:
    """Guests that have identified themselves, over sockets or in memory."""
    async with AsyncExitStack() as stack:
        guests = []
        for name in names:
            if isinstance(server, Server):
                peer = await stack.enter_async_context(server.connect())
            else:
                peer = Peer(server.connect(), limit=1e6)
            guests.append(Guest(peer, name))
            await guests[-1].connect(client_type)
        yield guests


@asynccontextmanager
async def party_at(
    server: Server | Fair,
    players: Sequence[str],
    spectators: Sequence[str],
    config: Mapping[str, Any],
) -> AsyncIterator[Party]:
    endpoint = server.endpoint
    lobby = open_game(endpoint, **{"maxPlayerNumber": 0, **config})
    async with (
        connected(server, *players) as seated,
        connected(server, *spectators, client_type="SPECTATOR") as watching,
    ):
        seat(endpoint, lobby, *seated)
        seat(endpoint, lobby, *watching, spectator=True)
        for player in seated:
            await player.hear(303)
        for spectator in watching:
            await spectator.hear(305)
        yield Party(server, lobby, seated, watching)


PLAYERS = ("Anna", "Bert", "Carla", "Dora", "Emil", "Frida")
SPECTATORS = ("Xaver", "Yvonne")


@asynccontextmanager
async def party(
    players: int = 2,
    spectators: int = 0,
    settings: Mapping[str, Any] | None = None,
    limits: dict[str, Any] | None = None,
    **config: Any,
) -> AsyncIterator[Party]:
    """Players and spectators over real sockets, in a game with these attributes."""
    async with (
        open_server("qwirkle", QUIET | {**(settings or {})}, limits=limits) as server,
        party_at(server, PLAYERS[:players], SPECTATORS[:spectators], config) as found,
    ):
        yield found


@asynccontextmanager
async def virtual_party(
    players: int = 2,
    spectators: int = 0,
    settings: Mapping[str, Any] | None = None,
    **config: Any,
) -> AsyncIterator[Party]:
    """The same without sockets, for tests in virtual time."""
    async with (
        open_fair("qwirkle", settings=QUIET | {**(settings or {})}) as fair,
        party_at(fair, PLAYERS[:players], SPECTATORS[:spectators], config) as found,
    ):
        yield found
