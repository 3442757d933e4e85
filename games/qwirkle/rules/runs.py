"""Runs of touching tiles, and what an empty cell sees of the runs around it."""

from collections.abc import Iterable
from typing import NamedTuple

from games.qwirkle.rules.tiles import Tile


def is_line(length: int, colors: int, shapes: int) -> bool:
    """Whether this many tiles share one attribute and all differ in the other."""
    if length < 2:
        return True
    if colors & (colors - 1) == 0:
        return shapes.bit_count() == length
    return shapes & (shapes - 1) == 0 and colors.bit_count() == length


def points(length: int, count: int) -> int:
    """What a line of this length earns; a complete one ("Qwirkle") counts twice."""
    if length < 2:
        return 0
    return 2 * length if length == count else length


class Run(NamedTuple):
    """Tiles in a row without a gap; colours and shapes are sets of bits."""

    length: int = 0
    colors: int = 0
    shapes: int = 0

    def joined(self, tile: Tile, other: "Run") -> "Run":
        """This run, the tile and the other run joined."""
        return Run(
            self.length + 1 + other.length,
            self.colors | 1 << tile.color | other.colors,
            self.shapes | 1 << tile.shape | other.shapes,
        )

    @property
    def is_line(self) -> bool:
        """Whether these tiles may lie together."""
        return is_line(*self)


NO_RUN = Run()


class Space(NamedTuple):
    """An empty cell: the runs that end at it, in the directions -x, +x, -y, +y.

    Keeping the runs where they end makes the extent of every line a single lookup.
    """

    left: Run = NO_RUN
    right: Run = NO_RUN
    below: Run = NO_RUN
    above: Run = NO_RUN

    def along(self, axis: int) -> tuple[Run, Run]:
        """The runs before and after this cell in its row (0) or its column (1)."""
        return (self.below, self.above) if axis else (self.left, self.right)

    def seeing(self, direction: int, run: Run) -> "Space":
        """This space with another run in one direction."""
        runs = list(self)
        runs[direction] = run
        return Space(*runs)

    def filled(self, tile: Tile, axis: int) -> Run:
        """The run that results when the tile is laid here."""
        before, after = self.along(axis)
        return before.joined(tile, after)

    def takes(self, kinds: Iterable[tuple[int, int]]) -> bool:
        """Whether a tile of one of these kinds (a bit of colour, a bit of shape) may lie here."""
        left, right, below, above = self
        wide, tall = left.length + 1 + right.length, below.length + 1 + above.length
        row_colors, row_shapes = left.colors | right.colors, left.shapes | right.shapes
        column_colors, column_shapes = below.colors | above.colors, below.shapes | above.shapes
        for color, shape in kinds:
            if is_line(wide, row_colors | color, row_shapes | shape) and is_line(
                tall, column_colors | color, column_shapes | shape
            ):
                return True
        return False


BLANK = Space()
