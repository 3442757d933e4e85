"""The rules of Penguins."""

from games.penguins.rules.board import SEEDS, Board, Coordinates, Team, generate
from games.penguins.rules.game import (
    Move,
    State,
    apply,
    legal_actions,
    position,
    score,
    start,
    stuck,
    winner,
)
from games.penguins.rules.mistakes import Mistake

__all__ = [
    "SEEDS",
    "Board",
    "Coordinates",
    "Mistake",
    "Move",
    "State",
    "Team",
    "apply",
    "generate",
    "legal_actions",
    "position",
    "score",
    "start",
    "stuck",
    "winner",
]
