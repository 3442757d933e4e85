"""Free cells: those with no player and no ball. A cube does not count."""

import random
from collections.abc import Iterable

from games.quidditch.rules.pitch import CELLS, NEIGHBOURS, Cell
from games.quidditch.rules.snapshot import Snapshot


def occupied(snapshot: Snapshot) -> set[Cell]:
    cells = {player.cell for player in snapshot.players if not player.banned}
    cells.update(snapshot.bludgers)
    cells.add(snapshot.quaffle)
    if snapshot.snitch is not None:
        cells.add(snapshot.snitch)
    return cells


def is_free(snapshot: Snapshot, cell: Cell) -> bool:
    if cell == snapshot.quaffle or cell == snapshot.snitch or cell in snapshot.bludgers:
        return False
    return snapshot.at(cell) is None


def free_cells(snapshot: Snapshot, cells: Iterable[Cell] = CELLS) -> list[Cell]:
    taken = occupied(snapshot)
    return [cell for cell in cells if cell not in taken]


def free_neighbour(snapshot: Snapshot, cell: Cell, rng: random.Random) -> Cell:
    """Return a random free neighbour, or a neighbour of a random neighbour if all are taken."""
    taken = occupied(snapshot)
    while True:
        free = [other for other in NEIGHBOURS[cell] if other not in taken]
        if free:
            return rng.choice(free)
        cell = rng.choice(NEIGHBOURS[cell])
