"""A Hexxagon client for tests: it knows its id and builds messages that carry it."""

from typing import Any

import attrs

from tests.support.helpers import Peer

UNKNOWN = "52adce64-cffc-4df9-acc2-78877fed78fd"
NIL = "00000000-0000-0000-0000-000000000000"


@attrs.define(eq=False)
class HexxagonClient:
    """One user; every helper sends something and returns what the server answered."""

    peer: Peer
    id: str = ""

    @classmethod
    async def arrive(cls, peer: Peer) -> "HexxagonClient":
        welcome = await peer.hear()
        assert welcome["messageType"] == "Welcome"
        return cls(peer, welcome["userId"])

    async def say(self, message_type: str, **attributes: Any) -> None:
        await self.peer.say({"messageType": message_type, "userId": self.id, **attributes})

    async def hear(self, message_type: str | None = None) -> Any:
        message = await self.peer.hear()
        assert message["userId"] == self.id
        assert message_type in (None, message["messageType"]), message
        return message

    async def lobbies(self) -> Any:
        await self.say("GetAvailableLobbies")
        return (await self.hear("AvailableLobbies"))["availableLobbies"]

    async def create(self, name: str = "Test Lobby") -> str:
        await self.say("CreateNewLobby", lobbyName=name)
        created = await self.hear("LobbyCreated")
        assert created["successfullyCreated"]
        return str(created["lobbyId"])

    async def join(self, lobby: str, name: str = "Max Mustermann") -> Any:
        """Join and return the lobby as the first LobbyStatus shows it."""
        await self.say("JoinLobby", lobbyId=lobby, userName=name)
        assert (await self.hear("LobbyJoined"))["successfullyJoined"]
        return (await self.hear("LobbyStatus"))["lobby"]

    async def move(self, game: str, origin: int, target: int) -> None:
        moves = {"moveFrom": f"TILE_{origin}", "moveTo": f"TILE_{target}"}
        await self.say("GameMove", gameId=game, **moves)


async def start_game(one: HexxagonClient, two: HexxagonClient) -> str:
    """Bring two free clients into a new game; returns its id."""
    lobby = await one.create()
    await one.join(lobby, "Eins")
    await two.join(lobby, "Zwei")
    await one.hear("LobbyStatus")
    await one.say("StartGame", lobbyId=lobby)
    for client in (one, two):
        game = (await client.hear("GameStarted"))["gameId"]
        await client.hear("GameStatus")
    return str(game)


async def play_moves(game: str, one: HexxagonClient, two: HexxagonClient, moves: str) -> Any:
    """Play ``22-15 1-2 …`` with whoever is active; returns the last status of both."""
    statuses: list[Any] = [{"activePlayer": one.id}] * 2
    for move in moves.split():
        origin, target = map(int, move.split("-"))
        mover = one if statuses[0]["activePlayer"] == one.id else two
        await mover.move(game, origin, target)
        statuses = [await client.hear("GameStatus") for client in (one, two)]
    return statuses
