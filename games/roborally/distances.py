"""How many registers a robot needs to reach a checkpoint if it always has the right card."""

import functools

import attrs

from games.roborally.rules import Card, Cell, Course
from games.roborally.rules.cards import REGISTERS
from games.roborally.simulator import STAY, Simulator, checkpoint_track, simulator

# With more than one copy in the deck, so that they are often at hand.
COMMON: tuple[Card, ...] = (Card.MOVE_I, Card.MOVE_II, Card.TURN_LEFT, Card.TURN_RIGHT, STAY)

FAR = 60  # more registers than the longest path on any course of the rulebook


@attrs.frozen(eq=False)
class Distances:
    """The distances of all poses to one checkpoint.

    The path depends on the phase: where a moving checkpoint is, or else in which registers push
    panels will work. The phases follow one another, and the last one is followed by `loop`.
    """

    track: tuple[Cell, ...]  # where the checkpoint is in each phase
    loop: int
    registers: tuple[tuple[int, ...], ...]  # for each phase and pose

    def phase(self, cell: Cell, completed: int) -> int:
        """Return the phase for a checkpoint on a cell, that many registers into a round."""
        if len(set(self.track)) > 1:
            return self.track.index(cell)
        return completed % len(self.track)

    def later(self, phase: int) -> int:
        return phase + 1 if phase + 1 < len(self.track) else self.loop


@functools.lru_cache(maxsize=128)
def distances(course: Course, number: int) -> Distances:
    """Return the distances to a checkpoint; computing them takes some time, but only once."""
    track = checkpoint_track(course, number, course.checkpoints[number - 1])
    # Where checkpoints move, push panels are ignored: both together are too many phases.
    panels = bool(course.push_panels) and len(track) == 1
    feeders = [
        _feeders(simulator(course, None), register)
        for register in range(REGISTERS if panels else 1)
    ]
    if panels:
        track *= REGISTERS
    loop = 0 if panels else _loop(course, number, track)
    return Distances(track, loop, _spread(simulator(course, None), track, loop, feeders))


def _loop(course: Course, number: int, track: tuple[Cell, ...]) -> int:
    again = checkpoint_track(course, number, track[-1])
    return track.index(again[1]) if len(again) > 1 else len(track) - 1


def _feeders(model: Simulator, register: int) -> list[list[int]]:
    """Return for each pose the poses from which a common card leads to it."""
    feeders: list[list[int]] = [[] for _ in range(model.size)]
    for card in COMMON:
        for source, target in enumerate(model.after[register][card][: model.size]):
            if target < model.size:
                feeders[target].append(source)
    return feeders


def _spread(
    model: Simulator, track: tuple[Cell, ...], loop: int, feeders: list[list[list[int]]]
) -> tuple[tuple[int, ...], ...]:
    """Go back from the checkpoint, register by register, to all poses that lead to it."""
    found = [[FAR] * model.size for _ in track]
    front = []
    for phase, cell in enumerate(track):
        for pose in range(4 * model.cells.index(cell), 4 * model.cells.index(cell) + 4):
            found[phase][pose] = 0
            front.append((phase, pose))
    earlier = [[phase - 1] if phase else [] for phase in range(len(track))]
    earlier[loop].append(len(track) - 1)
    for registers in range(1, FAR):
        front = [
            (before, source)
            for phase, pose in front
            for before in earlier[phase]
            for source in feeders[before % len(feeders)][pose]
            if _nearer(found[before], source, registers)
        ]
    return tuple(map(tuple, found))


def _nearer(row: list[int], pose: int, registers: int) -> bool:
    if row[pose] <= registers:
        return False
    row[pose] = registers
    return True
