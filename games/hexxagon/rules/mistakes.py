"""The ways to break the rules of Hexxagon."""

from ludothek.contract import mistakes


class Mistake(mistakes.Mistake):
    """A move that the rules do not allow."""

    GAME_OVER = "The game is over."
    NO_SUCH_TILE = "The tiles are numbered from 1 to 61."
    NO_STONE = "There is no stone on the tile of origin."
    NOT_YOUR_STONE = "The stone on the tile of origin belongs to the opponent."
    SAME_TILE = "A stone has to move to another tile."
    TARGET_BLOCKED = "The target tile is blocked."
    TARGET_OCCUPIED = "There is a stone on the target tile already."
    TOO_FAR = "The target tile is more than two steps away."
