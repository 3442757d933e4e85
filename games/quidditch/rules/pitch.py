"""The pitch: 193 cells, two keeper zones with three goals each, the centre circle."""

import enum
import functools
from collections.abc import Mapping
from typing import NamedTuple

WIDTH = 17
HEIGHT = 13

# The first and the last valid x of each row; the rows below the middle mirror those above it.
_UPPER_ROWS = ((3, 13), (2, 14), (1, 15), (1, 15), (0, 16), (0, 16), (0, 16))
_ROWS = (*_UPPER_ROWS, *reversed(_UPPER_ROWS[:-1]))

# How many cells each row of a keeper zone reaches onto the pitch.
_UPPER_ZONE = (0, 1, 3, 3, 5, 5, 5)
_ZONE_ROWS = (*_UPPER_ZONE, *reversed(_UPPER_ZONE[:-1]))


class Side(enum.StrEnum):
    """A team; it defends the goals on its side."""

    LEFT = "left"
    RIGHT = "right"

    @functools.cached_property
    def opponent(self) -> "Side":
        return Side.RIGHT if self is Side.LEFT else Side.LEFT


class Cell(NamedTuple):
    """A place in the coordinate system; it need not lie on the pitch."""

    x: int
    y: int


def distance(one: Cell, other: Cell) -> int:
    """Return the smallest number of steps, straight or diagonal, between two cells."""
    return max(abs(one[0] - other[0]), abs(one[1] - other[1]))


CELLS: tuple[Cell, ...] = tuple(
    Cell(x, y) for y, (first, last) in enumerate(_ROWS) for x in range(first, last + 1)
)
ON_PITCH: frozenset[Cell] = frozenset(CELLS)
MIDDLE = Cell(8, 6)
CENTRE_CIRCLE: frozenset[Cell] = frozenset(Cell(x, y) for x in (7, 8, 9) for y in (5, 6, 7))

NEIGHBOURS: Mapping[Cell, tuple[Cell, ...]] = {
    cell: tuple(other for other in CELLS if distance(cell, other) == 1) for cell in CELLS
}

KEEPER_ZONES: Mapping[Side, frozenset[Cell]] = {
    Side.LEFT: frozenset(cell for cell in CELLS if cell.x < _ROWS[cell.y][0] + _ZONE_ROWS[cell.y]),
    Side.RIGHT: frozenset(cell for cell in CELLS if cell.x > _ROWS[cell.y][1] - _ZONE_ROWS[cell.y]),
}
GOALS: Mapping[Side, frozenset[Cell]] = {
    Side.LEFT: frozenset(Cell(2, y) for y in (4, 6, 8)),
    Side.RIGHT: frozenset(Cell(14, y) for y in (4, 6, 8)),
}
ALL_GOALS: frozenset[Cell] = GOALS[Side.LEFT] | GOALS[Side.RIGHT]

# Column 8 belongs to neither half.
HALVES: Mapping[Side, tuple[Cell, ...]] = {
    Side.LEFT: tuple(cell for cell in CELLS if cell.x < MIDDLE.x),
    Side.RIGHT: tuple(cell for cell in CELLS if cell.x > MIDDLE.x),
}
START_CELLS: Mapping[Side, tuple[Cell, ...]] = {
    side: tuple(cell for cell in half if cell not in CENTRE_CIRCLE and cell not in ALL_GOALS)
    for side, half in HALVES.items()
}


def goal_side(cell: Cell) -> Side | None:
    """Return which team defends the goal on a cell, if there is one."""
    if cell not in ALL_GOALS:
        return None
    return Side.LEFT if cell in GOALS[Side.LEFT] else Side.RIGHT


@functools.cache
def crossed(start: Cell, end: Cell) -> tuple[Cell, ...]:
    """Return the cells cut by the line between two cell centres, from the start outwards.

    Neither end is among them, nor is a cell of which the line only touches a corner.
    """
    dx, dy = end.x - start.x, end.y - start.y
    columns = range(min(start.x, end.x), max(start.x, end.x) + 1)
    rows = range(min(start.y, end.y), max(start.y, end.y) + 1)
    cut = [
        Cell(x, y)
        for x in columns
        for y in rows
        if (x, y) in ON_PITCH
        and 2 * abs((x - start.x) * dy - (y - start.y) * dx) < abs(dx) + abs(dy)
    ]
    cut.sort(key=lambda cell: (cell.x - start.x) * dx + (cell.y - start.y) * dy)
    return tuple(cut[1:-1])
