"""How the Quidditch bots choose: always legally, and sensibly where it is clear what that is."""

import random
from collections.abc import Mapping
from itertools import product
from typing import Any

import attrs
import pytest

from games.quidditch import artefacts, bots, rules
from games.quidditch.bots import DIFFICULTIES, choose
from games.quidditch.pace import rules_config
from games.quidditch.rules import (
    Cell,
    DeltaType,
    Entity,
    MatchConfig,
    Request,
    Side,
    State,
    distance,
    formation_refusal,
)
from games.quidditch.teams import line_up
from tests.games.quidditch.moments import scene
from tests.games.quidditch.scene import BRIEF

LEVELS = range(len(DIFFICULTIES))
STRONGEST, RANDOM = LEVELS[0], LEVELS[-1]

BUILT_IN = rules_config(artefacts.standard_match(), carry_bludgers=True)
QUICK = rules_config(artefacts.load_match(BRIEF), carry_bludgers=True)


def kick_off(levels: Mapping[Side, int], config: MatchConfig, rng: random.Random) -> State:
    team = line_up(artefacts.standard_team())
    left, right = (bots.line_up(side, levels[side], rng) for side in Side)
    return rules.start(config, team, team, left, right, rng).state


def play(levels: Mapping[Side, int], config: MatchConfig, seed: int) -> State:
    """Let bots play a match to its end; each sees no more than a client does."""
    rng = random.Random(seed)
    state = kick_off(levels, config, rng)
    while state.turn is not None:
        seen = rules.resume(state.fixture, state.snapshot, state.turn, rng)
        request = choose(seen, levels[state.turn.side], rng)
        mistake = rules.refusal(state, request)
        assert mistake is None, (state.snapshot, state.turn, request, mistake)
        state = rules.answer(state, request, rng).state
    return state


def decide(
    entity: str, kind: str, players: Mapping[str, tuple[int, int]], **details: Any
) -> Request:
    """What the strongest bot does in a scene."""
    details = {"chances": BUILT_IN, **details}
    return choose(scene(entity, kind, players, **details), STRONGEST, random.Random(1))


@pytest.mark.parametrize(("left", "right"), [*product(LEVELS, LEVELS)])
def test_every_request_of_a_match_is_allowed(left: int, right: int) -> None:
    state = play({Side.LEFT: left, Side.RIGHT: right}, BUILT_IN, seed=left)
    assert state.result is not None


@pytest.mark.parametrize("level", LEVELS)
def test_odd_match_files_change_nothing_about_that(level: int) -> None:
    for chance in (0.0, 1.0):
        odd = attrs.evolve(
            QUICK,
            throw_success=chance,
            catch_quaffle=chance,
            knock_out=chance,
            foul_detection=dict.fromkeys(QUICK.foul_detection, chance),
            fan_foul_detection=dict.fromkeys(QUICK.fan_foul_detection, chance),
            carries_bludgers=bool(chance),
        )
        assert play({Side.LEFT: level, Side.RIGHT: RANDOM}, odd, seed=2).over


@pytest.mark.parametrize("side", Side)
@pytest.mark.parametrize("level", LEVELS)
def test_formations_are_allowed(level: int, side: Side) -> None:
    for seed in range(20):
        assert formation_refusal(side, bots.line_up(side, level, random.Random(seed))) is None


def test_a_difficulty_beyond_the_last_is_the_last() -> None:
    state = kick_off(dict.fromkeys(Side, RANDOM), BUILT_IN, random.Random(1))
    one, other = (choose(state, level, random.Random(5)) for level in (RANDOM, 99))
    assert one == other


def test_the_strongest_beats_the_random_one_on_both_sides() -> None:
    won = 0
    for seed in range(10):
        side = list(Side)[seed % 2]
        result = play({side: STRONGEST, side.opponent: RANDOM}, BUILT_IN, seed).result
        assert result is not None
        won += result.winner is side
    assert won >= 9


class TestChasers:
    def test_an_open_goal_is_thrown_at(self) -> None:
        players = {"leftChaser1": (12, 6)}
        thrown = decide("leftChaser1", "action", players, quaffle="leftChaser1")
        assert (thrown.type, thrown.new) == (DeltaType.QUAFFLE_THROW, Cell(14, 6))

    def test_a_guarded_goal_is_not(self) -> None:
        players = {"leftChaser1": (12, 6), "rightKeeper": (14, 6)}
        thrown = decide("leftChaser1", "action", players, quaffle="leftChaser1")
        assert thrown.new in {Cell(14, 4), Cell(14, 8)}

    def test_the_quaffle_is_carried_into_a_goal_when_all_are_guarded(self) -> None:
        guards = {"rightKeeper": (14, 6), "rightBeater1": (14, 4), "rightBeater2": (14, 8)}
        players = {"leftChaser1": (13, 6), **guards}
        move = decide("leftChaser1", "move", players, quaffle="leftChaser1")
        assert move.new == Cell(14, 6)

    def test_a_quaffle_beside_is_taken(self) -> None:
        move = decide("leftChaser1", "move", {"leftChaser1": (7, 6)}, quaffle=(8, 6))
        assert move.new == Cell(8, 6)

    def test_whoever_cannot_score_gives_the_quaffle_to_a_mate_who_can(self) -> None:
        players = {"leftChaser1": (14, 11), "leftChaser2": (12, 8)}
        thrown = decide("leftChaser1", "action", players, quaffle="leftChaser1")
        assert (thrown.type, thrown.new) == (DeltaType.QUAFFLE_THROW, Cell(12, 8))

    def test_what_an_opponent_beside_has_is_wrested(self) -> None:
        players = {"leftChaser1": (7, 6), "rightChaser1": (8, 6)}
        request = decide("leftChaser1", "action", players, quaffle="rightChaser1")
        assert request.type is DeltaType.WREST_QUAFFLE

    def test_nobody_scores_who_would_save_a_team_with_three_bans(self) -> None:
        banned = ["rightChaser1", "rightChaser2", "rightBeater1"]
        players = {"leftChaser1": (13, 6)}
        details: dict[str, Any] = {"quaffle": "leftChaser1", "banned": banned}
        assert decide("leftChaser1", "action", players, **details).new != Cell(14, 6)
        assert decide("leftChaser1", "move", players, **details).new != Cell(14, 6)


class TestOthers:
    def test_a_keeper_gives_the_quaffle_to_a_chaser(self) -> None:
        players = {"leftKeeper": (3, 6), "leftChaser1": (7, 6)}
        thrown = decide("leftKeeper", "action", players, quaffle="leftKeeper")
        assert thrown.new == Cell(7, 6)

    def test_a_keeper_goes_into_a_goal_if_a_ban_would_not_last(self) -> None:
        move = decide("leftKeeper", "move", {"leftKeeper": (3, 6)}, goal=True)
        assert move.new == Cell(2, 6)

    def test_but_not_if_it_would_be_the_third_ban(self) -> None:
        banned = ["leftChaser1", "leftChaser2"]
        move = decide("leftKeeper", "move", {"leftKeeper": (3, 6)}, banned=banned)
        assert move.new != Cell(2, 6)

    def test_a_beater_hits_whoever_has_the_quaffle(self) -> None:
        players = {"leftBeater1": (5, 6), "rightChaser1": (7, 6), "rightChaser2": (5, 8)}
        request = decide("leftBeater1", "action", players, quaffle="rightChaser1", bludger1=(5, 6))
        expected = Cell(7, 6), Entity.BLUDGER1
        assert (request.type, request.new, request.passive) == (
            DeltaType.BLUDGER_BEATING,
            *expected,
        )

    def test_a_seeker_beside_the_snitch_tries_to_catch_it(self) -> None:
        players = {"leftSeeker": (8, 6)}
        move = decide("leftSeeker", "move", players, quaffle=(3, 3), snitch=(9, 7), number=14)
        assert move.new == Cell(9, 7)

    def test_a_seeker_comes_nearer(self) -> None:
        players = {"leftSeeker": (3, 6)}
        move = decide("leftSeeker", "move", players, snitch=(12, 6), number=14)
        assert move.new == Cell(4, 6)

    def test_a_snitch_that_would_lose_the_match_is_left_alone(self) -> None:
        players = {"leftSeeker": (8, 6)}
        details: dict[str, Any] = {"quaffle": (3, 3), "snitch": (9, 7), "number": 14}
        move = decide("leftSeeker", "move", players, points=(0, 40), **details)
        assert move.new != Cell(9, 7)

    def test_the_weaker_ones_do_not_foul(self) -> None:
        state = scene("leftKeeper", "move", {"leftKeeper": (3, 6)}, chances=BUILT_IN, goal=True)
        careful = attrs.evolve(bots.temper_of(1), slips=0.0)
        for seed in range(10):
            assert bots.decide(state, careful, random.Random(seed)).new != Cell(2, 6)

    @pytest.mark.parametrize("position", ["Seeker", "Keeper", "Chaser1", "Beater2"])
    def test_whoever_comes_back_comes_where_he_is_needed(self, position: str) -> None:
        details: dict[str, Any] = {"quaffle": (6, 6), "snitch": (5, 1), "bludger1": (4, 11)}
        entity = f"left{position}"
        request = decide(entity, "removeBan", {}, banned=[entity], number=14, **details)
        assert request.new is not None
        needed = {"Seeker": (5, 1), "Keeper": (2, 6), "Chaser1": (6, 6), "Beater2": (4, 11)}
        assert distance(request.new, Cell(*needed[position])) == 1


class TestFans:
    def test_an_elf_sends_the_other_seeker_away_from_the_snitch(self) -> None:
        players = {"rightSeeker": (9, 7), "leftSeeker": (2, 3)}
        request = decide("leftElf", "fan", players, snitch=(9, 6), number=14)
        assert request == Request(DeltaType.ELF_TELEPORTATION, passive=Entity.RIGHT_SEEKER)

    @pytest.mark.parametrize(
        ("fan", "expected"),
        [
            ("leftGoblin", Request(DeltaType.GOBLIN_SHOCK, passive=Entity.RIGHT_CHASER1)),
            ("leftTroll", Request(DeltaType.TROLL_ROAR)),
        ],
    )
    def test_a_dangerous_opponent_loses_the_quaffle(self, fan: str, expected: Request) -> None:
        assert decide(fan, "fan", {"rightChaser1": (5, 6)}, quaffle="rightChaser1") == expected

    @pytest.mark.parametrize("fan", ["leftElf", "leftGoblin", "leftTroll", "leftNiffler"])
    def test_fans_wait_for_their_moment(self, fan: str) -> None:
        players = {"leftChaser1": (5, 6)}
        request = decide(fan, "fan", players, quaffle="leftChaser1")
        assert request.type is DeltaType.SKIP

    def test_a_wombat_bars_the_way_to_the_snitch(self) -> None:
        players = {"rightSeeker": (5, 6)}
        request = decide("leftWombat", "fan", players, snitch=(9, 6), number=14)
        assert (request.type, request.new) == (DeltaType.WOMBAT_POO, Cell(6, 6))

    def test_a_niffler_takes_the_snitch_from_under_the_other_seeker(self) -> None:
        players = {"rightSeeker": (9, 7), "leftSeeker": (2, 3)}
        request = decide("leftNiffler", "fan", players, snitch=(9, 6), number=14)
        assert request.type is DeltaType.SNITCH_SNATCH
