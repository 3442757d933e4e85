"""Qwirkle: boards, hands, bag and scores are followed tile by tile."""

from collections.abc import Sequence
from typing import Any

import attrs

from bench.continuity.gap import Answers, News, require
from games.qwirkle import rules
from games.qwirkle.messages import (
    ConnectAccepted,
    ConnectRequest,
    CurrentPlayer,
    EndGame,
    Error,
    GameJoinAccepted,
    GameJoinRequest,
    GameListRequest,
    GameListResponse,
    GameState,
    LeavingPlayer,
    LeavingRequest,
    MoveValid,
    NotAllowed,
    PauseGame,
    PlayTiles,
    ResumeGame,
    SendTiles,
    SpectatorJoinAccepted,
    SpectatorJoinRequest,
    StartGame,
    StartTiles,
    TileSwapRequest,
    TileSwapResponse,
    TileSwapValid,
    Update,
    Winner,
)
from games.qwirkle.messages import News as QwirkleNews
from ludothek.contract.mistakes import RuleViolation

END_BONUS = 6

# What only one player hears.
PRIVATE = (StartTiles, SendTiles, MoveValid, TileSwapValid, TileSwapResponse)


@attrs.define
class _Game:
    """A game that has begun, as far as everybody knows it."""

    start: StartGame
    me: int | None  # None: a spectator
    board: rules.Board = rules.EMPTY
    hand: list[rules.Tile] | None = None  # ours, once dealt
    active: int | None = None
    laid: bool = False  # in this turn
    due: type | None = None  # what must come next
    ended: bool = False
    bag: int = attrs.field(init=False)
    counts: dict[int, int] = attrs.field(init=False)  # tiles on each hand
    scores: dict[int, int] = attrs.field(init=False)
    drawn: int = 0  # tiles that we have got for our next turn

    def __attrs_post_init__(self) -> None:
        size, players = self.start.config.max_hand_tiles, self.start.clients
        self.bag = self.start.config.total - size * len(players)
        self.counts = {player.client_id: size for player in players}
        self.scores = {player.client_id: 0 for player in players}
        self.due = StartTiles if self.me is not None else CurrentPlayer

    def hear(self, message: Any) -> None:
        name = type(message).__name__
        if self.due is not None:
            require(isinstance(message, self.due), f"{name} where {self.due.__name__} was to come")
            self.due = None
        match message:
            case StartTiles(tiles=tiles):
                require(self.hand is None, "dealt again")
                self._own(tiles)
                self.due = CurrentPlayer
            case SendTiles(tiles=tiles):
                self._own(tiles)
                self.drawn = len(tiles)
                self.due = CurrentPlayer
            case CurrentPlayer(client=client):
                self._turn_of(client.client_id)
            case Update(updates=updates, number_tiles_in_bag=bag):
                placements = [rules.Placement(u.tile, u.coord_x, u.coord_y) for u in updates]
                self._lay(tuple(placements), bag)
            case EndGame():
                self.ended, self.due = True, Winner
            case Winner(leaderboard=leaderboard, client=client, score=score):
                require(self.ended, "no end of the game")
                found = {player.client_id: points for player, points in leaderboard.items()}
                self._conclude(found, client.client_id, score)

    def _own(self, tiles: Sequence[rules.Tile]) -> None:
        self.hand = [*(self.hand or ()), *tiles]

    def _turn_of(self, player: int) -> None:
        same = player == self.active
        # Only who can neither lay nor swap is passed over, and then the bag is empty.
        require(not same or (self.laid and not self.bag), "a turn is missing")
        size = self.start.config.max_hand_tiles
        drawn = min(size - self.counts[player], self.bag)
        if player == self.me:
            require(self.drawn == drawn, f"{self.drawn} tiles instead of {drawn}")
        self.counts[player] += drawn
        self.bag -= drawn
        self.active, self.laid, self.drawn = player, False, 0

    def _lay(self, placements: tuple[rules.Placement, ...], bag: int) -> None:
        require(self.active is not None and not self.laid, "an update outside of a turn")
        assert self.active is not None
        require(bag == self.bag, f"{bag} tiles in the bag, not {self.bag}")
        try:
            earned = rules.score(self.board, placements, self.start.config.color_shape_count)
        except RuleViolation as violation:
            require(False, f"a move against the rules: {violation}")
        self.board = self.board.plus(placements)
        self.scores[self.active] += earned
        self.counts[self.active] -= len(placements)
        if self.active == self.me and self.hand is not None:
            laid = {placement.tile for placement in placements}
            require(laid <= set(self.hand), "tiles that we do not have")
            self.hand = [tile for tile in self.hand if tile not in laid]
        self.laid = True

    def swapped(self, gone: Sequence[rules.Tile], tiles: Sequence[rules.Tile]) -> None:
        require(len(gone) == len(tiles), f"{len(tiles)} tiles for {len(gone)}")
        self.hand = [tile for tile in self.hand or () if tile not in gone] + [*tiles]

    def _conclude(self, found: dict[int, int], winner: int, score: int) -> None:
        out = [player for player, count in self.counts.items() if not count and not self.bag]
        expected = dict(self.scores)
        for player in out:
            expected[player] += END_BONUS
        require(found == expected, f"scores {found} instead of {expected}")
        require(score == max(found.values()) == found[winner], "the winner has not the most")


class QwirkleContinuity:
    """One client and the games that it plays or watches, one after another."""

    def __init__(self) -> None:
        self._answers = Answers()
        self._me: int | None = None
        self._joined = False  # a game that has not begun
        self._watches = False
        self._late = False  # in a game that had begun before, and which we leave
        self._game: _Game | None = None
        self._moves: list[PlayTiles | TileSwapRequest] = []  # not answered yet
        self._due: type | None = None  # what must come next
        self._swapped: Sequence[rules.Tile] = ()
        self._paused = False

    def said(self, message: Any) -> None:
        match message:
            case ConnectRequest():
                self._answers.expect(ConnectAccepted)
            case GameListRequest():
                self._answers.expect(GameListResponse, NotAllowed)
            case GameJoinRequest():
                self._answers.expect(GameJoinAccepted, Error)
            case SpectatorJoinRequest():
                self._answers.expect(SpectatorJoinAccepted, Error)
            case PlayTiles() | TileSwapRequest():
                self._moves.append(message)
            case LeavingRequest():
                pass  # after the end it is not answered

    def heard(self, message: Any) -> None:
        name = type(message).__name__
        if self._due is not None:
            require(isinstance(message, self._due), f"{name} where {self._due.__name__} is due")
            self._due = None
        match message:
            case ConnectAccepted(client_id=me):
                self._answers.take(message)
                self._me = me
            case GameListResponse():
                self._answers.take(message)
            case GameJoinAccepted(game=game) | SpectatorJoinAccepted(game=game):
                self._answers.take(message)
                self._watches = isinstance(message, SpectatorJoinAccepted)
                self._joined = game.game_state is GameState.NOT_STARTED
                self._late = not self._joined
            case LeavingPlayer() | Winner() if self._late:
                self._late = False
            case QwirkleNews() if self._late:
                pass  # of a game whose beginning we have not seen
            case Error():
                self._refused(message)
            case QwirkleNews():
                self._play(message)

    def news(self, message: Any, frame: bytes) -> News | None:
        public = isinstance(message, QwirkleNews) and not isinstance(message, PRIVATE)
        inside = self._game is not None or isinstance(message, Winner)
        return News.of(message, frame) if public and inside and not self._lists(message) else None

    @staticmethod
    def _lists(message: Any) -> bool:
        return isinstance(message, GameListResponse | GameJoinAccepted | SpectatorJoinAccepted)

    @property
    def owed(self) -> Sequence[str]:
        owed = self._answers.owed + [type(move).__name__ for move in self._moves]
        owed += [due.__name__ for due in (self._due, self._game and self._game.due) if due]
        return owed

    def _pause(self, paused: bool) -> None:
        require(self._game is not None, "a pause without a game")
        require(paused is not self._paused, "a pause within a pause, or none to end")
        self._paused = paused

    def _refused(self, error: Error) -> None:
        moves = (PlayTiles.unique_id, TileSwapRequest.unique_id)
        if error.cause_id in moves:
            require(bool(self._moves), "a refusal of nothing")
            require(self._paused, f"refused: {error.message}")
            self._moves.pop(0)
        elif error.cause_id != LeavingRequest.unique_id:
            self._answers.take(error)

    def _play(self, message: Any) -> None:
        match message:
            case StartGame():
                require(self._joined and self._game is None, "a game that we did not join")
                self._game = _Game(message, None if self._watches else self._me)
                self._joined = False
            case PauseGame() | ResumeGame():
                self._pause(isinstance(message, PauseGame))
            case _:
                self._follow(message)

    def _follow(self, message: Any) -> None:
        require(self._game is not None, f"{type(message).__name__} without a game")
        assert self._game is not None
        match message:
            case MoveValid(validation=valid):
                self._answered(PlayTiles, valid)
                self._due = Update
            case TileSwapValid(validation=valid):
                move = self._answered(TileSwapRequest, valid)
                self._swapped, self._due = move.all_tiles, TileSwapResponse
            case TileSwapResponse(tiles=tiles):
                self._game.swapped(self._swapped, tiles)
                self._swapped = ()
            case _:
                mine = isinstance(message, Update | CurrentPlayer) and not self._watches
                if mine and self._game.active == self._me:
                    require(not self._moves, "no answer to our move")
                self._game.hear(message)
        if isinstance(message, Winner):
            self._game = None
            self._paused = False

    def _answered(self, kind: type, valid: bool) -> PlayTiles | TileSwapRequest:
        require(bool(self._moves), "an answer to no move")
        move = self._moves.pop(0)
        require(isinstance(move, kind), "the answer to another move")
        require(valid, "a legal move was refused")
        return move
