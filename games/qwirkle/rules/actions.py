"""What a player may do in a turn."""

from games.qwirkle.rules.tiles import Placement, Tile
from ludothek.contract.frozen import frozen


@frozen
class Lay:
    """Put tiles from one's hand on the board."""

    placements: tuple[Placement, ...]


@frozen
class Swap:
    """Exchange tiles from one's hand for tiles from the bag."""

    tiles: tuple[Tile, ...]


@frozen
class Pass:
    """Do nothing, the only choice of a player who can neither lay nor swap."""


Action = Lay | Swap | Pass
