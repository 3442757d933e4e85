"""Every field object as a few characters, for files and for boards in a terminal."""

import re
from collections.abc import Callable

from games.roborally.rules.course import Square
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
from games.roborally.rules.geometry import Direction, Rotation

ARROWS = {
    Direction.UP: "^",
    Direction.RIGHT: ">",
    Direction.DOWN: "v",
    Direction.LEFT: "<",
}
DIRECTIONS = {arrow: direction for direction, arrow in ARROWS.items()}
COLOURS = {1: "G", 2: "B"}
SPEEDS = {colour: speed for speed, colour in COLOURS.items()}
ROTATIONS = {Rotation.RIGHT: "cw", Rotation.LEFT: "ccw"}

HOLE = "-"
PLUS = "+"

LEGEND = {
    ".": "floor",
    HOLE: "no floor at all, like beyond the edge",
    "S": "start point",
    "A>": "antenna, sends to the right",
    "G> B>": "green belt (one step), blue belt (two steps)",
    "B>^c": "belt that turns robots coming in direction > towards ^",
    "B>^x": "the same kind of belt; robots may also come in straight, without a turn",
    "W^>": "walls on the upper and the right side",
    "L2v": "two lasers, shooting down",
    "P<24": "push panel to the left in registers 2 and 4",
    "Rcw Rccw": "gear that turns right (clockwise) or left",
    "E": "energy space",
    "PIT": "pit",
    "C1": "checkpoint 1",
    "X>": "restart point; a robot on it is pushed to the right",
}


PLAIN: dict[type[Field], str] = {Empty: ".", StartPoint: "S", Pit: "PIT"}


def sign(field: Field) -> str:
    match field:
        case Belt() | RotatingBelt() | PushPanel() | Gear():
            return _mover_sign(field)
        case EnergySpace(count):
            return "E" if count == 1 else f"E{count}"
        case Wall(orientations):
            return "W" + "".join(ARROWS[side] for side in orientations)
        case Laser(orientation, count):
            return f"L{count}{ARROWS[orientation]}"
        case Antenna(orientation):
            return "A" + ARROWS[orientation]
        case CheckPoint(number):
            return f"C{number}"
        case RestartPoint(orientation):
            return "X" + ARROWS[orientation]
        case _:
            return PLAIN[type(field)]


def _mover_sign(field: Belt | RotatingBelt | PushPanel | Gear) -> str:
    match field:
        case Belt(speed, orientation):
            return COLOURS[speed] + ARROWS[orientation]
        case RotatingBelt(speed, inward, out, is_crossing):
            return COLOURS[speed] + ARROWS[inward] + ARROWS[out] + ("x" if is_crossing else "c")
        case PushPanel(orientation, registers):
            return "P" + ARROWS[orientation] + "".join(map(str, registers))
        case Gear(rotation):
            return "R" + ROTATIONS[rotation]


def square(signs: str) -> Square:
    """Return what these signs stand for; raises ValueError for anything else."""
    return None if signs == HOLE else tuple(map(field, signs.split(PLUS)))


def field(signs: str) -> Field:
    for pattern, build in _PATTERNS:
        if match := re.fullmatch(pattern, signs):
            return build(*match.groups())
    raise ValueError(f"no field object looks like {signs!r}")


_PATTERNS: tuple[tuple[str, Callable[..., Field]], ...] = (
    (r"\.", Empty),
    (r"S", StartPoint),
    (r"PIT", Pit),
    (r"([GB])([v^<>])", lambda colour, arrow: Belt(SPEEDS[colour], DIRECTIONS[arrow])),
    (
        r"([GB])([v^<>])([v^<>])([xc])",
        lambda colour, inward, out, kind: RotatingBelt(
            SPEEDS[colour], DIRECTIONS[inward], DIRECTIONS[out], kind == "x"
        ),
    ),
    (
        r"P([v^<>])([1-5]+)",
        lambda arrow, digits: PushPanel(DIRECTIONS[arrow], tuple(map(int, digits))),
    ),
    (r"R(c?)cw", lambda counter: Gear(Rotation.LEFT if counter else Rotation.RIGHT)),
    (r"E(\d*)", lambda count: EnergySpace(int(count or 1))),
    (r"W([v^<>]+)", lambda arrows: Wall(tuple(DIRECTIONS[arrow] for arrow in arrows))),
    (r"L(\d+)([v^<>])", lambda count, arrow: Laser(DIRECTIONS[arrow], int(count))),
    (r"A([v^<>])", lambda arrow: Antenna(DIRECTIONS[arrow])),
    (r"C(\d+)", lambda number: CheckPoint(int(number))),
    (r"X([v^<>])", lambda arrow: RestartPoint(DIRECTIONS[arrow])),
)
