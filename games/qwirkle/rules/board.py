"""The board: an unbounded grid on which tiles stay where they were laid."""

from collections.abc import Iterable

import attrs

from games.qwirkle.rules.layers import Layers
from games.qwirkle.rules.runs import BLANK, Run, Space
from games.qwirkle.rules.tiles import Placement, Tile
from ludothek.contract.frozen import frozen

Cell = tuple[int, int]

ORIGIN: Cell = (0, 0)


def _moved(cell: Cell, axis: int, steps: int) -> Cell:
    x, y = cell
    return (x, y + steps) if axis else (x + steps, y)


@frozen
class Board:
    """Tiles, and the spaces next to them; laying takes time proportional to the tiles laid."""

    _cells: Layers[Cell, Tile | Space] = attrs.field(factory=Layers)

    @classmethod
    def of(cls, placements: Iterable[Placement]) -> "Board":
        """A board with these tiles in any order, as a client learns it from messages."""
        return EMPTY.plus(placements)

    @property
    def is_empty(self) -> bool:
        """Whether no tile has been laid yet."""
        return not self._cells

    def tile(self, cell: Cell) -> Tile | None:
        """The tile on a cell."""
        found = self._cells.get(cell)
        return found if isinstance(found, Tile) else None

    def space(self, cell: Cell) -> Space | None:
        """What an empty cell next to at least one tile sees; None for every other cell."""
        found = self._cells.get(cell)
        return found if isinstance(found, Space) else None

    def spaces(self) -> dict[Cell, Space]:
        """Every cell where a tile could touch the others; the origin on an empty board."""
        if self.is_empty:
            return {ORIGIN: BLANK}
        return {
            cell: found for cell, found in self._cells.flat().items() if isinstance(found, Space)
        }

    def placements(self) -> tuple[Placement, ...]:
        """Every tile with its cell."""
        return tuple(
            Placement(found, *cell)
            for cell, found in self._cells.flat().items()
            if isinstance(found, Tile)
        )

    def takes(self, tiles: Iterable[Tile]) -> bool:
        """Whether any of these tiles could be laid anywhere.

        Checking single tiles is enough: every legal move contains a tile that is legal alone.
        The newest spaces come first, so among many tiles one that fits is soon found.
        """
        kinds = {(1 << tile.color, 1 << tile.shape) for tile in tiles}
        if self.is_empty:
            return bool(kinds)
        for _, found in self._cells.items():
            if isinstance(found, Space) and found.takes(kinds):
                return True
        return False

    def plus(self, placements: Iterable[Placement]) -> "Board":
        """This board with more tiles on it; whether they fit is not checked."""
        draft = Draft(self)
        for placement in placements:
            draft.put(placement)
        return draft.board()


EMPTY = Board()


@attrs.define
class Draft:
    """A board for trying out tiles."""

    _base: Board
    _changes: dict[Cell, Tile | Space] = attrs.field(factory=dict)

    def put(self, placement: Placement) -> Space:
        """Lay a tile on an empty cell and return what that cell saw before."""
        cell = (placement.x, placement.y)
        space = self._space(cell)
        self._changes[cell] = placement.tile
        self._tell_ends(cell, space, placement.tile, 0)
        self._tell_ends(cell, space, placement.tile, 1)
        return space

    def board(self) -> Board:
        """A board with everything that was laid."""
        return Board(self._base._cells.updated(self._changes)) if self._changes else self._base

    def _space(self, cell: Cell) -> Space:
        found = self._changes.get(cell) or self._base._cells.get(cell) or BLANK
        assert isinstance(found, Space), f"{cell} is occupied"
        return found

    def _tell_ends(self, cell: Cell, space: Space, tile: Tile, axis: int) -> None:
        before, after = space.along(axis)
        run = before.joined(tile, after)
        self._tell(_moved(cell, axis, -before.length - 1), 2 * axis + 1, run)
        self._tell(_moved(cell, axis, after.length + 1), 2 * axis, run)

    def _tell(self, cell: Cell, direction: int, run: Run) -> None:
        self._changes[cell] = self._space(cell).seeing(direction, run)
