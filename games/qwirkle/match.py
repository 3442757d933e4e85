"""A game ("Spiel"): its players, position and clocks, and what can be said about them."""

import random
from collections.abc import Callable
from math import inf

import attrs

from games.qwirkle import rules
from games.qwirkle.configuration import Configuration, Milliseconds
from games.qwirkle.messages import ClientInfo, GameInfo, GameState, News, TileOnPosition, Winner
from ludothek.contract.stopwatch import Stopwatch
from ludothek.contract.timers import Timers

# Its timers: a turn, the time to look at a finished turn, and the time in the list after the end.
TURN, LOOK, LISTED = "turn", "look", "listed"


@attrs.define(eq=False)
class Match:
    """Everything that is true of a game, no matter who may know it."""

    game_id: int
    name: str
    config: Configuration
    tournament: str | None  # the key of the tournament it belongs to
    variant: rules.Variant
    now: Callable[[], float]
    state: GameState = GameState.NOT_STARTED
    players: list[ClientInfo] = attrs.field(factory=list)  # in turn order, those still in the game
    _position: rules.State | None = None
    _deserted: bool = False  # whether the player announced last is gone
    _info: GameInfo | None = None  # as it was listed last
    ended_at: float = inf
    timers: Timers = attrs.field(init=False)
    _news: dict[type[News], News] = attrs.field(factory=dict)  # about the position
    _stopwatch: Stopwatch = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        self.timers = Timers(self.now)
        self._stopwatch = Stopwatch(self.now)

    @property
    def position(self) -> rules.State:
        """The state of play; only a game that has started has one."""
        assert self._position is not None
        return self._position

    @position.setter
    def position(self, position: rules.State) -> None:
        self._position = position
        self._news.clear()

    @property
    def started(self) -> bool:
        return self._position is not None

    @property
    def is_tournament(self) -> bool:
        return self.tournament is not None

    @property
    def ended(self) -> bool:
        return self.state is GameState.ENDED

    # Its course

    def start(self, rng: random.Random) -> None:
        """Deal the first hands; raises RuleViolation if that is not possible."""
        order = [player.client_id for player in self.players]
        self.position = rules.start(self.variant, order, rng)
        self.state = GameState.IN_PROGRESS
        self._stopwatch.start()

    def take_over(self, past: "Match") -> None:
        """Continue from another game, with these players on the seats there."""
        self.config, self.variant, self._info = past.config, past.variant, None
        seats = zip(past.position.seats, self.players, strict=True)
        self.position = attrs.evolve(
            past.position,
            seats=tuple(attrs.evolve(seat, player=player.client_id) for seat, player in seats),
        )
        self._deserted = past._deserted
        self._stopwatch = Stopwatch(self.now, past._stopwatch.elapsed)
        self._stopwatch.start()
        self.timers.adopt(past.timers, TURN, LOOK)

    def begin_turn(self) -> None:
        self._deserted = False
        self.timers.start(TURN, self.config.turn_time / 1000)

    def show_turn(self) -> None:
        """Give everybody time to look at what happened."""
        self.timers.stop(TURN)
        self.timers.start(LOOK, self.config.time_visualization / 1000)

    def remove(self, player: ClientInfo, rng: random.Random) -> None:
        """A player is no longer ranked; the hand goes back to the bag."""
        self._deserted = self._deserted or player == self.current
        self.players.remove(player)
        if self.started:
            self.position = rules.remove(self.position, player.client_id, rng)

    def pause(self) -> None:
        self.state = GameState.PAUSED
        self.timers.pause()
        self._stopwatch.stop()

    def resume(self) -> None:
        self.state = GameState.IN_PROGRESS
        self.timers.resume()
        self._stopwatch.start()

    def end(self, listed_seconds: float) -> None:
        """From now on it is only listed, for that many seconds."""
        self.state = GameState.ENDED
        self.ended_at = self.now()
        self.timers.clear()
        self.timers.start(LISTED, listed_seconds)
        self._stopwatch.stop()

    # What can be said about it

    @property
    def turn_left(self) -> Milliseconds:
        if not self.started:
            return self.config.turn_time
        if self.ended or self.position.turn_over:
            return Milliseconds(0)
        return Milliseconds(round(self.timers.left(TURN) * 1000))

    @property
    def total_time(self) -> Milliseconds:
        return Milliseconds(round(self._stopwatch.elapsed * 1000))

    @property
    def info(self) -> GameInfo:
        """The same object as long as nothing about it has changed."""
        info = self._info
        if info is None or info.game_state is not self.state or info.players != self.players:
            players = [*self.players]
            info = self._info = GameInfo(
                self.game_id, self.name, self.state, self.is_tournament, players, self.config
            )
        return info

    def news(self, kind: type[News], make: Callable[[], News]) -> News:
        """News of that kind about the position; the same object as long as the position is."""
        if kind not in self._news:
            self._news[kind] = make()
        return self._news[kind]

    @property
    def current(self) -> ClientInfo | None:
        """The active player; before the start, the one who will begin; while the place of the
        active player is empty, the one whose turn comes next.
        """
        if not (self.started and self.players):
            return self.players[0] if self.players else None
        turn = self.position.turn + (self._deserted and self.position.turn_over)
        return self.player(self.position.seats[turn % len(self.position.seats)].player)

    @property
    def scores(self) -> dict[ClientInfo, int]:
        if not self.started:
            return dict.fromkeys(self.players, 0)
        return {player: self.position.seat(player.client_id).score for player in self.players}

    @property
    def hands(self) -> dict[ClientInfo, list[rules.Tile]]:
        return {player: self.hand(player) for player in self.players}

    def hand(self, player: ClientInfo) -> list[rules.Tile]:
        if not self.started or player not in self.players:
            return []
        return [*self.position.seat(player.client_id).hand]

    @property
    def bag(self) -> list[rules.Tile]:
        """The bag, in an order that says nothing about the next draw."""
        return [*(self.position.bag_contents() if self.started else rules.all_tiles(self.variant))]

    @property
    def board(self) -> list[TileOnPosition]:
        return [*map(placed, self.position.board.placements())] if self.started else []

    def winner(self, choice: ClientInfo | None = None) -> Winner | None:
        """Who wins if the game is over now; None only if there are no players."""
        scores = self.scores
        if not scores:
            return None
        winner = choice or max(scores, key=scores.__getitem__)  # on a tie, the first in turn order
        return Winner(winner, scores[winner], scores)

    def player(self, client_id: int) -> ClientInfo:
        return next(player for player in self.players if player.client_id == client_id)


def placed(placement: rules.Placement) -> TileOnPosition:
    return TileOnPosition(placement.x, placement.y, placement.tile)
