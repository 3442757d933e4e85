"""What a player may do in a turn."""

from games.qwirkle.rules.tiles import Placement, Tile
from ludothek.contract.frozen import frozen


@frozen
class Lay:
    """Put tiles of the own hand on the board."""

    placements: tuple[Placement, ...]


@frozen
class Swap:
    """Exchange tiles of the own hand for tiles from the bag."""

    tiles: tuple[Tile, ...]


@frozen
class Pass:
    """Do nothing, which is all that is left to a player who can neither lay nor swap."""


Action = Lay | Swap | Pass
