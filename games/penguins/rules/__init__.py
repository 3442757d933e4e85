"""The rules of Penguins."""

from games.penguins.rules.board import (
    PENGUINS,
    SEEDS,
    SIZE,
    Board,
    Coordinates,
    Team,
    bits,
    coordinates,
    generate,
    neighbours,
    slides,
)
from games.penguins.rules.game import (
    Move,
    State,
    apply,
    legal_actions,
    position,
    score,
    start,
    winner,
)
from games.penguins.rules.mistakes import (
    Mistake,
)

__all__ = [
    "PENGUINS",
    "SEEDS",
    "SIZE",
    "Board",
    "Coordinates",
    "Mistake",
    "Move",
    "State",
    "Team",
    "apply",
    "bits",
    "coordinates",
    "generate",
    "legal_actions",
    "neighbours",
    "position",
    "score",
    "slides",
    "start",
    "winner",
]
