"""A fast model of one robot alone on a course, for bots that try out many programs.

A pose is a number: four times the index of the cell, plus the facing in quarter turns. All that a
register does to a pose is looked up in tables, so a register costs next to nothing. Other robots
do not exist here.
"""

import functools

import attrs

from games.roborally.rules import Card, Cell, Course, Direction, Rotation
from games.roborally.rules.belts import BLUE, GREEN, carried, curve, moved_checkpoints
from games.roborally.rules.board import place_of_fall, restart, walled
from games.roborally.rules.cards import REGISTERS
from games.roborally.rules.execution import STEPS
from games.roborally.rules.lasers import beam
from games.roborally.rules.robots import QUARTERS
from games.roborally.rules.state import Player

PoseTable = list[int]

# Cards whose effect on a robot is known in advance; all others leave it where it is.
MOVING: tuple[Card, ...] = (*STEPS, Card.BACK_UP, *QUARTERS)
# A stand-in for all cards that do not move the robot.
STAY = Card.POWER_UP

ALONE = 0  # the only robot, where the rules need a player


@attrs.frozen(eq=False)
class Simulator:
    """The tables for a robot that started from one cell.

    `after[register - 1][card][pose]` is the pose at the end of that register. Poses from `size`
    on are those of a rebooted robot: cards no longer do anything, belts still do.
    """

    cells: tuple[Cell, ...]
    after: tuple[dict[Card, PoseTable], ...]
    lasers: tuple[int, ...]  # damage by the lasers of the boards, for every cell

    @property
    def size(self) -> int:
        return 4 * len(self.cells)

    def pose(self, cell: Cell, facing: Direction) -> int:
        return 4 * self.cells.index(cell) + facing.quarters


@functools.lru_cache(maxsize=64)
def simulator(course: Course, start: Cell | None) -> Simulator:
    """Return the tables for a course; where a robot started matters only for reboots."""
    model = _Model.of(course, Player(ALONE, course.orientation, start=start))
    moves = {card: model.moves(card) for card in (*MOVING, STAY)}
    registers: list[dict[Card, PoseTable]] = []
    for register in range(1, REGISTERS + 1):
        if registers and not course.push_panels:
            registers.append(registers[0])
            continue
        elements = model.elements(register)
        registers.append({card: [elements[p] for p in table] for card, table in moves.items()})
    return Simulator(model.cells, tuple(registers), _lasers(course, model.cells))


def checkpoint_track(course: Course, number: int, cell: Cell) -> tuple[Cell, ...]:
    """Return where a checkpoint is after 0, 1, 2, ... registers, until it repeats."""
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


@attrs.frozen
class _Model:
    """Builds the tables of a simulator by the rules of the game.

    `steps[pose]` is the cell in front of a pose, its own cell if there is a wall, or negative for
    a fall: the complement of the pose on the restart point.
    """

    course: Course
    player: Player
    cells: tuple[Cell, ...]
    index: dict[Cell, int]
    steps: PoseTable = attrs.field(factory=list)

    @classmethod
    def of(cls, course: Course, player: Player) -> "_Model":
        cells = tuple(sorted(course.floor))
        model = cls(course, player, cells, {cell: number for number, cell in enumerate(cells)})
        model.steps.extend(model._step(cell, towards) for cell in cells for towards in Direction)
        return model

    @property
    def size(self) -> int:
        return 4 * len(self.cells)

    def _step(self, cell: Cell, direction: Direction) -> int:
        if walled(self.course, cell, direction):
            return self.index[cell]
        beyond = cell.beside(direction)
        if beyond in self.index:
            return self.index[beyond]
        place = place_of_fall(self.course, cell, beyond)
        token, _ = restart(self.course, self.player, place)
        return ~(4 * self.index[token] + Direction.UP.quarters)

    def moves(self, card: Card) -> PoseTable:
        """Return what a card does to each pose; rebooted robots play none."""
        turn = sum(1 if rotation is Rotation.RIGHT else 3 for rotation in QUARTERS.get(card, ()))
        back = card is Card.BACK_UP
        steps = 1 if back else STEPS.get(card, 0)
        alive = [self._move(pose, turn, 2 if back else 0, steps) for pose in range(self.size)]
        return alive + list(range(self.size, 2 * self.size))

    def _move(self, pose: int, turn: int, back: int, steps: int) -> int:
        cell, facing = pose >> 2, (pose + turn) % 4
        for _ in range(steps):
            cell = self.steps[4 * cell + (facing + back) % 4]
            if cell < 0:
                return self.size + ~cell
        return 4 * cell + facing

    def elements(self, register: int) -> PoseTable:
        """Return what the board does to each pose at the end of a register."""
        alive = []
        for cell in range(len(self.cells)):
            after, turn = self._ride(cell)
            if after >= 0:
                after, turn = self._push(after, turn, register)
            # What happens to a fallen robot in the same register is ignored: restart points in the
            # rulebook have no belts.
            for facing in range(4):
                alive.append(4 * after + (facing + turn) % 4 if after >= 0 else self.size + ~after)
        return alive + [pose % self.size + self.size for pose in alive]

    def _ride(self, cell: int) -> tuple[int, int]:
        """Return where belts carry a robot, and how they turn it."""
        turn = 0
        for speed in (BLUE, BLUE, GREEN):
            direction = carried(self.course, {ALONE: self.cells[cell]}, speed).get(ALONE)
            if direction is None:
                continue
            cell = self.steps[4 * cell + direction.quarters]
            if cell < 0:
                break
            rotation = curve(self.course, self.cells[cell], direction)
            turn += {Rotation.RIGHT: 1, Rotation.LEFT: 3, None: 0}[rotation]
        return cell, turn

    def _push(self, cell: int, turn: int, register: int) -> tuple[int, int]:
        panel = self.course.push_panels.get(self.cells[cell])
        if panel is not None and register in panel.registers:
            cell = self.steps[4 * cell + panel.orientation.quarters]
        gear = self.course.gears.get(self.cells[cell]) if cell >= 0 else None
        if gear is not None:
            turn += 1 if gear.rotation is Rotation.RIGHT else 3
        return cell, turn
