"""Belts, pushes, panels, gears and lasers as tables of before and after.

A square holds what `games.roborally.courses.signs.LEGEND` explains, and robots like 1>.
"""

import pytest

from games.roborally.rules import Direction, Upgrade
from games.roborally.rules.events import CheckpointMoved
from games.roborally.rules.steps import ELEMENTS, Advance, Stage
from tests.games.roborally.boards import board, change, hits, play, scene, squares

PUSHES = {
    "one step": (
        ".  1>  .",
        1,
        ".  .   1>",
    ),
    "a robot is pushed and keeps its facing": (
        "1>  2^  .",
        1,
        ".   1>  2^",
    ),
    "a chain of any length is pushed": (
        "1>  2^  3<  4v  .   .",
        2,
        ".   .   1>  2^  3<  4v",
    ),
    "a gap closes before anybody is pushed": (
        "1>  .  2^  .   .",
        3,
        ".   .  .   1>  2^",
    ),
    "a wall on the own side stops": (
        "1>+W>  .",
        1,
        "W>+1>  .",
    ),
    "a wall on the other side stops": (
        "1>  W<",
        1,
        "1>  W<",
    ),
    "a wall behind a chain stops all of it": (
        "1>  2^  3^  W<",
        1,
        "1>  2^  3^  W<",
    ),
    "a wall takes the steps that are left": (
        "1>  .  W>  .",
        3,
        ".   .  W>+1>  .",
    ),
    "nobody enters the antenna": (
        "1>  2>  A^",
        1,
        "1>  2>  A^",
    ),
}


@pytest.mark.parametrize("claim", PUSHES)
def test_steps_push_until_something_stops_them(claim: str) -> None:
    before, steps, after = PUSHES[claim]
    state, _ = play(scene(before), Advance(1, Direction.RIGHT, steps))
    assert board(state) == squares(after)


BELTS = {
    "a green belt moves by one": (
        "G>+1^  G>  G>",
        "G>     G>+1^  G>",
    ),
    "a blue belt moves by two": (
        "B>+1^  B>  B>  B>",
        "B>  B>  B>+1^  B>",
    ),
    "a blue belt moves by one where the next cell is no belt": (
        "B>+1^  .   .",
        "B>     1^  .",
    ),
    "who comes from blue to green moves once more": (
        "B>+1^  G>  .",
        "B>     G>  1^",
    ),
    "who comes from green to blue has had its turn": (
        "G>+1^  B>     B>",
        "G>     B>+1^  B>",
    ),
    "a convoy moves together": (
        "G>+1^  G>+2^  G>+3^  .",
        "G>     G>+1^  G>+2^  3^",
    ),
    "a belt does not push": (
        "G>+1^  2^  .",
        "G>+1^  2^  .",
    ),
    "a convoy waits behind somebody in the way": (
        "G>+1^  G>+2^  3^",
        "G>+1^  G>+2^  3^",
    ),
    "two who want the same cell both stay": (
        "G>+1^  .  G<+2^",
        "G>+1^  .  G<+2^",
    ),
    "two who would swap both stay": (
        "G>+1^  G<+2^",
        "G>+1^  G<+2^",
    ),
    "a ring turns as a whole": (
        """
        G>+1^  Gv+2^
        G^+4^  G<+3^
        """,
        """
        G>+4^  Gv+1^
        G^+3^  G<+2^
        """,
    ),
    "a wall holds": (
        "G>+1^  W<",
        "G>+1^  W<",
    ),
    "a robot on a belt of the other colour is in the way": (
        "B>+1^  G>+2^  .",
        "B>+1^  G>  2^",
    ),
    "a curve turns who is carried into it": (
        """
        .      G^
        G>+1>  G>^c
        """,
        """
        .   G^
        G>  G>^c+1^
        """,
    ),
    "a curve to the right turns right": (
        """
        G>+1^  G>vc
        .      .
        """,
        """
        G>  G>vc+1>
        .   .
        """,
    ),
    "straight into a crossing does not turn": (
        """
        .      .
        G>     G>^x
        .      G^+1>
        """,
        """
        .      .
        G>     G>^x+1>
        .      G^
        """,
    ),
    "leaving a curve does not turn": (
        """
        .      G^
        G>     G>^c+1>
        """,
        """
        .      G^+1>
        G>     G>^c
        """,
    ),
    "two blue curves turn twice": (
        """
        B<     B^<c
        B>+1>  B>^c
        """,
        """
        B<     B^<c+1<
        B>     B>^c
        """,
    ),
}


@pytest.mark.parametrize("claim", BELTS)
def test_belts_move_all_at_once(claim: str) -> None:
    before, after = BELTS[claim]
    stages = (Stage.BLUE_BELTS, Stage.BLUE_BELTS, Stage.GREEN_BELTS)
    state, _ = play(scene(before), *stages)
    assert board(state) == squares(after)


def test_a_belt_into_a_pit_reboots_after_everybody_has_moved() -> None:
    before = """
        G>+1^  PIT    .  .
        .      .      .  X>
        G>+2^  .      .  .
    """
    after = """
        G>     PIT    .  .
        .      .      .  X>+1^
        G>     2^     .  .
    """
    state, _ = play(scene(before), Stage.GREEN_BELTS)
    assert board(state) == squares(after)
    assert state.player(1).rebooted


OTHER_ELEMENTS = {
    "a push panel pushes": (
        Stage.PUSH_PANELS,
        "P>135+W<+1^  .",
        "P>135+W<  1^",
    ),
    "a push panel rests in other registers": (
        Stage.PUSH_PANELS,
        "P>24+W<+1^  .",
        "P>24+W<+1^  .",
    ),
    "a push panel pushes chains": (
        Stage.PUSH_PANELS,
        "P>1+W<+1^  2^  .",
        "P>1+W<  1^  2^",
    ),
    "who is pushed by one panel is not pushed by the next": (
        Stage.PUSH_PANELS,
        """
        .      .
        P>1+1^  P^1
        """,
        """
        .    .
        P>1  P^1+1^
        """,
    ),
    "gears turn": (
        Stage.GEARS,
        "Rcw+1^  Rccw+2^  3^",
        "Rcw+1>  Rccw+2<  3^",
    ),
}


@pytest.mark.parametrize("claim", OTHER_ELEMENTS)
def test_panels_and_gears(claim: str) -> None:
    stage, before, after = OTHER_ELEMENTS[claim]
    state, _ = play(scene(before), stage)
    assert board(state) == squares(after)


BOARD_LASERS = {
    "a beam hits the first robot": ("W<+L1>  .  1^  2^", {1: 1}),
    "a beam starts in the field of its emitter": ("W<+L2>+1^  2^", {1: 2}),
    "a wall stops a beam": ("L1>  W>  1^", {}),
    "a wall on the near side stops a beam": ("L1>  .  W<+1^", {}),
    "a wall behind the robot protects nobody": ("L1>  .  W>+1^", {1: 1}),
    "the antenna stops a beam": ("L1>  A^  1^", {}),
    "pits and holes do not stop a beam": ("L1>  PIT  -  1^", {1: 1}),
    "two lasers add up to one damage": ("L1>  1^  L2<", {1: 3}),
}


@pytest.mark.parametrize("claim", BOARD_LASERS)
def test_board_lasers(claim: str) -> None:
    text, expected = BOARD_LASERS[claim]
    _, events = play(scene(text), Stage.BOARD_LASERS)
    assert hits(events) == expected


ROBOT_LASERS = {
    "robots shoot where they look": ("1>  .  2^", {2: 1}),
    "only the first robot is hit": ("1>  2^  3^", {2: 1}),
    "robots shoot at the same time": ("1>  .  2<", {1: 1, 2: 1}),
    "the own wall stops the shot": ("W>+1>  2^", {}),
    "two shots are one damage": ("1>  3^  2<", {3: 2}),
}


@pytest.mark.parametrize("claim", ROBOT_LASERS)
def test_robot_lasers(claim: str) -> None:
    text, expected = ROBOT_LASERS[claim]
    _, events = play(scene(text), Stage.ROBOT_LASERS)
    assert hits(events) == expected


def test_rebooted_robots_do_not_shoot_but_are_shot() -> None:
    state = change(scene("1>  2<"), 1, rebooted=True)
    _, events = play(state, Stage.ROBOT_LASERS)
    assert hits(events) == {1: 1}


def test_a_shield_stops_robots_but_not_boards() -> None:
    state = change(scene("L1>  1>  2<"), 1, shielded=True)
    _, events = play(state, Stage.BOARD_LASERS, Stage.ROBOT_LASERS)
    assert hits(events) == {1: 1, 2: 1}


def test_a_shielded_robot_still_covers_the_one_behind() -> None:
    state = change(scene("1>  2>  3>"), 2, shielded=True)
    _, events = play(state, Stage.ROBOT_LASERS)
    assert hits(events) == {3: 1}


def test_a_rear_laser_shoots_backwards_as_well() -> None:
    """V29: four robots in a column, the second one faces the first."""
    state = change(scene("1^  2<  3^  4^"), 2, upgrades=(Upgrade.REAR_LASER,))
    _, events = play(state, Stage.ROBOT_LASERS)
    assert hits(events) == {1: 1, 3: 1}


def test_checkpoints_ride_on_belts_and_robots_with_them() -> None:
    before = "B>+C1+1^  B>  B>        ."
    after = "B>        B>  B>+C1+1^  ."
    state, _ = play(scene(before), Stage.BLUE_BELTS, Stage.BLUE_BELTS)
    assert board(state) == squares(after)


def test_a_checkpoint_moves_on_without_a_robot_that_is_held_back() -> None:
    before = "G>+C1+1^  2^     ."
    after = "G>+1^     C1+2^  ."
    state, _ = play(scene(before), Stage.GREEN_BELTS)
    assert board(state) == squares(after)


def test_a_checkpoint_returns_from_a_pit_and_its_robot_reboots_without_scoring() -> None:
    before = """
        G>+C1  G>     PIT  X^
        .      .      .    .
    """
    between = """
        G>     G>+C1+1^  PIT  X^
        .      .         .    .
    """
    after = """
        G>+C1  G>     PIT  X^+1^
        .      .      .    .
    """
    carried, _ = play(scene(before.replace("C1", "C1+1^")), Stage.GREEN_BELTS)
    assert board(carried) == squares(between)
    state, events = play(carried, Stage.GREEN_BELTS, Stage.CHECKPOINTS)
    assert board(state) == squares(after)
    assert CheckpointMoved(1, 0, 1) in events
    assert state.player(1).checkpoint == 0


def test_all_elements_in_a_row() -> None:
    before = """
        W<+L1>  .    .   .
        B>+1^   B>   G^  E
    """
    after = """
        W<+L1>  .    1^  .
        B>      B>   G^  E
    """
    state, events = play(scene(before), *ELEMENTS[:-1])
    assert board(state) == squares(after)
    assert hits(events) == {1: 1}
