"""The rules of tic-tac-toe."""

import enum

from ludothek.api import RuleViolation, frozen

from tictactoe.rules.mistakes import Mistake

__all__ = ["LINES", "START", "Mistake", "Side", "State", "apply", "legal_actions"]

EMPTY = "."

# Three cells in a row, a column or a diagonal.
LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))


class Side(enum.Enum):
    X = "X"
    O = "O"  # noqa: E741

    @property
    def other(self) -> "Side":
        return Side.O if self is Side.X else Side.X


@frozen
class State:
    """Nine cells, each with the sign of its side."""

    cells: str

    @property
    def moves(self) -> int:
        return 9 - self.cells.count(EMPTY)

    @property
    def active(self) -> Side:
        """Whose turn it is; X begins."""
        return Side.X if self.moves % 2 == 0 else Side.O

    @property
    def winner(self) -> Side | None:
        for line in LINES:
            signs = {self.cells[cell] for cell in line}
            if len(signs) == 1 and signs != {EMPTY}:
                return Side(signs.pop())
        return None

    @property
    def over(self) -> bool:
        return self.winner is not None or EMPTY not in self.cells


START = State(EMPTY * 9)


def legal_actions(state: State) -> list[int]:
    if state.over:
        return []
    return [cell for cell, sign in enumerate(state.cells) if sign == EMPTY]


def apply(state: State, cell: int) -> State:
    """The state after the active side has marked a cell; raises RuleViolation."""
    if state.over:
        raise RuleViolation(Mistake.GAME_OVER)
    if not 0 <= cell < 9:
        raise RuleViolation(Mistake.NO_SUCH_CELL)
    if state.cells[cell] != EMPTY:
        raise RuleViolation(Mistake.TAKEN)
    return State(state.cells[:cell] + state.active.value + state.cells[cell + 1 :])
