"""A course: boards laid side by side, with lookups for what the rules need to know."""

import functools
from collections.abc import Iterator, Mapping
from typing import TypeVar

import attrs

from games.roborally.rules.fields import (
    Antenna,
    Belt,
    CheckPoint,
    EnergySpace,
    Field,
    Gear,
    Laser,
    Pit,
    PushPanel,
    RestartPoint,
    RotatingBelt,
    StartPoint,
    Wall,
)
from games.roborally.rules.geometry import Cell, Direction
from ludothek.contract.frozen import frozen

# The objects of one cell; None is a hole in a course that is not rectangular.
Square = tuple[Field, ...] | None

F = TypeVar("F")


@frozen
class Board:
    """The rectangle of one board; reboots depend on the board a robot was on."""

    name: str
    x: int
    y: int
    width: int
    height: int
    is_start: bool = False

    def __contains__(self, cell: Cell) -> bool:
        return 0 <= cell.x - self.x < self.width and 0 <= cell.y - self.y < self.height


# Equal courses are the same to a cache, even in another process.
@attrs.frozen(cache_hash=True)
class Course:
    """What does not change in a game; `columns[x][y]` is the square of a cell.

    `start_token` is the special rule that every robot reboots on the token of the start board.
    """

    name: str
    columns: tuple[tuple[Square, ...], ...]
    boards: tuple[Board, ...]
    start_token: bool = False
    category: str = ""
    length: str = ""

    @property
    def width(self) -> int:
        return len(self.columns)

    @property
    def height(self) -> int:
        return len(self.columns[0])

    def on_map(self, cell: Cell) -> bool:
        return 0 <= cell.x < self.width and 0 <= cell.y < self.height

    def square(self, cell: Cell) -> Square:
        return self.columns[cell.x][cell.y] if self.on_map(cell) else None

    @functools.cached_property
    def floor(self) -> frozenset[Cell]:
        """The cells on which a robot can stand."""
        cells = {cell for cell, square in self._squares() if square is not None}
        return frozenset(cells - self.pits - {self.antenna})

    @functools.cached_property
    def pits(self) -> frozenset[Cell]:
        return frozenset(self._all(Pit))

    @functools.cached_property
    def walls(self) -> Mapping[Cell, frozenset[Direction]]:
        sides: dict[Cell, frozenset[Direction]] = {}
        for cell, square in self._squares():
            for wall in (field for field in square or () if isinstance(field, Wall)):
                sides[cell] = sides.get(cell, frozenset()) | frozenset(wall.orientations)
        return sides

    @functools.cached_property
    def belts(self) -> Mapping[Cell, Belt | RotatingBelt]:
        return {**self._all(Belt), **self._all(RotatingBelt)}

    @functools.cached_property
    def push_panels(self) -> Mapping[Cell, PushPanel]:
        return self._all(PushPanel)

    @functools.cached_property
    def gears(self) -> Mapping[Cell, Gear]:
        return self._all(Gear)

    @functools.cached_property
    def lasers(self) -> Mapping[Cell, Laser]:
        return self._all(Laser)

    @functools.cached_property
    def energy(self) -> Mapping[Cell, int]:
        """The cubes on every energy space at the start."""
        return {cell: space.count for cell, space in self._all(EnergySpace).items()}

    @functools.cached_property
    def checkpoints(self) -> tuple[Cell, ...]:
        """Where the checkpoints 1, 2, ... are at the start."""
        found = self._all(CheckPoint)
        return tuple(sorted(found, key=lambda cell: found[cell].number))

    @functools.cached_property
    def start_points(self) -> tuple[Cell, ...]:
        return tuple(self._all(StartPoint))

    @functools.cached_property
    def restart_points(self) -> Mapping[Cell, Direction]:
        return {cell: token.orientation for cell, token in self._all(RestartPoint).items()}

    @functools.cached_property
    def antenna(self) -> Cell:
        return next(iter(self._all(Antenna)))

    @functools.cached_property
    def orientation(self) -> Direction:
        """The direction of the antenna, and of every robot at the start."""
        return self._all(Antenna)[self.antenna].orientation

    def board(self, cell: Cell) -> Board | None:
        return next((board for board in self.boards if cell in board), None)

    def _squares(self) -> Iterator[tuple[Cell, Square]]:
        for x, column in enumerate(self.columns):
            for y, square in enumerate(column):
                yield Cell(x, y), square

    def _all(self, kind: type[F]) -> dict[Cell, F]:
        return {
            cell: field
            for cell, square in self._squares()
            for field in square or ()
            if isinstance(field, kind)
        }
