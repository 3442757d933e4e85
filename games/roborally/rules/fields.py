"""The thirteen kinds of objects that lie on the cells of a course."""

from games.roborally.rules.geometry import Direction, Rotation
from ludothek.contract.frozen import frozen


@frozen
class Empty:
    """Plain floor."""


@frozen
class StartPoint:
    """A place where one robot may start."""


@frozen
class Belt:
    """A straight conveyor belt; speed 1 is green, 2 is blue."""

    speed: int
    orientation: Direction

    @property
    def out(self) -> Direction:
        return self.orientation


@frozen
class RotatingBelt:
    """A belt that turns what it receives from `inward` movement towards `out`.

    A crossing can also be entered straight on; that turns nobody.
    """

    speed: int
    inward: Direction
    out: Direction
    is_crossing: bool


@frozen
class PushPanel:
    """Pushes in the listed registers."""

    orientation: Direction
    registers: tuple[int, ...]


@frozen
class Gear:
    """Turns a robot by a quarter."""

    rotation: Rotation


@frozen
class Pit:
    """Swallows robots."""


@frozen
class EnergySpace:
    """A place with this many energy cubes at the start."""

    count: int


@frozen
class Wall:
    """Blocks the listed sides of its cell."""

    orientations: tuple[Direction, ...]


@frozen
class Laser:
    """The emitter of `count` beams."""

    orientation: Direction
    count: int


@frozen
class Antenna:
    """Decides who goes first; nobody can enter it."""

    orientation: Direction


@frozen
class CheckPoint:
    """A goal; goals have to be reached in the order of their numbers."""

    number: int


@frozen
class RestartPoint:
    """Where robots reboot; `orientation` is where a robot standing there is pushed."""

    orientation: Direction


Field = (
    Empty
    | StartPoint
    | Belt
    | RotatingBelt
    | PushPanel
    | Gear
    | Pit
    | EnergySpace
    | Wall
    | Laser
    | Antenna
    | CheckPoint
    | RestartPoint
)
