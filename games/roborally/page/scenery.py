"""A course as people see it: what lies where, and how far beams reach."""

from collections.abc import Mapping, Sequence
from typing import Any

from games.roborally.rules import Cell, Course
from games.roborally.rules.fields import Belt, RotatingBelt
from games.roborally.rules.lasers import beam
from games.roborally.table import RoboRallyTable
from ludothek.contract.table import Table


def scenery(table: Table) -> Any:
    """The course of the latest match; energy and checkpoints change and are part of views."""
    assert isinstance(table, RoboRallyTable)
    match = table.latest_match
    return None if match is None else course_scenery(match.state.course)


def course_scenery(course: Course) -> dict[str, Any]:
    return {
        "name": course.name,
        "width": course.width,
        "height": course.height,
        "boards": [
            {"name": each.name, "at": [each.x, each.y], "size": [each.width, each.height]}
            for each in course.boards
        ],
        "holes": _holes(course),
        "belts": [{"at": [*cell], **_belt(belt)} for cell, belt in course.belts.items()],
        "gears": [
            {"at": [*cell], "turn": gear.rotation.value} for cell, gear in course.gears.items()
        ],
        "panels": [
            {"at": [*cell], "to": panel.orientation.value, "registers": [*panel.registers]}
            for cell, panel in course.push_panels.items()
        ],
        "lasers": _lasers(course),
        "walls": _sides(course.walls),
        "pits": _places(sorted(course.pits)),
        "energy": _places([*course.energy]),
        "starts": _places(course.start_points),
        "restarts": [
            {"at": [*cell], "to": direction.value}
            for cell, direction in course.restart_points.items()
        ],
        "antenna": {"at": [*course.antenna], "to": course.orientation.value},
        "checkpoints": len(course.checkpoints),
    }


def _holes(course: Course) -> list[list[int]]:
    cells = (Cell(x, y) for x in range(course.width) for y in range(course.height))
    return _places([cell for cell in cells if course.square(cell) is None])


def _belt(belt: Belt | RotatingBelt) -> dict[str, Any]:
    """Where it moves robots; a curve also says in which direction they come."""
    told: dict[str, Any] = {"speed": belt.speed, "to": belt.out.value}
    if isinstance(belt, RotatingBelt):
        told |= {"inward": belt.inward.value, "crossing": belt.is_crossing}
    return told


def _lasers(course: Course) -> list[dict[str, Any]]:
    return [
        {
            "at": [*cell],
            "to": laser.orientation.value,
            "count": laser.count,
            # How many cells lie between its own one and what stops its beams.
            "reach": sum(1 for _ in beam(course, cell, laser.orientation)),
        }
        for cell, laser in course.lasers.items()
    ]


def _sides(walls: Mapping[Cell, Any]) -> list[dict[str, Any]]:
    return [
        {"at": [*cell], "sides": sorted(side.value for side in sides)}
        for cell, sides in walls.items()
    ]


def _places(cells: Sequence[Cell]) -> list[list[int]]:
    return [[*cell] for cell in cells]
