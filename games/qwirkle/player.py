"""A Qwirkle player on the wire: joins an open game or waits to be seated, plays, reports."""

import random
from collections.abc import Iterator
from functools import partial
from typing import Any

from games.qwirkle import bots, rules
from games.qwirkle.knowledge import Knowledge
from games.qwirkle.messages import (
    ClientInfo,
    ClientType,
    ConnectAccepted,
    ConnectRequest,
    CurrentPlayer,
    Error,
    GameInfo,
    GameJoinAccepted,
    GameJoinRequest,
    GameListRequest,
    GameListResponse,
    GameState,
    LeavingPlayer,
    LeavingRequest,
    MoveValid,
    News,
    PlayTiles,
    ResumeGame,
    ScoreResponse,
    SendTiles,
    SpectatorJoinAccepted,
    StartGame,
    StartTiles,
    TileOnPosition,
    TileSwapRequest,
    TileSwapResponse,
    TileSwapValid,
    Update,
    Winner,
)
from ludothek.contract.player import BrokenProtocol, PlayerOptions, Report, Thought, Utterance

# The share of a turn that may be spent on thinking.
THINKING_SHARE = 0.25

# Somebody may be faster, or seat us while we ask, or have put us back into the lobby already.
HARMLESS = (GameListRequest.unique_id, GameJoinRequest.unique_id, LeavingRequest.unique_id)


class QwirklePlayer:
    """Plays one game after another: the wanted one, any that has room, or where it is put."""

    def __init__(self, options: PlayerOptions, rng: random.Random) -> None:
        self._difficulty = options.difficulty
        self._seconds = options.think_seconds
        self._wanted = options.lobby
        self._name = options.username or f"Bot_{rng.randrange(10**6)}"
        self._rng = rng
        self._me: int | None = None
        self._game: GameInfo | None = None
        self._asking = False  # whether a list of games is on its way
        self._joining = False
        self._knowledge: Knowledge | None = None
        self._offered: list[rules.Tile] = []  # what the last move would take from the hand
        self._moves = 0
        self._errors = 0

    def greet(self) -> Iterator[Utterance]:
        yield ConnectRequest(self._name, ClientType.PLAYER)

    def hear(self, message: Any) -> Iterator[Utterance]:
        match message:
            case ConnectAccepted(client_id=me):
                self._me = me
                yield from self._ask()
            case GameListResponse(games=games):
                self._asking = False
                yield from self._choose_game(games)
            case GameJoinAccepted(game=game) | SpectatorJoinAccepted(game=game):
                self._game = game
                self._asking = self._joining = False
            case LeavingPlayer(client=client) if client.client_id == self._me:
                yield from self._sent_away()
            case Winner():
                yield from self._game_over(message)
            case Error(cause_id=cause_id):
                self._asking &= cause_id != GameListRequest.unique_id
                self._joining &= cause_id != GameJoinRequest.unique_id
                self._errors += cause_id not in HARMLESS
            case News():
                yield from self._follow(message)
            case _:
                raise BrokenProtocol(f"the server sent {type(message).__name__}")

    def idle(self) -> Iterator[Utterance]:
        """Check whether there is a game now."""
        if self._me is not None and self._game is None and not self._joining:
            yield from self._ask()

    # Finding a game

    def _ask(self) -> Iterator[Utterance]:
        """Ask for the list of games, but not again before there has been an answer."""
        if not self._asking:
            self._asking = True
            yield GameListRequest()

    def _choose_game(self, games: list[GameInfo]) -> Iterator[Utterance]:
        games = [game for game in games if self._suits(game)]
        if games and self._game is None and not self._joining:
            # Where others wait already, so that players who look at the same moment meet.
            self._joining = True
            yield GameJoinRequest(max(games, key=lambda game: len(game.players)).game_id)

    def _suits(self, game: GameInfo) -> bool:
        most = game.config.max_player_number
        return (
            game.game_state is GameState.NOT_STARTED
            and not game.is_tournament
            and (not most or len(game.players) < most)
            and self._wanted in (None, game.game_name, str(game.game_id))
        )

    # Playing

    def _follow(self, news: News) -> Iterator[Utterance]:
        if isinstance(news, StartGame) and self._is_among(news.clients):
            players = [player.client_id for player in news.clients]
            self._knowledge = Knowledge(self._id, news.config, players)
            self._moves = 0
        elif self._knowledge is not None:
            yield from self._play(self._knowledge, news)

    def _play(self, knowledge: Knowledge, news: News) -> Iterator[Utterance]:
        match news:
            case StartTiles(tiles=tiles) | SendTiles(tiles=tiles) | TileSwapResponse(tiles=tiles):
                knowledge.hand += tiles
            case CurrentPlayer(client=client):
                knowledge.turn_of(client.client_id)
                if knowledge.my_turn:
                    yield from self._think(knowledge)
            case MoveValid(validation=valid) | TileSwapValid(validation=valid):
                self._moves += valid
                self._errors += not valid
                knowledge.gave(self._offered if valid else [])
                self._offered = []
            case Update(updates=updates, number_tiles_in_bag=bag):
                knowledge.laid(updates, bag)
            case ScoreResponse(scores=scores):
                knowledge.scored({client.client_id: score for client, score in scores.items()})
            case LeavingPlayer(client=client):
                knowledge.left(client.client_id)
            case ResumeGame() if knowledge.my_turn and self._offered:
                yield from self._think(knowledge)  # the game was paused when the turn came

    def _think(self, knowledge: Knowledge) -> Iterator[Utterance]:
        view = knowledge.view()
        if _can_do_nothing(view):
            return  # there is no message for that: the time of the turn has to run out
        rng = random.Random(self._rng.getrandbits(64))
        seconds = min(self._seconds, knowledge.config.turn_time / 1000 * THINKING_SHARE)
        decide = partial(bots.choose, view, self._difficulty, rng, seconds)
        if self._difficulty > 0:
            yield self._move(decide())
        else:
            yield Thought(decide, self._move)

    def _move(self, action: rules.Action) -> PlayTiles | TileSwapRequest:
        match action:
            case rules.Lay(placements=placements):
                move: PlayTiles | TileSwapRequest = PlayTiles(
                    [TileOnPosition(p.x, p.y, p.tile) for p in placements]
                )
            case rules.Swap(tiles=tiles):
                move = TileSwapRequest([*tiles])
            case _:
                raise AssertionError("a player that can move does not pass")
        self._offered = move.all_tiles
        return move

    # The end

    def _sent_away(self) -> Iterator[Utterance]:
        if self._knowledge is not None:
            yield self._report(None, {})
        yield from self._look_on()

    def _game_over(self, winner: Winner) -> Iterator[Utterance]:
        yield self._report(winner.client, winner.leaderboard)
        if self._game is not None and not self._game.is_tournament:
            yield LeavingRequest()  # as the known bots do
        yield from self._look_on()

    def _look_on(self) -> Iterator[Utterance]:
        self._game = self._knowledge = None
        self._offered = []
        self._errors = 0
        yield from self._ask()

    def _report(self, winner: ClientInfo | None, leaderboard: dict[ClientInfo, int]) -> Report:
        names = [client.client_name for client in leaderboard]
        return Report(
            winner=winner.client_name if winner else None,
            points={_unique(client, names): score for client, score in leaderboard.items()},
            moves=self._moves,
            errors=self._errors,
            details={
                "won": winner is not None and winner.client_id == self._me,
                "tournament": self._game is not None and self._game.is_tournament,
            },
        )

    @property
    def _id(self) -> int:
        if self._me is None:
            raise BrokenProtocol("a game began before ConnectAccepted")
        return self._me

    def _is_among(self, clients: list[ClientInfo]) -> bool:
        return any(client.client_id == self._me for client in clients)


def _can_do_nothing(view: rules.View) -> bool:
    moves = rules.legal_moves(view.board, view.hand, view.variant.color_shape_count)
    return not view.bag_count and next(moves, None) is None


def _unique(client: ClientInfo, names: list[str]) -> str:
    """Names may be used twice, ids are not."""
    name = client.client_name
    return name if names.count(name) == 1 else f"{name} ({client.client_id})"
