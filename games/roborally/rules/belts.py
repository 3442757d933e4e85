"""Conveyor belts: all robots and checkpoints on belts of one colour move at once."""

from collections import Counter
from collections.abc import Mapping

from games.roborally.rules.board import walled
from games.roborally.rules.course import Course
from games.roborally.rules.draft import Draft
from games.roborally.rules.events import CheckpointMoved
from games.roborally.rules.fields import RotatingBelt
from games.roborally.rules.geometry import Cell, Direction, Rotation
from games.roborally.rules.robots import arrive, turn
from games.roborally.rules.steps import Fall

GREEN = 1
BLUE = 2


def run_belts(draft: Draft, speed: int) -> None:
    """Make one step of all belts of this speed."""
    places = {p.player_id: p.position for p in draft.state.players if p.position is not None}
    movers = carried(draft.course, places, speed)
    falls: list[Fall] = []
    for player_id in draft.state.order:
        if player_id in movers:
            falls += _carry(draft, player_id, places[player_id], movers[player_id])
    _carry_checkpoints(draft, speed)
    draft.do_next(*falls)


def carried(course: Course, places: Mapping[int, Cell], speed: int) -> dict[int, Direction]:
    """Return which robots the belts move, and where to; belts never push.

    Robots move unless something is in their way. As each one that stays can stop others, these
    are removed until nothing changes any more.
    """
    movers = {
        player_id: direction
        for player_id, cell in places.items()
        if (direction := _outward(course, cell, speed)) and not walled(course, cell, direction)
    }
    while stopped := _stopped(places, movers):
        for player_id in stopped:
            del movers[player_id]
    return movers


def _stopped(places: Mapping[int, Cell], movers: Mapping[int, Direction]) -> set[int]:
    targets = {p: places[p].beside(direction) for p, direction in movers.items()}
    crowded = Counter(targets.values())
    standing = {cell: p for p, cell in places.items()}
    stopped = set()
    for player_id, target in targets.items():
        other = standing.get(target)
        held = other is not None and targets.get(other) in (None, places[player_id])
        if held or crowded[target] > 1:
            stopped.add(player_id)
    return stopped


def _outward(course: Course, cell: Cell, speed: int) -> Direction | None:
    belt = course.belts.get(cell)
    return belt.out if belt is not None and belt.speed == speed else None


def _carry(draft: Draft, player_id: int, origin: Cell, direction: Direction) -> list[Fall]:
    falls = arrive(draft, player_id, origin, direction)
    rotation = curve(draft.course, origin.beside(direction), direction)
    if rotation and not falls:
        turn(draft, player_id, rotation)
    return falls


def curve(course: Course, cell: Cell, direction: Direction) -> Rotation | None:
    """Return how a robot turns when a belt carries it onto a cell in this direction."""
    belt = course.belts.get(cell)
    if not isinstance(belt, RotatingBelt) or belt.inward is not direction:
        return None
    return Rotation.RIGHT if direction.clockwise(1) is belt.out else Rotation.LEFT


def _carry_checkpoints(draft: Draft, speed: int) -> None:
    before = draft.state.checkpoints
    after = moved_checkpoints(draft.course, before, speed)
    draft.evolve(checkpoints=after)
    for number, (origin, cell) in enumerate(zip(before, after, strict=True), 1):
        if origin != cell:
            draft.tell(CheckpointMoved(number, cell.x, cell.y))


def moved_checkpoints(course: Course, cells: tuple[Cell, ...], speed: int) -> tuple[Cell, ...]:
    """Return where the checkpoints are after one step; one that falls returns to its origin."""
    return tuple(
        _carried_checkpoint(course, cell, home, speed)
        for cell, home in zip(cells, course.checkpoints, strict=True)
    )


def _carried_checkpoint(course: Course, cell: Cell, home: Cell, speed: int) -> Cell:
    direction = _outward(course, cell, speed)
    if direction is None:
        return cell
    target = cell.beside(direction)
    return target if target in course.floor else home
