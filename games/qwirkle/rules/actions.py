"""What a player may do in a turn."""

import attrs

from games.qwirkle.rules.tiles import Placement, Tile


@attrs.frozen
class Lay:
    """Put tiles of the own hand on the board."""

    placements: tuple[Placement, ...]


@attrs.frozen
class Swap:
    """Exchange tiles of the own hand for tiles from the bag."""

    tiles: tuple[Tile, ...]


@attrs.frozen
class Pass:
    """Do nothing, which is all that is left to a player who can neither lay nor swap."""


Action = Lay | Swap | Pass
