"""A fast model of one robot alone on a course, for bots that try out many programs.

A pose is a number: four times the index of the cell, plus the facing in quarter turns. All that a
register does to a pose is looked up in tables, so a register costs next to nothing. Other robots
do not exist here.
"""

import functools

import attrs

from games.roborally.rules import Card, Cell, Course, Direction
from games.roborally.rules.belts import BLUE, GREEN, carried, curve, moved_checkpoints
from games.roborally.rules.board import place_of_fall, restart, walled
from games.roborally.rules.cards import REGISTERS
from games.roborally.rules.execution import STEPS
from games.roborally.rules.lasers import beam
from games.roborally.rules.robots import QUARTERS
from games.roborally.rules.state import Player

Table = list[int]

# Cards whose effect on a robot is known in advance; all others leave it where it is.
MOVING: tuple[Card, ...] = (*STEPS, Card.BACK_UP, *QUARTERS)
# A stand-in for all cards that move nobody.
STAY = Card.POWER_UP

ALONE = 0  # the only robot, where rules want a player


@attrs.frozen(eq=False)
class Simulator:
    """The tables for a robot that started from one cell.

    `after[register - 1][card][pose]` is the pose at the end of that register. Poses from `size`
    on are those of a robot that was rebooted: cards do nothing any more, belts still do.
    """

    cells: tuple[Cell, ...]
    after: tuple[dict[Card, Table], ...]
    lasers: tuple[int, ...]  # damage by the lasers of the boards, for every cell

    @property
    def size(self) -> int:
        return 4 * len(self.cells)

    def pose(self, cell: Cell, facing: Direction) -> int:
        return 4 * self.cells.index(cell) + facing.quarters


@functools.lru_cache(maxsize=64)
def simulator(course: Course, start: Cell | None) -> Simulator:
    """Return the tables for a course; where a robot started matters for reboots only."""
    cells = tuple(sorted(course.floor))
    poses = _Poses(course, cells, Player(ALONE, course.orientation, start=start))
    moves = {card: poses.table(card) for card in (*MOVING, STAY)}
    registers: list[dict[Card, Table]] = []
    for register in range(1, REGISTERS + 1):
        if registers and not course.push_panels:
            registers.append(registers[0])
            continue
        elements = poses.elements(register)
        registers.append({card: [elements[p] for p in table] for card, table in moves.items()})
    return Simulator(cells, tuple(registers), _lasers(course, cells))


def checkpoint_track(course: Course, number: int, cell: Cell) -> tuple[Cell, ...]:
    """Return where a checkpoint is after 0, 1, 2, ... registers, until it is there again."""
    track = [cell]
    while True:
        cells = tuple(track[-1] for _ in course.checkpoints)
        for speed in (BLUE, BLUE, GREEN):
            cells = moved_checkpoints(course, cells, speed)
        if cells[number - 1] in track:
            return tuple(track)
        track.append(cells[number - 1])


def _lasers(course: Course, cells: tuple[Cell, ...]) -> tuple[int, ...]:
    damage = dict.fromkeys(cells, 0)
    for cell, laser in course.lasers.items():
        for hit in (cell, *beam(course, cell, laser.orientation)):
            if hit in damage:
                damage[hit] += laser.count
    return tuple(damage.values())


class _Poses:
    """Builds the tables of a simulator by the rules of the game."""

    def __init__(self, course: Course, cells: tuple[Cell, ...], player: Player) -> None:
        self._course = course
        self._cells = cells
        self._index = {cell: number for number, cell in enumerate(cells)}
        self._player = player
        self._size = 4 * len(cells)

    def table(self, card: Card) -> Table:
        alive = [
            self._carry_out(card, cell, direction)
            for cell in self._cells
            for direction in Direction
        ]
        return alive + [self._size + pose for pose in range(self._size)]

    def elements(self, register: int) -> Table:
        """Return what the board does to each pose at the end of a register."""
        alive = [
            self._elements(register, cell, facing) for cell in self._cells for facing in Direction
        ]
        return alive + [pose % self._size + self._size for pose in alive]

    def _pose(self, cell: Cell, facing: Direction) -> int:
        return 4 * self._index[cell] + facing.quarters

    def _fallen(self, cell: Cell, beyond: Cell) -> int:
        place = place_of_fall(self._course, cell, beyond)
        cell, _ = restart(self._course, self._player, place)
        return self._size + self._pose(cell, Direction.UP)

    def _carry_out(self, card: Card, cell: Cell, facing: Direction) -> int:
        for rotation in QUARTERS.get(card, ()):
            facing = facing.turned(rotation)
        towards = facing.opposite if card is Card.BACK_UP else facing
        for _ in range(1 if card is Card.BACK_UP else STEPS.get(card, 0)):
            if walled(self._course, cell, towards):
                break
            beyond = cell.beside(towards)
            if beyond not in self._index:
                return self._fallen(cell, beyond)
            cell = beyond
        return self._pose(cell, facing)

    def _elements(self, register: int, cell: Cell, facing: Direction) -> int:
        for speed in (BLUE, BLUE, GREEN):
            direction = carried(self._course, {ALONE: cell}, speed).get(ALONE)
            if direction is None:
                continue
            beyond = cell.beside(direction)
            if beyond not in self._index:
                # What the board does to it afterwards is left out: restart points have no belts.
                return self._fallen(cell, beyond)
            cell = beyond
            if rotation := curve(self._course, cell, direction):
                facing = facing.turned(rotation)
        return self._later_elements(register, cell, facing)

    def _later_elements(self, register: int, cell: Cell, facing: Direction) -> int:
        panel = self._course.push_panels.get(cell)
        if (
            panel
            and register in panel.registers
            and not walled(self._course, cell, panel.orientation)
        ):
            beyond = cell.beside(panel.orientation)
            if beyond not in self._index:
                return self._fallen(cell, beyond)
            cell = beyond
        if gear := self._course.gears.get(cell):
            facing = facing.turned(gear.rotation)
        return self._pose(cell, facing)
