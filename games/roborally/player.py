"""A Robo Rally player on the wire: registers, gets ready, plays, reports."""

import random
from collections.abc import Iterator
from functools import partial
from typing import Any

from games.roborally import bots, courses
from games.roborally.knowledge import Knowledge
from games.roborally.member import FIGURES
from games.roborally.messages import (
    VERSION,
    ActivePhase,
    BuyUpgrade,
    CardSelected,
    ConnectionUpdate,
    CurrentPlayer,
    Error,
    GameFinished,
    GameStarted,
    HelloClient,
    HelloServer,
    PickDamage,
    PlayerAdded,
    PlayerStatus,
    PlayerValues,
    SelectedCard,
    ServerMessage,
    SetStatus,
    Welcome,
    YourCards,
)
from games.roborally.requests import request
from games.roborally.rules import (
    Action,
    Decision,
    Phase,
    Program,
    Purchase,
    RegisterCard,
    StartPoint,
)
from ludothek.contract.player import BrokenProtocol, PlayerOptions, Report, Thought, Utterance

GROUP = "Ludothek"

# From this difficulty on, choosing takes less time than a message, and is done in place.
QUICK = bots.DIFFICULTIES.index("greedy")

# The first card of a program determines most of the rest, so others get a part of its time.
LATER_SHARE = 0.3

# Others may take a name or figure at the same moment, but not for ever.
MAX_REFUSALS = 20


class RoboRallyPlayer:
    """Plays one game after another in the one lobby of a server."""

    def __init__(self, options: PlayerOptions, rng: random.Random) -> None:
        self._difficulty = options.difficulty
        self._seconds = options.think_seconds
        self._name = options.username or f"Bot_{rng.randrange(10**6)}"
        self._rng = rng
        self._me: int | None = None
        self._players: dict[int, PlayerAdded] = {}
        self._refusals = 0
        self._watching = False  # others began a game before we had joined
        self._game: Knowledge | None = None
        self._pending: Decision | None = None
        self._moves = 0
        self._errors = 0

    def greet(self) -> Iterator[Utterance]:
        """The server speaks first."""
        return iter(())

    def idle(self) -> Iterator[Utterance]:
        return iter(())

    def hear(self, message: Any) -> Iterator[Utterance]:
        if not isinstance(message, ServerMessage):
            raise BrokenProtocol(f"the server sent {type(message).__name__}")
        if isinstance(message, Error):
            return self._hear_error(message)
        if isinstance(message, GameStarted):
            return self._begin(message)
        if self._game is not None:
            return self._hear_game(self._game, message)
        return self._hear_lobby(message)

    # In the lobby

    def _hear_lobby(self, message: Any) -> Iterator[Utterance]:
        match message:
            case HelloClient():
                yield HelloServer(GROUP, True, VERSION)
            case Welcome(player_id=me):
                self._me = me
                yield self._values()
            case GameFinished() | PlayerStatus(ready=False) if self._watching:
                self._watching = False
                yield self._values()
            case PlayerAdded(player_id=player_id):
                self._players[player_id] = message
                if player_id == self._me:
                    yield SetStatus(True)
            case PlayerStatus(player_id=self._me, ready=False):
                yield SetStatus(True)
            case ConnectionUpdate(player_id=player_id, action="Remove"):
                self._players.pop(player_id, None)

    def _values(self) -> PlayerValues:
        taken = {player.figure for player in self._players.values()}
        free = [figure for figure in FIGURES[1:] if figure not in taken] or list(FIGURES)
        return PlayerValues(self._name, self._rng.choice(free))

    def _hear_error(self, error: Error) -> Iterator[Utterance]:
        if self._game is not None:
            self._errors += 1
            if isinstance(self._pending, Purchase):  # the shop is not what we thought
                yield BuyUpgrade(False)
        elif self._me is not None and self._me not in self._players and not self._watching:
            self._refusals += 1
            if self._refusals > MAX_REFUSALS:
                raise BrokenProtocol(f"the server refuses every name and figure: {error.error}")
            if self._name in {player.name for player in self._players.values()}:
                self._name = f"{self._name[:20]} {self._rng.randrange(1000)}"
            yield self._values()

    # In the game

    def _begin(self, started: GameStarted) -> Iterator[Utterance]:
        if self._me is None:
            raise BrokenProtocol("a game began before the Welcome")
        if self._me not in self._players:
            self._watching = True
            return iter(())
        try:
            self._game = Knowledge.of(self._me, started)
        except courses.BadCourse as flaw:
            raise BrokenProtocol(f"the server sent a bad map: {flaw}") from None
        self._pending, self._moves, self._errors = None, 0, 0
        return iter(())

    def _hear_game(self, game: Knowledge, message: Any) -> Iterator[Utterance]:
        try:
            game.learn(message)
        except (LookupError, ValueError):  # unknown robots, cards, phases, directions
            raise BrokenProtocol(f"the server sent {message}") from None
        match message:
            case GameFinished(player_id=winner):
                yield from self._end(game, winner)
            case PlayerStatus(player_id=game.me):  # we are back in the lobby, without a winner
                yield from self._end(game, None)
                yield SetStatus(True)
            case CurrentPlayer(player_id=game.me):
                yield from self._decide(game, self._turn(game))
            case CurrentPlayer():
                self._pending = None
            case YourCards():
                yield from self._decide(game, Program())
            case CardSelected(player_id=game.me):
                yield from self._next_card(game)
            case PickDamage(count=count):
                yield from self._decide(game, game.damage(count))
            case ActivePhase(phase=Phase.UPGRADE):
                yield from self._turn_after_reboot(game)

    def _turn_after_reboot(self, game: Knowledge) -> Iterator[Utterance]:
        if self._difficulty <= QUICK and (turn := bots.turn_after_reboot(game.view(Program()))):
            game.may_turn = False
            yield request(turn)

    @staticmethod
    def _turn(game: Knowledge) -> Decision:
        if game.phase is Phase.SETUP:
            return StartPoint(game.me)
        return Purchase(game.me) if game.phase is Phase.UPGRADE else RegisterCard(game.me)

    def _decide(self, game: Knowledge, pending: Decision) -> Iterator[Utterance]:
        self._pending = pending
        rng = random.Random(self._rng.getrandbits(64))
        seconds = self._seconds * (LATER_SHARE if any(game.registers) else 1)
        view = game.view(pending)
        decide = partial(bots.choose, view, self._difficulty, rng, seconds)
        if self._difficulty < QUICK and isinstance(pending, Program | StartPoint):
            yield Thought(decide, self._say)
        else:
            yield self._say(decide())

    def _say(self, action: Action) -> Any:
        message = request(action)
        self._moves += 1
        if isinstance(message, SelectedCard) and self._game is not None:
            self._game.select(message)
        return message

    def _next_card(self, game: Knowledge) -> Iterator[Utterance]:
        if None in game.registers:
            yield from self._decide(game, Program())

    def _end(self, game: Knowledge, winner: int | None) -> Iterator[Utterance]:
        self._game = None
        names = {one: self._players[one].name for one in game.robots if one in self._players}
        yield Report(
            winner=None if winner is None else names.get(winner, str(winner)),
            points={name: game.robots[one].checkpoint for one, name in names.items()},
            moves=self._moves,
            errors=self._errors,
            details={"won": winner == game.me, "rounds": game.round, "course": game.course.name},
        )
