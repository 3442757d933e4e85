"""Courses with robots as text for a terminal."""

from collections.abc import Mapping, Sequence

from games.roborally.courses.signs import ARROWS, HOLE, LEGEND, PLUS, sign
from games.roborally.rules import Cell, Course, Direction, State
from games.roborally.rules.fields import CheckPoint, Empty

# Who stands where, and faces in which direction.
Robots = Mapping[int, tuple[Cell, Direction]]

ROBOT = "1>"
NO_ROBOTS: Robots = {}


def render(state: State) -> str:
    """Return the course of a game with its robots, and a legend."""
    robots = {p.player_id: (p.position, p.facing) for p in state.players if p.position is not None}
    return render_course(state.course, robots, state.checkpoints)


def render_course(
    course: Course, robots: Robots = NO_ROBOTS, checkpoints: Sequence[Cell] | None = None
) -> str:
    """Return a course with its name and a legend of the signs in it."""
    table = rows(course, robots, checkpoints)
    head = ", ".join(filter(None, (course.name, course.category, course.length)))
    signs = {part for row in table for square in row for part in square.split(PLUS)}
    return "\n".join([head, "", *_with_axes(table), "", *_legend(signs, robots)])


def rows(
    course: Course, robots: Robots = NO_ROBOTS, checkpoints: Sequence[Cell] | None = None
) -> list[list[str]]:
    """Return the signs of all squares, the top row first."""
    goals = course.checkpoints if checkpoints is None else checkpoints
    cells = [[Cell(x, y) for x in range(course.width)] for y in reversed(range(course.height))]
    return [[_square(course, cell, robots, goals) for cell in row] for row in cells]


def _square(course: Course, cell: Cell, robots: Robots, checkpoints: Sequence[Cell]) -> str:
    square = course.square(cell)
    if square is None:
        return HOLE
    # Checkpoints may have moved from their places on the course.
    signs = [sign(field) for field in square if not isinstance(field, CheckPoint | Empty)]
    signs += [sign(CheckPoint(n)) for n, place in enumerate(checkpoints, 1) if place == cell]
    signs += [f"{n}{ARROWS[facing]}" for n, (place, facing) in robots.items() if place == cell]
    return PLUS.join(signs) or sign(Empty())


def _with_axes(table: list[list[str]]) -> list[str]:
    numbers = [str(x) for x in range(len(table[0]))]
    columns = zip(numbers, *table, strict=True)
    widths = [max(map(len, column)) for column in columns]
    lines = [f"{len(table) - 1 - n:>3} | {_line(row, widths)}" for n, row in enumerate(table)]
    return [
        *lines,
        "    +" + "-" * (sum(widths) + 2 * len(widths)),
        f"      {_line(numbers, widths)}",
    ]


def _line(signs: Sequence[str], widths: Sequence[int]) -> str:
    return "  ".join(s.ljust(width) for s, width in zip(signs, widths, strict=True)).rstrip()


def _legend(signs: set[str], robots: Robots) -> list[str]:
    """Explain each kind of sign that occurs by an example."""
    kinds = {_kind(part) for part in signs}
    lines = [
        f"{example:<9} {meaning}"
        for example, meaning in LEGEND.items()
        if kinds & {_kind(part) for part in example.split()}
    ]
    if robots:
        lines.append(f"{ROBOT:<9} robot of player 1, looking to the right")
    return [*lines, f"{'E' + PLUS + 'W^':<9} several of these on one field"]


def _kind(part: str) -> str:
    """Return what signs that need only one line have in common: B<vx and G>^x, L1> and L2v."""
    if part[0] not in "BG":
        return part if part.isalpha() else part[0]
    arrows = sum(part.count(arrow) for arrow in ARROWS.values())
    return "belt" if arrows == 1 else part[-1]
