"""What has to be right about a course before anybody can play on it."""

from collections import Counter

from games.roborally.rules.course import Course, Square
from games.roborally.rules.fields import (
    Antenna,
    Belt,
    CheckPoint,
    Field,
    Pit,
    RotatingBelt,
    StartPoint,
    Wall,
)
from games.roborally.rules.geometry import Cell

MOST_PLAYERS = 6


class BadCourse(ValueError):
    """A course that cannot be played; the text says why."""


def check(course: Course) -> None:
    """Raise BadCourse for the first flaw."""
    _check_shape(course)
    for x, column in enumerate(course.columns):
        for y, square in enumerate(column):
            _check_square(Cell(x, y), square)
    _check_counts(
        [field for column in course.columns for square in column for field in square or ()]
    )
    _check_boards(course)


def _check_shape(course: Course) -> None:
    if not course.columns or not course.columns[0]:
        raise BadCourse("The course has no fields.")
    for x, column in enumerate(course.columns):
        if len(column) != course.height:
            raise BadCourse(
                f"All columns need the same number of fields: column 0 has {course.height}, "
                f"column {x} has {len(column)}."
            )


def _check_square(cell: Cell, square: Square) -> None:
    kinds = Counter(type(field) for field in square or ())
    for kind, number in kinds.items():
        if number > 1 and kind is not Wall:
            raise BadCourse(f"The field at {cell.x}, {cell.y} has more than one {kind.__name__}.")
    if Belt in kinds and RotatingBelt in kinds:
        raise BadCourse(f"The field at {cell.x}, {cell.y} has more than one belt.")
    for deadly in (Pit, Antenna):
        if deadly in kinds and len(kinds) > 1 + (Wall in kinds):
            raise BadCourse(
                f"The {deadly.__name__} at {cell.x}, {cell.y} needs a field of its own."
            )


def _check_counts(fields: list[Field]) -> None:
    antennas = sum(isinstance(field, Antenna) for field in fields)
    if antennas != 1:
        raise BadCourse(f"The course needs one Antenna; it has {antennas}.")
    starts = sum(isinstance(field, StartPoint) for field in fields)
    if starts < MOST_PLAYERS:
        raise BadCourse(f"The course needs {MOST_PLAYERS} StartPoints; it has {starts}.")
    numbers = sorted(field.number for field in fields if isinstance(field, CheckPoint))
    if not numbers or numbers != list(range(1, len(numbers) + 1)):
        found = ", ".join(map(str, numbers)) or "none"
        raise BadCourse(f"The CheckPoints have to be numbered 1, 2, 3 and so on; found: {found}.")


def _check_boards(course: Course) -> None:
    for board in course.boards:
        corners = (
            Cell(board.x, board.y),
            Cell(board.x + board.width - 1, board.y + board.height - 1),
        )
        if not all(map(course.on_map, corners)):
            raise BadCourse(f"The board {board.name} does not lie within the course.")
    if course.start_token and not course.restart_points:
        raise BadCourse("Robots are to reboot on a RestartPoint of the start board; there is none.")
