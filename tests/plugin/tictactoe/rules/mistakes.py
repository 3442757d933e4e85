"""The ways to break the rules of tic-tac-toe."""

from ludothek import api


class Mistake(api.Mistake):
    """A move that the rules do not allow."""

    GAME_OVER = "The game is over."
    NO_SUCH_CELL = "The cells are numbered from 0 to 8."
    TAKEN = "The cell is taken."
