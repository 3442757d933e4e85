"""Hexxagon written as simply as possible: dicts, one handler per connection, no limits.

What the two plain servers share. It uses the same rules module as the daemon and sends the same
messages with the same attributes, but checks nothing beyond the rules: no strikes, no listing, no
timeouts, no refused names, no crash reports.
"""

import uuid
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from typing import Any

import attrs
import orjson
import trio

from games.hexxagon import rules
from games.hexxagon.codec import format_date
from games.hexxagon.messages import TILE_NAMES, TILES
from games.hexxagon.rules import Move, Side, State

SIDES = tuple(Side)
STATES = {"1": "PLAYERONE", "2": "PLAYERTWO", "B": "BLOCKED", ".": "FREE"}


@attrs.define(eq=False)
class User:
    """A connection, and the game or lobby it is in."""

    write: Callable[[bytes], Awaitable[None]]
    key: str = attrs.field(factory=lambda: str(uuid.uuid4()))
    name: str = ""
    game: "Game | None" = None
    lock: trio.Lock = attrs.field(factory=trio.Lock)

    async def send(self, kind: str, **attributes: Any) -> None:
        message = orjson.dumps({"messageType": kind, "userId": self.key, **attributes})
        async with self.lock:  # the opponent's task writes here, too
            await self.write(message)


@attrs.define(eq=False)
class Game:
    """A lobby, and later the game that is played in it."""

    name: str
    key: str = attrs.field(factory=lambda: str(uuid.uuid4()))
    created: str = attrs.field(factory=lambda: now())
    users: list[User] = attrs.field(factory=list)
    state: State = attrs.field(factory=rules.start)
    left: int | None = None

    async def tell(self, kind: str, **attributes: Any) -> None:
        for user in reversed(self.users):
            await user.send(kind, **attributes)

    async def tell_status(self) -> None:
        state, users = self.state, self.users
        marks = zip(TILE_NAMES.values(), state.to_text(), strict=True)
        status: dict[str, Any] = {
            "gameId": self.key,
            "playerOne": users[0].key,
            "playerTwo": users[1].key,
            "playerOneUserName": users[0].name,
            "playerTwoUserName": users[1].name,
            "playerOneLeft": self.left == 0,
            "playerTwoLeft": self.left == 1,
            "playerOnePoints": state.points(Side.PLAYERONE),
            "playerTwoPoints": state.points(Side.PLAYERTWO),
            "board": {"tiles": {name: STATES[mark] for name, mark in marks}},
            "turn": state.turn,
            "creationDate": self.created,
            "actionDate": now(),
            "activePlayer": users[SIDES.index(state.active)].key,
            "tie": state.outcome is not None and state.outcome.winner is None,
            "isClosed": state.over or self.left is not None,
        }
        if state.last:
            status["lastMoveFrom"] = f"TILE_{state.last.origin}"
            status["lastMoveTo"] = f"TILE_{state.last.target}"
        if state.outcome and state.outcome.winner:
            status["winner"] = users[SIDES.index(state.outcome.winner)].key
        await self.tell("GameStatus", **status)


def now() -> str:
    return format_date(datetime.now(UTC))


class PlainHexxagon:
    """All lobbies and games of a server."""

    def __init__(self) -> None:
        self._games: dict[str, Game] = {}

    async def welcome(self, user: User) -> None:
        await user.send("Welcome", welcomeMessage="Welcome to Hexxagon!")

    async def handle(self, user: User, text: bytes | str) -> None:
        message = orjson.loads(text)
        match message["messageType"]:
            case "CreateNewLobby":
                await self._create(user, message["lobbyName"])
            case "JoinLobby":
                await self._join(user, self._games[message["lobbyId"]], message["userName"])
            case "StartGame":
                game = self._games[message["lobbyId"]]
                await game.tell("GameStarted", gameId=game.key, creationDate=game.created)
                await game.tell_status()
            case "GameMove":
                await self._move(user, self._games[message["gameId"]], message)
            case "LeaveGame":
                game = self._games[message["gameId"]]
                game.left = game.users.index(user)
                await self._end(game)

    async def goodbye(self, user: User) -> None:
        if user.game is not None:
            self._games.pop(user.game.key, None)

    async def _create(self, user: User, name: str) -> None:
        game = Game(name)
        self._games[game.key] = game
        await user.send("LobbyCreated", lobbyId=game.key, successfullyCreated=True)

    async def _join(self, user: User, game: Game, name: str) -> None:
        user.name, user.game = name, game
        game.users.append(user)
        await user.send("LobbyJoined", lobbyId=game.key, successfullyJoined=True)
        lobby = {
            "lobbyId": game.key,
            "lobbyName": game.name,
            "creationDate": game.created,
            "isClosed": False,
            "playerOne": game.users[0].key,
            "playerOneUserName": game.users[0].name,
        }
        await game.tell("LobbyStatus", lobbyId=game.key, lobby=lobby)

    async def _move(self, user: User, game: Game, message: dict[str, str]) -> None:
        assert user is game.users[SIDES.index(game.state.active)]
        move = Move(TILES[message["moveFrom"]], TILES[message["moveTo"]])
        game.state = rules.apply(game.state, move)
        if game.state.over:
            await self._end(game)
        else:
            await game.tell_status()

    async def _end(self, game: Game) -> None:
        del self._games[game.key]
        for user in game.users:
            user.game = None
        await game.tell_status()
