"""Where robots can move on a course, and where they reboot."""

from games.roborally.rules.course import Course
from games.roborally.rules.geometry import Cell, Direction
from games.roborally.rules.state import Player

NO_SIDES: frozenset[Direction] = frozenset()


def walled(course: Course, cell: Cell, direction: Direction) -> bool:
    """Return whether a wall or the antenna closes this side of a cell."""
    beyond = cell.beside(direction)
    return (
        direction in course.walls.get(cell, NO_SIDES)
        or direction.opposite in course.walls.get(beyond, NO_SIDES)
        or beyond == course.antenna
    )


def place_of_fall(course: Course, cell: Cell, beyond: Cell) -> Cell:
    """Return the cell whose board counts for a robot that left `cell` for a deadly one."""
    return beyond if beyond in course.pits else cell


def restart(course: Course, player: Player, place: Cell) -> tuple[Cell, Direction]:
    """Return where a robot reboots, and in which direction it pushes away another one."""
    board = course.board(place)
    tokens = list(course.restart_points)
    if course.start_token:
        tokens = [token for token in tokens if _on_start_board(course, token)] or tokens
    elif board is not None and board.is_start and player.start is not None:
        tokens = []
    elif board is not None:
        tokens = [token for token in tokens if token in board] or tokens
    if tokens:
        token = min(tokens, key=place.distance)
        return token, course.restart_points[token]
    return player.start or course.start_points[0], course.orientation


def _on_start_board(course: Course, cell: Cell) -> bool:
    board = course.board(cell)
    return board is not None and board.is_start
