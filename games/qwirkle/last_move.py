"""What the last turn came to: the position itself does not remember it."""

import enum

from games.qwirkle.messages import ClientInfo
from games.qwirkle.rules import Placement
from ludothek.contract.frozen import frozen


class Kind(enum.Enum):
    """How a turn can end."""

    LAID = "laid"
    SWAPPED = "swapped"
    MISTAKEN = "mistaken"  # ended by a wrong move
    SLOW = "slow"  # ended by the clock


@frozen
class LastMove:
    """A player's turn that is over."""

    player: ClientInfo
    kind: Kind
    points: int = 0  # earned, or lost as a penalty
    placements: tuple[Placement, ...] = ()
