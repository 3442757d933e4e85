"""A tournament without Trio: what it opens, and what it does when its games end."""

import random
from collections.abc import Iterable
from typing import Any

import pytest

from games.qwirkle.configuration import BUILT_IN
from games.qwirkle.messages import ClientType
from games.qwirkle.notices import (
    Away,
    Back,
    Enrol,
    GameOver,
    GamePaused,
    Relay,
    RoundDrawn,
    RoundOpened,
)
from games.qwirkle.recipe import TournamentRecipe
from games.qwirkle.settings import Settings
from games.qwirkle.tournament import LISTED, ROUND, Tournament
from games.qwirkle.visitor import Visitor
from ludothek.contract.clock import Clock
from ludothek.contract.effects import Effect, Inform
from ludothek.contract.orders import Abort, Fault, OrderRefused, Pause, Resume, Start
from ludothek.testing.dummies import DummyClient


def cup(players: int) -> tuple[Tournament, list[DummyClient]]:
    recipe = TournamentRecipe(key="9", name="Cup", config=BUILT_IN, settings=Settings())
    tournament = Tournament(recipe, Clock(time=lambda: 0.0), random.Random(1))
    clients = [DummyClient(number, visitor=Visitor(ClientType.PLAYER)) for number in range(players)]
    assert [*tournament.told(Enrol(clients))] == []
    return tournament, clients


def notices(effects: Iterable[Effect]) -> list[Any]:
    return [effect.notice for effect in effects if isinstance(effect, Inform)]


def test_whoever_is_enrolled_twice_takes_part_once() -> None:
    tournament, clients = cup(2)
    assert [*tournament.told(Enrol([DummyClient(9, visitor=clients[0].visitor), *clients]))] == []
    assert len(tournament.summary.players) == 3


def test_a_round_is_drawn_in_the_order_of_enrolment() -> None:
    tournament, (anna, bert, carla, dora) = cup(4)
    games = {"Cup, Spiel 1": [anna, bert], "Cup, Spiel 2": [carla, dora]}
    assert notices(tournament.order(Start())) == [RoundDrawn(BUILT_IN, games)]


def test_a_game_that_fails_after_its_end_does_not_end_the_round_again() -> None:
    tournament, (anna, bert, carla, dora) = cup(4)
    assert notices(tournament.order(Start()))
    tournament.told(RoundOpened(["1", "2"]))
    tournament.told(GameOver("1", anna.number, "0"))
    assert ROUND not in tournament.timers
    tournament.told(GameOver("1", bert.number, "0"))
    assert ROUND not in tournament.timers
    tournament.told(GameOver("2", dora.number, "0"))
    assert ROUND in tournament.timers
    tournament.told(GameOver("2", carla.number, "0"))
    assert notices(tournament.time_up(ROUND)) == [
        RoundDrawn(BUILT_IN, {"Cup, Spiel 3": [anna, dora]})
    ]


@pytest.mark.parametrize("winner", [None, 99], ids=["nobody", "somebody else"])
def test_a_game_that_none_of_its_players_has_won_sends_nobody_on(winner: int | None) -> None:
    tournament, (anna, *_) = cup(4)
    assert notices(tournament.order(Start()))
    tournament.told(RoundOpened(["1", "2"]))
    tournament.told(GameOver("1", anna.number, "0"))
    tournament.told(GameOver("2", winner, "0"))
    assert tournament.summary.facts["winner"] == anna.number


def test_after_an_abort_between_two_rounds_no_other_one_begins() -> None:
    tournament, (anna, _, carla, _) = cup(4)
    assert notices(tournament.order(Start()))
    tournament.told(RoundOpened(["1", "2"]))
    tournament.told(GameOver("1", anna.number, "0"))
    tournament.told(GameOver("2", carla.number, "0"))
    assert ROUND in tournament.timers
    assert notices(tournament.order(Abort(carla))) == [Relay(Abort(), [])]
    assert ROUND not in tournament.timers
    assert LISTED in tournament.timers
    assert tournament.summary.facts["winner"] == carla.number


def test_an_abort_is_for_the_games_that_are_not_over() -> None:
    tournament, (anna, *_) = cup(4)
    assert notices(tournament.order(Start()))
    tournament.told(RoundOpened(["1", "2"]))
    tournament.told(GameOver("1", anna.number, "0"))
    assert notices(tournament.order(Abort())) == [Relay(Abort(), ["2"])]
    tournament.told(GameOver("2", anna.number, "0"))
    assert tournament.summary.facts["winner"] is None


def test_a_tournament_that_fails_leaves_its_games_alone() -> None:
    tournament, _ = cup(2)
    assert notices(tournament.order(Start()))
    assert notices(tournament.order(Fault())) == []


def test_a_round_is_for_those_who_are_in_the_lobby() -> None:
    tournament, (anna, bert, carla) = cup(3)
    tournament.told(Away(anna))
    tournament.told(Away(bert))
    with pytest.raises(OrderRefused, match="at least two participants"):
        notices(tournament.order(Start()))
    tournament.told(Back(anna))
    drawn = RoundDrawn(BUILT_IN, {"Cup, Spiel 1": [anna, carla]})
    assert notices(tournament.order(Start())) == [drawn]


def test_an_order_is_for_the_games_that_can_obey() -> None:
    tournament, _ = cup(4)
    assert notices(tournament.order(Start()))
    tournament.told(RoundOpened(["1", "2"]))
    with pytest.raises(OrderRefused, match="no game"):
        notices(tournament.order(Resume()))
    tournament.told(GamePaused("2", True, "9"))
    assert notices(tournament.order(Pause())) == [Relay(Pause(), ["1"])]
    assert notices(tournament.order(Resume())) == [Relay(Resume(), ["2"])]
    tournament.told(GamePaused("2", False, "9"))
    assert notices(tournament.order(Pause())) == [Relay(Pause(), ["1", "2"])]
