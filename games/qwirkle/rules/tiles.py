"""Tiles, and tiles on their cells."""

from games.qwirkle.rules.variant import Variant
from ludothek.contract.frozen import frozen


@frozen
class Tile:
    """One piece; the id tells copies of the same kind apart."""

    color: int
    shape: int
    unique_id: int


@frozen
class Placement:
    """A tile on a cell of the unbounded grid."""

    tile: Tile
    x: int
    y: int


def _tile(unique_id: int, count: int) -> Tile:
    color, shape = divmod(unique_id % count**2, count)
    return Tile(color, shape, unique_id)


def all_tiles(variant: Variant) -> tuple[Tile, ...]:
    """Every tile of a game, numbered from 0 as in the known servers."""
    count = variant.color_shape_count
    return tuple(_tile(unique_id, count) for unique_id in range(variant.total))


def exists(variant: Variant, tile: Tile) -> bool:
    """Whether a game with this variant has exactly this tile."""
    if not 0 <= tile.unique_id < variant.total:
        return False
    return tile == _tile(tile.unique_id, variant.color_shape_count)
