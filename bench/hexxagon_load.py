"""Hexxagon matches as a load: random legal games, recorded once and replayed again and again."""

import functools
import random
from collections.abc import Callable, Sequence

import attrs
import orjson

from bench.connections import Connection
from bench.load import Group, Script, Step, Taken, replay
from bench.measure import CannotMeasure
from games.hexxagon import rules
from games.hexxagon.messages import TILE_NAMES, Tile
from games.hexxagon.rules import Side

# Different games that are played at the same time; further matches play the same ones again.
RECORDS = 8

# Matches that are set up at once: fewer than a server lets wait at the same time.
BATCH = 100

STATUS = b'{"messageType":"GameStatus"'


@attrs.frozen
class Record:
    """One whole game: who moved from where to where."""

    moves: Sequence[tuple[int, rules.Move]]
    points: tuple[int, int]


@functools.cache
def records(seed: int) -> Sequence[Record]:
    """The games that all servers are made to play."""
    return [_record(random.Random(f"{seed}/{number}")) for number in range(RECORDS)]


def _record(rng: random.Random) -> Record:
    state, moves = rules.start(), []
    while not state.over:
        move = rng.choice(rules.legal_actions(state))
        moves.append((tuple(Side).index(state.active), move))
        state = rules.apply(state, move)
    return Record(moves, (state.points(Side.PLAYERONE), state.points(Side.PLAYERTWO)))


@functools.cache
def _scripts(seed: int) -> Sequence[Script]:
    return [Script([_step(*entry) for entry in record.moves]) for record in records(seed)]


def _step(player: int, move: rules.Move) -> Step:
    origin, target = TILE_NAMES[Tile(move.origin)], TILE_NAMES[Tile(move.target)]
    return Step(player, f'"moveFrom":"{origin}","moveTo":"{target}"}}'.encode())


@attrs.define
class Guest:
    """A connection that has been welcomed."""

    connection: Connection
    key: str

    def say(self, kind: str, **attributes: str) -> None:
        self.connection.send(
            orjson.dumps({"messageType": kind, "userId": self.key, **attributes})
        )

    def hear(self, kind: str) -> dict[str, str]:
        message: dict[str, str] = orjson.loads(self.connection.receive())
        if message["messageType"] != kind:
            raise CannotMeasure(f"expected {kind}, heard {message}")
        return message


class HexxagonLoad:
    """Clients of a server that speaks the Hexxagon network standard, on any transport."""

    def __init__(self, port: int, connect: Callable[[int], Connection], seed: int) -> None:
        self._port = port
        self._connect = connect
        self._seed = seed
        self._guests: list[Guest] = []
        self._games: list[str] = []
        self._unfinished: list[tuple[tuple[Guest, Guest], str]] = []

    def connect(self, count: int) -> None:
        """Let so many clients log in; they stay in the reception."""
        connections = [self._connect(self._port) for _ in range(count)]
        for connection in connections:
            welcome = orjson.loads(connection.receive())
            self._guests.append(Guest(connection, welcome["userId"]))

    def deal(self) -> None:
        """Let every two clients create, join and start a match."""
        pairs = self._pairs()
        self._games = []
        for begin in range(0, len(pairs), BATCH):
            self._games += _start(pairs[begin : begin + BATCH])

    def play(self, *, rate: float = 0, seconds: float) -> Taken:
        """Play the matches, at most for so many seconds; what is not over then is broken off."""
        scripts = _scripts(self._seed)
        pairs = self._pairs()
        groups = [
            Group(
                [guest.connection for guest in pair],
                [_head(guest, game) for guest in pair],
                scripts[number % len(scripts)],
            )
            for number, (pair, game) in enumerate(zip(pairs, self._games, strict=True))
        ]
        taken = replay(groups, STATUS, rate=rate, seconds=seconds)
        self._unfinished = [
            (pair, game)
            for pair, game, over in zip(pairs, self._games, taken.over, strict=True)
            if not over
        ]
        return taken

    def leave(self) -> None:
        """End the matches that are not over, so that others can be dealt."""
        for (one, _), game in self._unfinished:
            one.say("LeaveGame", gameId=game)
        for pair, _ in self._unfinished:
            for guest in pair:
                guest.hear("GameStatus")

    def close(self) -> None:
        for guest in self._guests:
            guest.connection.socket.close()

    def _pairs(self) -> list[tuple[Guest, Guest]]:
        return list(zip(self._guests[::2], self._guests[1::2], strict=True))


def _head(guest: Guest, game: str) -> bytes:
    return f'{{"messageType":"GameMove","userId":"{guest.key}","gameId":"{game}",'.encode()


def _start(pairs: Sequence[tuple[Guest, Guest]]) -> list[str]:
    """Set up matches, all of them one stage after the other, so that the server never waits."""
    for one, _ in pairs:
        one.say("CreateNewLobby", lobbyName="bench")
    lobbies = [one.hear("LobbyCreated")["lobbyId"] for one, _ in pairs]
    for number in range(2):
        for pair, lobby in zip(pairs, lobbies, strict=True):
            pair[number].say("JoinLobby", lobbyId=lobby, userName=f"Player{number}")
        for pair in pairs:
            pair[number].hear("LobbyJoined")
            for guest in pair[: number + 1]:
                guest.hear("LobbyStatus")
    for (one, _), lobby in zip(pairs, lobbies, strict=True):
        one.say("StartGame", lobbyId=lobby)
    games = []
    for pair in pairs:
        games += [[guest.hear("GameStarted")["gameId"] for guest in pair][0]]
        for guest in pair:
            guest.hear("GameStatus")
    return games
