"""Courses as text: a few lines of facts, an empty line, and the map with its top row first."""

import re

from games.roborally.courses.signs import square
from games.roborally.rules.course import Board, Course, Square

_BOARD = re.compile(r"(\w+) at (\d+),(\d+) size (\d+)x(\d+)( start)?")


def from_text(text: str) -> Course:
    head, _, grid = text.partition("\n\n")
    facts = [line.partition(": ") for line in head.splitlines()]
    single = {key: value for key, _, value in facts}
    return Course(
        name=single["name"],
        columns=columns(grid),
        boards=tuple(_board(value) for key, _, value in facts if key == "board"),
        start_token=single.get("reboot") == "start board",
        category=single["category"],
        length=single["length"],
    )


def columns(grid: str) -> tuple[tuple[Square, ...], ...]:
    """Return the columns of a map from left to right, each from bottom to top."""
    rows = [list(map(square, line.split())) for line in grid.splitlines() if line.strip()]
    return tuple(zip(*reversed(rows), strict=True))


def _board(text: str) -> Board:
    match = _BOARD.fullmatch(text)
    if match is None:
        raise ValueError(f"not a board: {text!r}")
    name, x, y, width, height, start = match.groups()
    return Board(name, int(x), int(y), int(width), int(height), start is not None)
