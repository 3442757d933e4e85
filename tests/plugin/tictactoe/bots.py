"""Choosing a cell."""

import random
from functools import lru_cache

from tictactoe.rules import State, apply, legal_actions

# The index is the difficulty.
DIFFICULTIES = ("perfect", "random")


def choose(state: State, difficulty: int, rng: random.Random) -> int:
    """A cell to mark in a game that is not over."""
    cells = legal_actions(state)
    if difficulty == 0:
        values = {cell: -_value(apply(state, cell)) for cell in cells}
        cells = [cell for cell in cells if values[cell] == max(values.values())]
    return rng.choice(cells)


@lru_cache(None)
def _value(state: State) -> int:
    """What a position is worth to the active side: 1, 0 or -1."""
    if state.over:
        return 0 if state.winner is None else -1
    return max(-_value(apply(state, cell)) for cell in legal_actions(state))
