"""What distinguishes the difficulty levels."""

import attrs


@attrs.frozen
class Temper:
    """How a computer player plays."""

    name: str
    slips: float = 0.0  # how often it does something random instead of the best
    fouls: bool = False  # whether it fouls where that pays
    fans: bool = False  # whether its fans know when to act; otherwise they stay quiet


# The index is the difficulty; every level clearly beats the next one.
TEMPERS: tuple[Temper, ...] = (
    Temper("cunning", fouls=True, fans=True),
    Temper("fair", slips=0.2),
    Temper("clumsy", slips=0.5),
    Temper("random", slips=1.0),
)
