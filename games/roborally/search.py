"""Looking for a program: which five cards bring a robot closer to its next checkpoints."""

import contextlib
import random
from collections import Counter
from collections.abc import Callable

import attrs

from games.roborally.distances import FAR, Distances, distances
from games.roborally.rules import Card, Cell, View
from games.roborally.rules.cards import DAMAGE, REGISTERS, REPEATING
from games.roborally.simulator import STAY, Simulator, simulator

Clock = Callable[[], float]

# What is good and bad, measured in registers.
WIN = 1000.0
REBOOT = -4.0
HIT = -0.7
UNKNOWN = -0.7  # a damage card in a register is replaced by any other card
POWER = 0.2

# Reading the clock costs as much as a card; after this many cards it is worth it.
CARDS_PER_LOOK = 256


class TimeUp(Exception):
    """The search has used its time."""


@attrs.frozen
class Goal:
    """A checkpoint during one round: where it is after each register, and what comes after it."""

    cells: tuple[int, ...]  # as indices of the simulator, after 0 to 5 registers
    rows: tuple[tuple[int, ...], ...]  # distances of all poses after 0 to 5 registers
    rest: float  # registers from this checkpoint to the last one


@attrs.define
class Search:
    """Tries all programs for the robot of a view, as if it were alone on the course.

    Other robots are ignored: what they will do is unknown, and most of the time they are
    somewhere else.
    """

    model: Simulator
    goals: tuple[Goal, ...]
    pose: int
    goal: int
    hand: Counter[Card]
    registers: tuple[Card | None, ...]
    clock: Clock
    deadline: float
    programs: int = 0
    value: float = -float("inf")
    best: tuple[Card, ...] = ()
    _path: list[Card] = attrs.field(factory=list)
    _cards: int = 0

    @classmethod
    def of(cls, view: View, clock: Clock, deadline: float) -> "Search":
        """Return a search for a robot that is on the course."""
        me = view.me
        model = simulator(view.course, me.start)
        place = me.position or view.course.start_points[0]
        return cls(
            model=model,
            goals=goals(view, model),
            pose=model.pose(place, me.facing),
            goal=me.checkpoint,
            hand=Counter(view.hand),
            registers=view.registers,
            clock=clock,
            deadline=deadline,
        )

    def think(self) -> tuple[Card, ...]:
        """Return the best program found in time; fewer cards if the hand is too small."""
        self.hasty()
        with contextlib.suppress(TimeUp):
            self._extend(self.pose, self.goal, STAY, 0.0)
        return self.best

    def hasty(self) -> tuple[Card, ...]:
        """Return a program in which every register is the best on its own."""
        hand = +self.hand
        pose, goal, last, score = self.pose, self.goal, STAY, 0.0
        for register, fixed in enumerate(self.registers, 1):
            options = self._options(fixed, hand, register)
            if not options or goal == len(self.goals):
                break
            tried = [self._look(card, last, pose, goal, register) for card in options]
            _, card, last, pose, goal, gain = max(tried, key=lambda look: look[0])
            hand[card] -= 0 if fixed else 1
            score += gain
            self.best += (card,)
        self.value = score + self._outlook(pose, goal, len(self.best))
        return self.best

    def _look(
        self, card: Card, last: Card, pose: int, goal: int, register: int
    ) -> tuple[float, Card, Card, int, int, float]:
        """Return how good one card is, and what it leads to."""
        effect = self._effect(card, last)
        after, reached, gain = self._step(card, effect, pose, goal, register)
        value = gain + self._outlook(after, reached, register)
        return value, card, effect, after, reached, gain

    def _options(self, fixed: Card | None, hand: Counter[Card], register: int) -> list[Card]:
        if fixed is not None:
            return [fixed]
        return [
            card for card, n in hand.items() if n > 0 and (register > 1 or card not in REPEATING)
        ]

    @staticmethod
    def _effect(card: Card, last: Card) -> Card:
        """Return the card whose table describes what this one does."""
        return last if card in REPEATING else card

    def _step(
        self, card: Card, effect: Card, pose: int, goal: int, register: int
    ) -> tuple[int, int, float]:
        """Return the pose, the goal and what was gained or lost in one register."""
        tables = self.model.after[register - 1]
        after = (tables.get(effect) or tables[STAY])[pose]
        size = self.model.size
        score = REBOOT if after >= size > pose else 0.0
        cell = (after % size) >> 2
        if self.model.lasers[cell]:
            score += HIT * self.model.lasers[cell]
        if card in DAMAGE:
            score += UNKNOWN
        elif card is Card.POWER_UP:
            score += POWER
        if goal < len(self.goals) and self.goals[goal].cells[register] == cell:
            goal += 1
            if goal == len(self.goals):
                score += WIN - register
        return after, goal, score

    def _outlook(self, pose: int, goal: int, register: int) -> float:
        """Return the cost of the path that is left."""
        if goal == len(self.goals):
            return 0.0
        row, size = self.goals[goal].rows[register], self.model.size
        if pose >= size:
            # A rebooted robot may turn once.
            first = (pose - size) & ~3
            return -min(row[first : first + 4]) - self.goals[goal].rest
        return -row[pose] - self.goals[goal].rest

    def _extend(self, pose: int, goal: int, last: Card, score: float) -> None:
        register = len(self._path) + 1
        if register > REGISTERS or goal == len(self.goals):
            self._note(score + self._outlook(pose, goal, register - 1))
            return
        self._cards += 1
        if self._cards % CARDS_PER_LOOK == 0 and self.clock() >= self.deadline:
            raise TimeUp
        fixed = self.registers[register - 1]
        for card in self._options(fixed, self.hand, register):
            effect = self._effect(card, last)
            after, reached, gain = self._step(card, effect, pose, goal, register)
            self._path.append(card)
            self.hand[card] -= 0 if fixed else 1
            self._extend(after, reached, effect, score + gain)
            self.hand[card] += 0 if fixed else 1
            self._path.pop()

    def _note(self, value: float) -> None:
        self.programs += 1
        if value > self.value:
            self.value = value
            self.best = tuple(self._path)


def goals(view: View, model: Simulator) -> tuple[Goal, ...]:
    """Return all checkpoints as they will be in the next round."""
    ways = [distances(view.course, n) for n in range(1, len(view.checkpoints) + 1)]
    rests = [0.0]
    for way, cell in zip(reversed(ways[1:]), reversed(view.checkpoints[:-1]), strict=True):
        rests.insert(0, rests[0] + _from(way, model, cell))
    return tuple(
        _goal(way, cell, rest, model)
        for way, cell, rest in zip(ways, view.checkpoints, rests, strict=True)
    )


def _from(way: Distances, model: Simulator, cell: Cell) -> float:
    first = 4 * model.cells.index(cell)
    return min(row[pose] for row in way.registers for pose in range(first, first + 4))


def _goal(way: Distances, cell: Cell, rest: float, model: Simulator) -> Goal:
    phases = [way.phase(cell, 0)]
    for _ in range(REGISTERS):
        phases.append(way.later(phases[-1]))
    cells = tuple(model.cells.index(way.track[phase]) for phase in phases)
    return Goal(cells, tuple(way.registers[phase] for phase in phases), rest)


def nearest_start(view: View, free: list[Cell], rng: random.Random) -> Cell:
    """Return the start point with the shortest path to the first checkpoint."""
    model = simulator(view.course, None)
    row = goals(view, model)[0].rows[0]
    facing = view.course.orientation

    def registers(cell: Cell) -> int:
        return row[model.pose(cell, facing)]

    nearest = min(map(registers, free), default=FAR)
    return rng.choice([cell for cell in free if registers(cell) == nearest])
