"""Situations in which a check puts clients of Penguins."""

from ludothek.contract.situation import Situations

SITUATIONS = Situations(
    quick_clock={"soft_seconds": 2.0, "hard_seconds": 3.0},
    absent={"long-names": "players of a prepared game have the names that its administrator chose"},
)
