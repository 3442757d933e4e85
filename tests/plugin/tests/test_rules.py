"""The rules of tic-tac-toe."""

import random

import pytest
from ludothek.api import RuleViolation

from tictactoe import bots
from tictactoe.rules import LINES, START, Mistake, Side, State, apply, legal_actions


@pytest.mark.parametrize("line", LINES)
@pytest.mark.parametrize("side", Side)
def test_three_in_a_line_win(line: tuple[int, ...], side: Side) -> None:
    state = State("".join(side.value if cell in line else "." for cell in range(9)))
    assert (state.winner, state.over, legal_actions(state)) == (side, True, [])


def test_sides_take_turns() -> None:
    state = START
    for cell, side in enumerate((Side.X, Side.O, Side.X, Side.O)):
        assert state.active is side
        state = apply(state, cell)
    assert state == State("XOXO.....")


def test_a_full_board_is_a_draw() -> None:
    state = State("XOXXOOOXX")
    assert (state.winner, state.over) == (None, True)


@pytest.mark.parametrize(
    ("state", "cell", "mistake"),
    [
        (START, -1, Mistake.NO_SUCH_CELL),
        (START, 9, Mistake.NO_SUCH_CELL),
        (State("X........"), 0, Mistake.TAKEN),
        (State("XXX.O..O."), 3, Mistake.GAME_OVER),
    ],
)
def test_what_is_not_allowed(state: State, cell: int, mistake: Mistake) -> None:
    with pytest.raises(RuleViolation) as violation:
        apply(state, cell)
    assert violation.value.mistake is mistake


@pytest.mark.parametrize("perfect", Side)
def test_the_perfect_bot_never_loses(perfect: Side) -> None:
    rng = random.Random(1)
    for _ in range(50):
        state = START
        while not state.over:
            state = apply(state, bots.choose(state, int(state.active is not perfect), rng))
        assert state.winner is not perfect.other
