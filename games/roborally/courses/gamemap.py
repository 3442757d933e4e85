"""Courses in the form of the protocol: lists of columns of lists of field objects."""

from collections.abc import Callable, Mapping
from typing import Any

from games.roborally.courses.flaws import BadCourse, check
from games.roborally.rules.cards import REGISTERS
from games.roborally.rules.course import Board, Course, Square
from games.roborally.rules.fields import (
    Antenna,
    Belt,
    CheckPoint,
    Empty,
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
from games.roborally.rules.geometry import Cell, Direction, Rotation

Json = dict[str, Any]


def game_map(course: Course) -> list[list[list[Json | None]]]:
    """Return the `gameMap` of the message GameStarted."""
    return [[_objects(square) for square in column] for column in course.columns]


def from_game_map(
    name: str, columns: object, boards: tuple[Board, ...] = (), start_token: bool = False
) -> Course:
    """Return the course of a `gameMap`, or raise BadCourse.

    Without boards everything is one board, and robots reboot on the nearest restart point.
    """
    if not isinstance(columns, list) or not all(isinstance(column, list) for column in columns):
        raise BadCourse(
            "The gameMap has to be a list of columns, and each column a list of fields."
        )
    squares = tuple(
        tuple(_square(Cell(x, y), objects) for y, objects in enumerate(column))
        for x, column in enumerate(columns)
    )
    course = Course(name, squares, boards, start_token)
    check(course)
    return course


def _objects(square: Square) -> list[Json | None]:
    return [None] if square is None else [_json(field) for field in square]


def _json(field: Field) -> Json:
    return {"type": type(field).__name__, **_properties(field)}


def _properties(field: Field) -> Json:
    match field:
        case Belt(speed, orientation):
            return {"speed": speed, "orientations": [orientation.value]}
        case RotatingBelt(speed, inward, out, is_crossing):
            return {
                "speed": speed,
                "isCrossing": is_crossing,
                "orientations": [inward.value, out.value],
            }
        case PushPanel(orientation, registers):
            return {"orientations": [orientation.value], "registers": list(registers)}
        case Gear(rotation):
            return {"orientations": [rotation.value]}
        case Wall(orientations):
            return {"orientations": [side.value for side in orientations]}
        case Laser(orientation, count):
            return {"orientations": [orientation.value], "count": count}
        case Antenna(orientation) | RestartPoint(orientation):
            return {"orientations": [orientation.value]}
        case EnergySpace(number) | CheckPoint(number):
            return {"count": number}
        case _:
            return {}


def _square(cell: Cell, objects: object) -> Square:
    if objects is None or objects == [None]:
        return None
    if not isinstance(objects, list) or not objects:
        raise BadCourse(f"The field at {cell.x}, {cell.y} has to be a list of objects.")
    try:
        return tuple(map(_field, objects))
    except BadCourse as flaw:
        raise BadCourse(f"The field at {cell.x}, {cell.y} is wrong: {flaw}") from None


def _field(value: object) -> Field:
    if not isinstance(value, dict):
        raise BadCourse("an object of a field needs a type.")
    kind = value.get("type")
    if not isinstance(kind, str) or kind not in _BUILDERS:
        raise BadCourse(f"{kind!r} is no type of field; there are {', '.join(sorted(_BUILDERS))}.")
    return _BUILDERS[kind](value)


def _directions(value: Json, least: int, most: int) -> tuple[Direction, ...]:
    names = value.get("orientations")
    if not isinstance(names, list) or not least <= len(names) <= most:
        number = str(least) if least == most else f"{least} to {most}"
        raise BadCourse(f"{value['type']} needs {number} orientations.")
    try:
        return tuple(map(Direction, names))
    except (ValueError, RecursionError):  # the enum prints unknown values, however deep
        raise BadCourse(f"{value['type']} has orientations that are no directions.") from None


def _one(value: Json) -> Direction:
    return _directions(value, 1, 1)[0]


def _rotation(value: Json) -> Rotation:
    try:
        return Rotation(_one(value).value)
    except ValueError:
        raise BadCourse("Gear has to turn right or left.") from None


def _number(value: Json, key: str, least: int, most: int) -> int:
    number = value.get(key)
    if type(number) is not int or not least <= number <= most:
        raise BadCourse(f"{value['type']} needs a {key} from {least} to {most}.")
    return number


def _registers(value: Json) -> tuple[int, ...]:
    registers = value.get("registers")
    if not isinstance(registers, list) or not all(map(_is_register, registers)):
        raise BadCourse("PushPanel needs a list of registers from 1 to 5.")
    return tuple(registers)


def _is_register(value: object) -> bool:
    return type(value) is int and 1 <= value <= REGISTERS


def _rotating_belt(value: Json) -> RotatingBelt:
    if type(value.get("isCrossing")) is not bool:
        raise BadCourse("RotatingBelt needs isCrossing, true or false.")
    inward, out = _directions(value, 2, 2)
    if out in (inward, inward.opposite):
        raise BadCourse("RotatingBelt needs two orientations with a quarter turn between them.")
    return RotatingBelt(_number(value, "speed", 1, 2), inward, out, value["isCrossing"])


_BUILDERS: Mapping[str, Callable[[Json], Field]] = {
    "Empty": lambda value: Empty(),
    "StartPoint": lambda value: StartPoint(),
    "Belt": lambda value: Belt(_number(value, "speed", 1, 2), _one(value)),
    "RotatingBelt": _rotating_belt,
    "PushPanel": lambda value: PushPanel(_one(value), _registers(value)),
    "Gear": lambda value: Gear(_rotation(value)),
    "Pit": lambda value: Pit(),
    "EnergySpace": lambda value: EnergySpace(_number(value, "count", 0, 9)),
    "Wall": lambda value: Wall(_directions(value, 1, 4)),
    "Laser": lambda value: Laser(_one(value), _number(value, "count", 1, 9)),
    "Antenna": lambda value: Antenna(_one(value)),
    "CheckPoint": lambda value: CheckPoint(_number(value, "count", 1, 99)),
    "RestartPoint": lambda value: RestartPoint(_one(value)),
}
