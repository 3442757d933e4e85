"""What distinguishes the levels of difficulty."""

import attrs


@attrs.frozen
class Temper:
    """How a computer player plays."""

    name: str
    slips: float = 0.0  # how often it does anything that is allowed instead of what is best
    fouls: bool = False  # whether it fouls where that pays
    fans: bool = False  # whether its fans know when to act; otherwise they keep quiet


# The index is the difficulty; every level beats the next one clearly.
TEMPERS: tuple[Temper, ...] = (
    Temper("cunning", fouls=True, fans=True),
    Temper("fair", slips=0.2),
    Temper("clumsy", slips=0.5),
    Temper("random", slips=1.0),
)
