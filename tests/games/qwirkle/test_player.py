"""A computer player hears messages and answers them, in whatever order they come."""

import random
from collections.abc import Iterator
from typing import Any

import attrs
import pytest
from trio.testing import MockClock

from games.qwirkle import rules
from games.qwirkle.bots import DIFFICULTIES
from games.qwirkle.configuration import BUILT_IN, FOR_TWO
from games.qwirkle.knowledge import Knowledge
from games.qwirkle.messages import (
    ClientInfo,
    ClientType,
    ConnectAccepted,
    ConnectRequest,
    CurrentPlayer,
    GameInfo,
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
    StartGame,
    StartTiles,
    TileOnPosition,
    Update,
    Winner,
)
from games.qwirkle.player import QwirklePlayer
from games.qwirkle.rules import Tile
from games.qwirkle.table import QwirkleTable
from ludothek.contract.player import BrokenProtocol, PlayerOptions, Report, Thought, Utterance
from ludothek.contract.registry import load
from ludothek.testing.lockstep import perform
from tests.support.helpers import open_fair

ME = ClientInfo(1, "Bot", ClientType.PLAYER)
OTHER = ClientInfo(2, "Other", ClientType.PLAYER)
GREEDY = DIFFICULTIES.index("greedy")
HAND = [Tile(0, shape, shape) for shape in range(6)]


def player(lobby: str | None = None, difficulty: int = GREEDY) -> QwirklePlayer:
    options = PlayerOptions(username="Bot", lobby=lobby, difficulty=difficulty)
    return QwirklePlayer(options, random.Random(1))


def game(number: int = 1, **changes: Any) -> GameInfo:
    info = GameInfo(number, f"Spiel {number}", GameState.NOT_STARTED, False, [], FOR_TWO)
    return attrs.evolve(info, **changes)


def tell(bot: QwirklePlayer, *messages: Any) -> list[Utterance]:
    """What it answers to the last of these messages."""
    said: list[Utterance] = []
    for message in messages:
        said = list(bot.hear(message))
    return said


def at_its_turn(bot: QwirklePlayer) -> list[Utterance]:
    return tell(
        bot,
        ConnectAccepted(1),
        GameJoinAccepted(game()),
        StartGame(BUILT_IN, [ME, OTHER]),
        StartTiles(HAND),
        CurrentPlayer(ME),
    )


def test_it_says_who_it_is_and_looks_for_a_game() -> None:
    bot = player()
    assert list(bot.idle()) == []
    assert list(bot.greet()) == [ConnectRequest("Bot", ClientType.PLAYER)]
    assert tell(bot, ConnectAccepted(1)) == [GameListRequest()]


@pytest.mark.parametrize(
    ("games", "wanted", "chosen"),
    [
        ([], None, None),
        ([game(1), game(2, players=[OTHER])], None, 2),
        ([game(1, players=[OTHER, OTHER])], None, None),
        ([game(1, game_state=GameState.IN_PROGRESS)], None, None),
        ([game(1, game_state=GameState.ENDED)], None, None),
        ([game(1, is_tournament=True)], None, None),
        ([game(1), game(2)], "Spiel 2", 2),
        ([game(1), game(2)], "2", 2),
        ([game(1)], "Finale", None),
    ],
)
def test_it_joins_the_game_where_it_is_wanted(
    games: list[GameInfo], wanted: str | None, chosen: int | None
) -> None:
    bot = player(wanted)
    said = tell(bot, ConnectAccepted(1), GameListResponse(games))
    assert said == ([] if chosen is None else [GameJoinRequest(chosen)])
    # It waits for the answer, or checks again after a while.
    assert list(bot.idle()) == ([GameListRequest()] if chosen is None else [])


def test_it_looks_again_when_somebody_was_faster() -> None:
    bot = player()
    tell(bot, ConnectAccepted(1), GameListResponse([game()]), NotAllowed("full", 302))
    assert list(bot.idle()) == [GameListRequest()]
    assert tell(bot, GameListResponse([game(2)])) == [GameJoinRequest(2)]


def test_it_waits_for_an_answer_before_it_asks_again() -> None:
    bot = player()
    assert tell(bot, ConnectAccepted(1)) == [GameListRequest()]
    assert list(bot.idle()) == []
    tell(bot, GameListResponse([game()]))
    # A client that asks while it is being seated is refused; that says nothing about joining.
    tell(bot, NotAllowed("not here", GameListRequest.unique_id))
    assert list(bot.idle()) == []
    tell(bot, NotAllowed("full", GameJoinRequest.unique_id))
    assert list(bot.idle()) == [GameListRequest()]
    tell(bot, NotAllowed("not now", GameListRequest.unique_id))
    assert list(bot.idle()) == [GameListRequest()]


def test_errors_are_reported_with_the_game_they_belong_to() -> None:
    bot = player()
    errors = []
    for mistakes in (1, 0):
        at_its_turn(bot)
        tell(bot, *[NotAllowed("too late", PlayTiles.unique_id)] * mistakes)
        report, *_ = tell(bot, Winner(ME, 5, {ME: 5}))
        errors.append(report.errors)
    assert errors == [1, 0]


def test_it_plays_where_it_is_put() -> None:
    bot = player()
    (move,) = at_its_turn(bot)
    assert isinstance(move, PlayTiles)
    assert len(move.tiles) == 6
    assert list(bot.idle()) == []


def test_the_strongest_thinks_in_another_process() -> None:
    (thought,) = at_its_turn(player(difficulty=0))
    assert isinstance(thought, Thought)
    assert isinstance(thought.say(thought.decide()), PlayTiles)


def test_a_move_that_met_a_pause_is_made_again() -> None:
    bot = player()
    at_its_turn(bot)
    assert tell(bot, PauseGame(), NotAllowed("paused", 414)) == []
    (move,) = tell(bot, ResumeGame())
    assert isinstance(move, PlayTiles)


def test_a_pause_after_the_move_changes_nothing() -> None:
    bot = player()
    (move,) = at_its_turn(bot)
    tell(bot, MoveValid(True), Update(move.tiles, 96), PauseGame())
    assert tell(bot, ResumeGame()) == []


def test_a_refused_move_is_an_error_and_not_repeated() -> None:
    bot = player()
    at_its_turn(bot)
    assert tell(bot, MoveValid(False, "no")) == []
    (report, *_) = tell(bot, Winner(OTHER, 5, {ME: 0, OTHER: 5}))
    assert (report.errors, report.moves) == (1, 0)


def test_it_reports_the_end_and_leaves_like_the_known_bots() -> None:
    bot = player()
    at_its_turn(bot)
    report, *rest = tell(bot, Winner(ME, 5, {ME: 5, OTHER: 3}))
    assert report == Report(
        winner="Bot",
        points={"Bot": 5, "Other": 3},
        moves=0,
        errors=0,
        details={"won": True, "tournament": False},
    )
    assert rest == [LeavingRequest(), GameListRequest()]


def test_in_a_tournament_it_stays_where_it_is() -> None:
    bot = player()
    tell(bot, ConnectAccepted(1), GameJoinAccepted(game(is_tournament=True)))
    tell(bot, StartGame(BUILT_IN, [ME, OTHER]))
    report, *rest = tell(bot, Winner(ME, 5, {ME: 5}))
    assert report.details["tournament"]
    assert rest == [GameListRequest()]


def test_same_names_are_told_apart() -> None:
    bot = player()
    at_its_turn(bot)
    twin = attrs.evolve(OTHER, client_name="Bot")
    report, *_ = tell(bot, Winner(twin, 5, {ME: 3, twin: 5}))
    assert report.points == {"Bot (1)": 3, "Bot (2)": 5}


def test_being_kicked_is_an_end() -> None:
    bot = player()
    at_its_turn(bot)
    report, look = tell(bot, LeavingPlayer(ME))
    assert (report.winner, report.details["won"]) == (None, False)
    assert look == GameListRequest()


def test_being_sent_out_of_a_game_that_never_began_is_none() -> None:
    bot = player()
    tell(bot, ConnectAccepted(1), GameJoinAccepted(game()))
    assert tell(bot, LeavingPlayer(ME)) == [GameListRequest()]


def test_a_server_without_sense_is_noticed() -> None:
    bot = player()
    at_its_turn(bot)
    placed = TileOnPosition(0, 0, HAND[0])
    with pytest.raises(BrokenProtocol):
        tell(bot, Update([placed], 90), Update([placed], 90))
    with pytest.raises(BrokenProtocol):
        tell(player(), ConnectRequest("x", ClientType.PLAYER))


def test_it_says_nothing_when_it_can_do_nothing() -> None:
    config = attrs.evolve(BUILT_IN, color_shape_count=2, tile_count=1, max_hand_tiles=2)
    bot = player()
    tell(
        bot,
        ConnectAccepted(1),
        GameJoinAccepted(game()),
        StartGame(config, [OTHER, ME]),
        StartTiles([Tile(1, 1, 3)]),
        CurrentPlayer(OTHER),
        Update([TileOnPosition(0, 0, Tile(0, 0, 0))], 0),
    )
    assert tell(bot, CurrentPlayer(ME)) == []


# What it remembers


def test_tiles_of_who_leaves_are_in_the_bag_again() -> None:
    knowledge = Knowledge(1, BUILT_IN, [1, 2, 3])
    knowledge.turn_of(1)
    assert knowledge.view().bag_count == 90
    knowledge.left(2)
    assert knowledge.view().bag_count == 96
    assert len(knowledge.view().others) == 1


def test_moves_of_other_rules_earn_nothing() -> None:
    knowledge = Knowledge(1, BUILT_IN, [1, 2])
    knowledge.turn_of(2)
    knowledge.laid([TileOnPosition(5, 5, HAND[0])], 96)
    assert knowledge.view().others == (0,)


@pytest.mark.parametrize("seed", range(2))
async def test_it_knows_all_that_a_player_may_know(
    seed: int, mock_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On each of its turns its knowledge agrees with what the server would show it."""
    compared = 0
    think = QwirklePlayer._think

    async with open_fair("qwirkle", seed) as fair:

        def check(self: QwirklePlayer, knowledge: Knowledge) -> Iterator[Utterance]:
            nonlocal compared
            table = fair.endpoint.hall.lobbies["1"].table
            assert isinstance(table, QwirkleTable)
            position = table.match.position
            seen, known = rules.view(position, knowledge.me), knowledge.view()
            assert set(seen.hand) == set(known.hand)
            assert set(seen.board.placements()) == set(known.board.placements())
            assert seen.bag_count == known.bag_count
            compared += 1
            return think(self, knowledge)

        monkeypatch.setattr(QwirklePlayer, "_think", check)
        actors = await perform(fair, load("qwirkle"), mock_clock, seed)
        assert all(actor.report for actor in actors)
    assert compared > 20


def test_its_hand_is_what_it_was_sent_and_has_not_laid() -> None:
    bot = player()
    (move,) = at_its_turn(bot)
    new = [Tile(1, shape, 6 + shape) for shape in range(6)]
    (second,) = tell(
        bot,
        MoveValid(True),
        Update(move.tiles, 96),
        CurrentPlayer(OTHER),
        SendTiles(new),
        CurrentPlayer(ME),
    )
    assert isinstance(second, PlayTiles)
    assert all(tile in new for tile in second.all_tiles)
