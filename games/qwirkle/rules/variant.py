"""What the organiser may choose about the rules; times and penalties are not part of it."""

import enum

import attrs

from ludothek.contract.frozen import frozen

# The printed game's bonus for playing the last tile; real servers give it for every n.
END_BONUS = 6


class Refill(enum.Enum):
    """When a hand is filled up again."""

    OWN_TURN = "own_turn"
    AFTER_MOVE = "after_move"


def _positive(instance: object, attribute: "attrs.Attribute[int]", value: int) -> None:
    if value < 1:
        raise ValueError(f"{attribute.name} must be at least 1, not {value}")


@frozen
class Variant:
    """Material and optional rules; the defaults are the printed game."""

    color_shape_count: int = attrs.field(default=6, validator=_positive)
    tile_count: int = attrs.field(default=3, validator=_positive)
    max_hand_tiles: int = attrs.field(default=6, validator=_positive)
    end_bonus: int = END_BONUS
    refill: Refill = Refill.OWN_TURN

    @property
    def total(self) -> int:
        """How many tiles the game has."""
        return self.color_shape_count**2 * self.tile_count
