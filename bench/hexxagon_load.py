"""Hexxagon matches as a load: random legal games, recorded once and replayed repeatedly."""

import functools
import os
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

# How many different games are played at the same time; further matches repeat them.
RECORDS = 8

# How many matches are set up at once: fewer than a server lets wait at the same time.
BATCH = 100

STATUS = b'{"messageType":"GameStatus"'


@attrs.frozen
class Record:
    """One whole game: who moved, from where to where."""

    moves: Sequence[tuple[int, rules.Move]]
    points: tuple[int, int]


@functools.cache
def records(seed: int) -> Sequence[Record]:
    """The games that are played on all servers."""
    return [_record(random.Random(f"{seed}/{number}")) for number in range(RECORDS)]


def _record(rng: random.Random) -> Record:
    state, moves = rules.start(), []
    while not state.over:
        move = rng.choice(rules.legal_actions(state))
        moves.append((tuple(Side).index(state.active), move))
        state = rules.apply(state, move)
    return Record(moves, (state.points(Side.PLAYERONE), state.points(Side.PLAYERTWO)))


@functools.cache
def _script(seed: int, number: int, begin: int, end: int | None) -> Script:
    """A part of a game."""
    return Script([_step(*entry) for entry in records(seed)[number].moves[begin:end]])


def _step(player: int, move: rules.Move) -> Step:
    origin, target = TILE_NAMES[Tile(move.origin)], TILE_NAMES[Tile(move.target)]
    return Step(player, f'"moveFrom":"{origin}","moveTo":"{target}"}}'.encode())


@attrs.define(eq=False)
class Guest:
    """A connection that has been welcomed."""

    connection: Connection
    key: str

    def say(self, kind: str, **attributes: str) -> None:
        self.connection.send(orjson.dumps({"messageType": kind, "userId": self.key, **attributes}))

    def hear(self, kind: str) -> dict[str, str]:
        message: dict[str, str] = orjson.loads(self.connection.receive())
        if message["messageType"] != kind:
            raise CannotMeasure(f"expected {kind}, heard {message}")
        return message


@attrs.frozen(eq=False)
class Match:
    """Two players and the game they play."""

    players: tuple[Guest, Guest]
    game: str

    def group(self, script: Script) -> Group:
        heads = [_head(guest, self.game) for guest in self.players]
        return Group([guest.connection for guest in self.players], heads, script)


class HexxagonLoad:
    """Clients of a server that speaks the Hexxagon network standard, on any transport."""

    def __init__(self, port: int, connect: Callable[[int], Connection], seed: int) -> None:
        self.pid = os.getpid()
        self._port = port
        self._connect = connect
        self._seed = seed
        self._idle: list[Guest] = []
        self._dealt: list[Match] = []
        self._made: list[int] = []  # moves in each of them
        self._unfinished: set[Match] = set()

    def connect(self, count: int) -> None:
        connections = [self._connect(self._port) for _ in range(count)]
        for connection in connections:
            welcome = orjson.loads(connection.receive())
            self._idle.append(Guest(connection, welcome["userId"]))

    def deal(self) -> None:
        pairs = list(zip(self._idle[::2], self._idle[1::2], strict=True))
        self._idle = []
        self._dealt = []
        for begin in range(0, len(pairs), BATCH):
            self._dealt += _start(pairs[begin : begin + BATCH])
        self._made = [0] * len(self._dealt)
        self._unfinished.update(self._dealt)

    def play(self, *, rate: float = 0, seconds: float, moves: int | None = None) -> Taken:
        """Play the matches dealt last, from where they are; none of them may be over yet."""
        groups = [
            match.group(_script(self._seed, number % RECORDS, made, moves))
            for number, (match, made) in enumerate(zip(self._dealt, self._made, strict=True))
        ]
        taken = replay(groups, STATUS, rate=rate, seconds=seconds)
        lengths = [len(record.moves) for record in records(self._seed)]
        for number, (match, said) in enumerate(zip(self._dealt, taken.said, strict=True)):
            self._made[number] += said
            if self._made[number] == lengths[number % RECORDS]:
                self._unfinished.remove(match)
                self._idle += match.players
        return taken

    def say(self, number: int) -> list[Guest]:
        """Make the move of that number, from 0, in all matches dealt last; who will hear of it."""
        for index, match in enumerate(self._dealt):
            step = _script(self._seed, index % RECORDS, 0, None).steps[number]
            mover = match.players[step.peer]
            mover.connection.send(_head(mover, match.game) + step.tail)
        return [guest for match in self._dealt for guest in match.players]

    def leave(self) -> None:
        for match in self._unfinished:
            match.players[0].say("LeaveGame", gameId=match.game)
        for match in self._unfinished:
            for guest in match.players:
                guest.hear("GameStatus")
            self._idle += match.players
        self._unfinished.clear()

    def close(self) -> None:
        for guest in [*self._idle, *(guest for m in self._unfinished for guest in m.players)]:
            guest.connection.socket.close()


def _head(guest: Guest, game: str) -> bytes:
    return f'{{"messageType":"GameMove","userId":"{guest.key}","gameId":"{game}",'.encode()


def _start(pairs: Sequence[tuple[Guest, Guest]]) -> list[Match]:
    """Set up matches, all of them stage by stage, so that the server is never idle."""
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
    matches = []
    for pair in pairs:
        for guest in pair:
            game = guest.hear("GameStarted")["gameId"]
            guest.hear("GameStatus")
        matches.append(Match(pair, game))
    return matches
