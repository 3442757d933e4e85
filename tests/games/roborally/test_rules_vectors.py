"""The test vectors of the collected rules, by number."""

import attrs
import pytest

from games.roborally import courses
from games.roborally.courses.signs import ARROWS
from games.roborally.courses.text import columns
from games.roborally.rules import Card, Cell, Course, Direction, State
from games.roborally.rules.antenna import ranking
from games.roborally.rules.cards import DAMAGE, UPGRADE_DECK
from games.roborally.rules.events import Energy, Event, Reboot
from games.roborally.rules.steps import ELEMENTS, Execute, Stage
from tests.games.roborally.boards import Robots, change, facings, hits, on, places, play

UP, RIGHT, DOWN, LEFT = Direction


def execute(state: State, player_id: int, *cards: Card) -> tuple[State, tuple[Event, ...]]:
    return play(state, *(Execute(player_id, card) for card in cards))


def elements(course: str, robots: Robots) -> tuple[State, tuple[Event, ...]]:
    """Run one full pass of the board elements."""
    return play(on(courses.load(course), robots), *ELEMENTS)


OFFSETS = {
    "V1": (RIGHT, [(3, -1), (4, 0), (8, -3), (2, -2), (2, 1), (3, 1)], (5, 2, 1, 4, 6, 3)),
    "V2": (RIGHT, [(1, 3), (1, -4), (0, 1), (1, 0), (1, -1), (0, -2)], (4, 3, 5, 6, 1, 2)),
    "V3": (UP, [(-4, 1), (-2, 0), (0, 1), (1, 1), (3, 0), (5, 1)], (3, 4, 2, 5, 1, 6)),
}


@pytest.mark.parametrize("vector", OFFSETS)
def test_v1_to_v3_priority_by_distance_then_clockwise_from_the_antenna(vector: str) -> None:
    orientation, offsets, order = OFFSETS[vector]
    rows = [["."] * 21 for _ in range(21)]
    rows[10][10] = "A" + ARROWS[orientation]
    course = Course("plain", columns("\n".join(map(" ".join, rows))), ())
    robots = {n: ((10 + dx, 10 + dy), "^") for n, (dx, dy) in enumerate(offsets, 1)}
    assert ranking(on(course, robots)) == order


@pytest.mark.parametrize(
    ("privileged", "order"),
    [((), (4, 5, 3, 6, 2, 1)), ((2,), (2, 4, 5, 3, 6, 1)), ((1,), (1, 4, 5, 3, 6, 2))],
)
def test_v4_a_privilege_comes_before_the_antenna(
    privileged: tuple[int, ...], order: tuple[int, ...]
) -> None:
    robots = {n: ((1, 9 - n), ">") for n in range(1, 7)}
    state = on(courses.load("DizzyHighway"), robots)
    for player_id in privileged:
        state = change(state, player_id, privileges=frozenset({2}))
    state, _ = play(state, Stage.REGISTER)
    assert state.order == order


def test_v5_a_green_belt_does_not_push() -> None:
    state, _ = elements("DizzyHighway", {1: ((2, 9), ">"), 2: ((3, 9), "^")})
    assert places(state) == {1: (2, 9), 2: (3, 9)}


def test_v6_a_belt_carries_to_an_energy_cube() -> None:
    state, events = elements("DizzyHighway", {1: ((2, 0), ">")})
    assert places(state) == {1: (3, 0)}
    assert Energy(1, 6, "field") in events


def test_v7_two_robots_that_want_the_same_field_stay() -> None:
    state, _ = elements("DizzyHighway", {1: ((4, 9), ">"), 2: ((5, 8), ">")})
    assert places(state) == {1: (4, 9), 2: (5, 8)}


def test_v9_belts_carry_onto_gears() -> None:
    state, _ = elements("LostBearings", {1: ((5, 6), "^"), 2: ((10, 6), "^")})
    assert places(state) == {1: (5, 5), 2: (10, 5)}
    assert facings(state) == {1: LEFT, 2: RIGHT}


def test_v11_two_robots_reboot_one_after_the_other_on_the_same_token() -> None:
    state, events = elements("LostBearings", {1: ((11, 9), ">"), 2: ((4, 0), ">")})
    assert [event for event in events if isinstance(event, Reboot)] == [Reboot(1), Reboot(2)]
    assert places(state) == {1: (1, 9), 2: (0, 9)}


def test_v12_belts_turn_robots_and_carry_them_into_lasers() -> None:
    state, events = elements("ExtraCrispy", {1: ((11, 7), "^"), 2: ((4, 7), ">")})
    assert places(state) == {1: (10, 6), 2: (5, 6)}
    assert facings(state) == {1: RIGHT, 2: UP}
    assert hits(events) == {1: 1, 2: 1}


def test_v14_turns_and_single_steps() -> None:
    state = on(courses.load("DizzyHighway"), {1: ((0, 6), ">")})
    for card, place, facing in [
        (Card.TURN_LEFT, (0, 6), UP),
        (Card.MOVE_I, (0, 7), UP),
        (Card.TURN_RIGHT, (0, 7), RIGHT),
        (Card.MOVE_I, (1, 7), RIGHT),
        (Card.U_TURN, (1, 7), LEFT),
    ]:
        state, _ = execute(state, 1, card)
        assert (places(state)[1], facings(state)[1]) == (place, facing)


def test_v15_a_wall_stops_and_backing_up_keeps_the_facing() -> None:
    state = on(courses.load("DizzyHighway"), {1: ((1, 4), ">")})
    for card, place, facing in [
        (Card.MOVE_II, (2, 4), RIGHT),
        (Card.TURN_RIGHT, (2, 4), DOWN),
        (Card.MOVE_I, (2, 3), DOWN),
        (Card.TURN_RIGHT, (2, 3), LEFT),
        (Card.BACK_UP, (3, 3), LEFT),
    ]:
        state, _ = execute(state, 1, card)
        assert (places(state)[1], facings(state)[1]) == (place, facing)


def death_trap(robots: Robots) -> State:
    return on(courses.load("DeathTrap"), robots)


def test_v16_a_push_and_a_power_up() -> None:
    state, _ = execute(death_trap({1: ((2, 8), ">"), 2: ((3, 8), ">")}), 1, Card.MOVE_I)
    assert places(state) == {1: (3, 8), 2: (4, 8)}
    state, events = execute(state, 2, Card.POWER_UP)
    assert events == (Energy(2, 6, "card"),)


def test_v17_a_pit_reboots_on_the_token_of_the_start_board() -> None:
    state, _ = execute(death_trap({3: ((5, 6), "v"), 4: ((5, 5), ">")}), 3, Card.MOVE_I)
    assert places(state) == {3: (5, 5), 4: (5, 4)}
    state, _ = execute(state, 4, Card.MOVE_I)
    assert places(state) == {3: (5, 5), 4: (12, 0)}
    assert facings(state)[4] is UP


def test_v18_a_robot_is_pushed_off_the_board() -> None:
    state, events = execute(death_trap({5: ((1, 1), "v"), 6: ((1, 0), ">")}), 5, Card.MOVE_I)
    assert places(state) == {5: (1, 0), 6: (12, 0)}
    assert Reboot(6) in events


def test_v19_chains_close_gaps_and_push_off_the_board() -> None:
    robots = {1: ((2, 5), "^"), 2: ((2, 6), "^"), 3: ((2, 8), "^")}
    state, _ = execute(death_trap(robots), 1, Card.MOVE_II)
    assert places(state) == {1: (2, 7), 2: (2, 8), 3: (2, 9)}
    state, _ = execute(state, 2, Card.MOVE_I)
    assert places(state) == {1: (2, 7), 2: (2, 9), 3: (12, 0)}


def test_v20_two_robots_push_each_other_to_and_fro() -> None:
    state, _ = execute(death_trap({5: ((5, 0), "^"), 6: ((5, 1), "v")}), 5, Card.MOVE_I)
    assert places(state) == {5: (5, 1), 6: (5, 2)}
    state, _ = execute(state, 6, Card.MOVE_I)
    assert places(state) == {5: (5, 0), 6: (5, 1)}


def test_v22_and_v23_a_wall_stops_a_chain_and_a_reboot_pushes_it_away() -> None:
    robots = {1: ((6, 6), ">"), 2: ((7, 6), ">"), 4: ((12, 9), ">")}
    state = on(courses.load("DizzyHighway"), robots)
    for player_id in (1, 2):
        state, events = execute(state, player_id, Card.MOVE_I)
        assert events == ()
    state, _ = execute(state, 4, Card.MOVE_I)
    assert places(state) == {1: (6, 6), 2: (7, 5), 4: (7, 6)}


def test_v24_on_the_start_board_robots_reboot_where_they_started() -> None:
    state = on(courses.load("DizzyHighway"), {1: ((0, 7), "<")})
    state, _ = execute(change(state, 1, start=Cell(1, 8)), 1, Card.MOVE_I)
    assert places(state) == {1: (1, 8)}

    state = on(courses.load("DizzyHighway"), {1: ((2, 9), "^"), 2: ((0, 6), "^")})
    state, _ = execute(change(state, 1, start=Cell(0, 6)), 1, Card.MOVE_I)
    assert places(state) == {1: (0, 6), 2: (1, 6)}


def test_v28_robots_hit_the_first_one_they_see() -> None:
    robots = {1: ((6, 2), "^"), 2: ((6, 5), ">"), 3: ((2, 8), ">"), 4: ((6, 8), "<")}
    state = on(courses.load("SprintCramp"), robots)
    _, events = play(state, Stage.ROBOT_LASERS)
    assert hits(events) == {2: 1, 3: 1, 4: 1}


def test_v30_a_laser_between_two_walls_hits_nobody() -> None:
    robots = {n: (p, ">") for n, p in enumerate([(1, 11), (10, 4), (10, 9), (17, 10)], 1)}
    _, events = elements("GearStripper", robots)
    assert hits(events) == {}


def test_v31_the_checkpoints_of_twister_run_in_circles() -> None:
    state, _ = elements("Twister", {1: ((0, 0), ">")})
    assert state.checkpoints == ((11, 7), (5, 1), (4, 7), (10, 3))
    state, _ = play(state, *ELEMENTS)
    assert state.checkpoints == ((10, 6), (4, 2), (5, 8), (11, 2))


def test_v36_the_box() -> None:
    assert [DAMAGE[Card(name)] for name in ("Spam", "Trojan", "Worm", "Virus")] == [38, 12, 6, 18]
    assert len(UPGRADE_DECK) == 40


@pytest.mark.parametrize(("register", "gain"), [(4, 0), (5, 1)])
def test_v40_an_empty_energy_space_gives_only_in_register_5(register: int, gain: int) -> None:
    state = on(courses.load("DizzyHighway"), {1: ((3, 0), "^")})
    empty = attrs.evolve(state, energy=dict.fromkeys(state.energy, 0), register=register)
    after, _ = play(empty, Stage.ENERGY_SPACES)
    assert after.player(1).energy == 5 + gain
