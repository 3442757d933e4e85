"""Directions and cells: x grows to the right, y upwards, as in the protocol."""

import enum
import functools
from typing import NamedTuple


class Cell(NamedTuple):
    """A place in the coordinate system of a course; it need not lie on the course."""

    x: int
    y: int

    def beside(self, direction: "Direction") -> "Cell":
        dx, dy = direction.vector
        return Cell(self.x + dx, self.y + dy)

    def distance(self, other: "Cell") -> int:
        return abs(self.x - other.x) + abs(self.y - other.y)


class Rotation(enum.StrEnum):
    """A quarter turn, seen from above: right is clockwise."""

    LEFT = "left"
    RIGHT = "right"


class Direction(enum.StrEnum):
    """One of the four directions, in clockwise order."""

    UP = "up"
    RIGHT = "right"
    DOWN = "down"
    LEFT = "left"

    @functools.cached_property
    def quarters(self) -> int:
        """The number of quarter turns clockwise from up."""
        return list(Direction).index(self)

    @functools.cached_property
    def vector(self) -> tuple[int, int]:
        return ((0, 1), (1, 0), (0, -1), (-1, 0))[self.quarters]

    @functools.cached_property
    def opposite(self) -> "Direction":
        return self.clockwise(2)

    def clockwise(self, quarters: int) -> "Direction":
        return list(Direction)[(self.quarters + quarters) % 4]

    def turned(self, rotation: Rotation) -> "Direction":
        return self.clockwise(1 if rotation is Rotation.RIGHT else 3)
