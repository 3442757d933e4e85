"""How the bots choose, and the model behind it."""

import random

import attrs
import pytest

from games.roborally import bots, courses
from games.roborally.bots import DIFFICULTIES, choose
from games.roborally.distances import FAR, distances
from games.roborally.rules import (
    BuyUpgrade,
    Card,
    Cell,
    Damage,
    Direction,
    PlayCard,
    Program,
    Purchase,
    Routine,
    SelectedCard,
    SelectedDamage,
    State,
    Upgrade,
    View,
    apply,
    start,
)
from games.roborally.rules.referee import check
from games.roborally.rules.steps import ELEMENTS, Execute
from games.roborally.search import Search
from games.roborally.simulator import MOVING, checkpoint_track, simulator
from tests.games.roborally.audit import audit
from tests.games.roborally.boards import change, on, play

LEVELS = range(len(DIFFICULTIES))
SEARCH, GREEDY, RANDOM = LEVELS


def game(levels: dict[int, int], course: str, seed: int, rounds: int) -> State:
    """Let bots of these levels play until somebody wins."""
    rng = random.Random(seed)
    state, _ = start(courses.load(course), list(levels), rng)
    beginning = state
    while not state.over and state.round <= rounds:
        player_id = state.deciding[0]
        action = choose(View.of(state, player_id), levels[player_id], rng)
        state, _ = apply(state, action, rng)
        audit(state, beginning)
    return state


@pytest.mark.parametrize("name", courses.NAMES)
def test_the_model_does_what_the_rules_do_to_a_robot_alone(name: str) -> None:
    course, rng = courses.load(name), random.Random(1)
    start_point = course.start_points[0]
    model = simulator(course, start_point)
    for _ in range(60):
        state = on(course, {1: (rng.choice(sorted(course.floor)), rng.choice("^>v<"))})
        card, register = rng.choice(MOVING), rng.randrange(1, 6)
        state = attrs.evolve(change(state, 1, start=start_point), register=register)
        place = state.player(1).position
        assert place is not None
        pose = model.after[register - 1][card][model.pose(place, state.player(1).facing)]
        state, _ = play(state, Execute(1, card), *ELEMENTS[:5])
        player = state.player(1)
        assert player.rebooted == (pose >= model.size)
        assert player.position == model.cells[pose % model.size // 4]
        if not player.rebooted:
            assert player.facing.quarters == pose % 4


@pytest.mark.parametrize("name", courses.NAMES)
def test_every_checkpoint_can_be_reached_from_every_start_point(name: str) -> None:
    course = courses.load(name)
    model = simulator(course, None)
    for number in range(1, len(course.checkpoints) + 1):
        ways = distances(course, number)
        for cell in course.start_points:
            assert ways.registers[0][model.pose(cell, course.orientation)] < FAR


def test_distances_count_registers() -> None:
    course = courses.load("DizzyHighway")
    model, ways = simulator(course, None), distances(course, 1)
    assert ways.registers[0][model.pose(Cell(12, 6), Direction.UP)] == 0
    assert ways.registers[0][model.pose(Cell(10, 6), Direction.RIGHT)] == 1
    assert ways.registers[0][model.pose(Cell(12, 5), Direction.RIGHT)] == 2


def test_a_checkpoint_track_returns_to_its_beginning() -> None:
    course = courses.load("Twister")
    track = checkpoint_track(course, 1, course.checkpoints[0])
    assert track == ((10, 8), (11, 7), (10, 6), (9, 7))


class TestDecisions:
    def view(self, **changes: object) -> View:
        state = on(courses.load("DizzyHighway"), {1: ((10, 6), ">"), 2: ((1, 1), ">")})
        return attrs.evolve(View.of(state, 1), **changes)  # type: ignore[arg-type]

    @pytest.mark.parametrize("level", LEVELS)
    def test_every_decision_of_a_game_is_allowed(self, level: int) -> None:
        rng = random.Random(level)
        state, _ = start(courses.load("GearStripper"), range(1, 7), rng)
        while state.round < 4 and not state.over:
            action = choose(View.of(state, state.deciding[0]), level, rng)
            check(state, action)
            state, _ = apply(state, action, rng)

    @pytest.mark.parametrize("level", [SEARCH, GREEDY])
    def test_a_program_that_wins_is_found(self, level: int) -> None:
        hand = (Card.TURN_LEFT, Card.MOVE_II, Card.MOVE_I, Card.BACK_UP, Card.U_TURN)
        action = choose(self.view(pending=Program(), hand=hand), level, random.Random(1))
        assert action == SelectedCard(1, Card.MOVE_II, 1)

    def test_the_search_sees_further_than_one_register(self) -> None:
        state = on(courses.load("DizzyHighway"), {1: ((12, 9), "<"), 2: ((1, 1), ">")})
        hand = (Card.MOVE_III, Card.TURN_LEFT, Card.POWER_UP, Card.POWER_UP, Card.POWER_UP)
        view = attrs.evolve(View.of(state, 1), pending=Program(), hand=hand)
        search = Search.of(view, lambda: 0.0, 1.0)
        assert search.think()[:2] == (Card.TURN_LEFT, Card.MOVE_III)

    def test_a_card_in_a_register_stays_there(self) -> None:
        registers = (Card.U_TURN, None, None, None, None)
        hand = (Card.MOVE_I, Card.MOVE_II, Card.TURN_LEFT, Card.TURN_RIGHT)
        view = self.view(pending=Program(), hand=hand, registers=registers)
        search = Search.of(view, lambda: 0.0, 1.0)
        assert search.think()[0] is Card.U_TURN

    def test_time_that_is_up_ends_the_search_with_a_program(self) -> None:
        state = on(courses.load("DizzyHighway"), {1: ((3, 5), ">"), 2: ((1, 1), ">")})
        view = attrs.evolve(View.of(state, 1), pending=Program(), hand=tuple(Card)[:9])
        ticks = iter(range(10**6))
        search = Search.of(view, lambda: float(next(ticks)), 2.0)
        assert len(search.think()) == 5
        assert 0 < search.programs < 9 * 8 * 7 * 6 * 5

    def test_the_least_bad_damage_is_chosen(self) -> None:
        piles = {Card.SPAM: 0, Card.TROJAN: 1, Card.VIRUS: 1, Card.WORM: 1}
        view = self.view(pending=Damage(1, Card.SPAM, 2), piles=piles)
        action = choose(view, SEARCH, random.Random(1))
        assert action == SelectedDamage(1, (Card.VIRUS, Card.TROJAN))

    def test_useful_upgrades_are_bought(self) -> None:
        shop = (Upgrade.HACK, Upgrade.MEMORY_STICK)
        view = self.view(pending=Purchase(1), shop=shop)
        assert choose(view, SEARCH, random.Random(1)) == BuyUpgrade(1, Upgrade.MEMORY_STICK)

    def test_a_spam_blocker_is_used_against_spam(self) -> None:
        view = self.view(pending=Program(), hand=(Card.SPAM,) * 3 + (Card.MOVE_I,) * 6)
        robots = (attrs.evolve(view.me, upgrades=(Upgrade.SPAM_BLOCKER,)),)
        action = choose(attrs.evolve(view, robots=robots), SEARCH, random.Random(1))
        assert action == PlayCard(1, Upgrade.SPAM_BLOCKER)

    def test_routines_are_answered(self) -> None:
        view = self.view(pending=Routine(1, (Card.U_TURN,)))
        assert choose(view, SEARCH, random.Random(1)) == PlayCard(1, Card.U_TURN)

    def test_a_rebooted_robot_turns_towards_its_checkpoint(self) -> None:
        state = on(courses.load("DizzyHighway"), {1: ((10, 6), "^")})
        view = attrs.evolve(View.of(state, 1), may_turn=True)
        assert bots.turn_after_reboot(view) == PlayCard(1, Card.TURN_RIGHT)
        assert bots.turn_after_reboot(attrs.evolve(view, may_turn=False)) is None

    def test_a_hand_of_repetitions_does_not_stop_a_bot(self) -> None:
        registers = (None, Card.AGAIN, Card.AGAIN, Card.MOVE_I, Card.AGAIN)
        view = self.view(pending=Program(), hand=(Card.REPEAT,), registers=registers)
        for level in LEVELS:
            action = choose(view, level, random.Random(1))
            assert isinstance(action, SelectedCard)


def test_the_search_wins_against_random_players() -> None:
    for seed in range(3):
        levels = {1: SEARCH} | dict.fromkeys(range(2, 7), RANDOM)
        assert game(levels, "DizzyHighway", seed, rounds=20).winner == 1


def test_six_searching_bots_come_to_an_end_on_a_course_with_moving_checkpoints() -> None:
    assert game(dict.fromkeys(range(1, 7), SEARCH), "Twister", 1, rounds=100).over


def test_six_greedy_bots_come_to_an_end() -> None:
    assert game(dict.fromkeys(range(1, 7), GREEDY), "RiskyCrossing", 1, rounds=100).over
