"""Where players stand at the beginning, and where they come back."""

from games.quidditch.bots.guarding import post
from games.quidditch.bots.outlook import Outlook
from games.quidditch.rules import (
    MIDDLE,
    START_CELLS,
    Cell,
    DeltaType,
    Formation,
    Position,
    Request,
    Role,
    Side,
    distance,
    free_cells,
)
from games.quidditch.rules.pitch import WIDTH

# As close to the balls as allowed; the seeker keeps away from the bludgers.
_LEFT: Formation = {
    Position.SEEKER: Cell(7, 1),
    Position.KEEPER: Cell(3, 6),
    Position.CHASER1: Cell(6, 6),
    Position.CHASER2: Cell(7, 4),
    Position.CHASER3: Cell(7, 8),
    Position.BEATER1: Cell(6, 5),
    Position.BEATER2: Cell(6, 7),
}


def line_up(side: Side) -> Formation:
    if side is Side.LEFT:
        return _LEFT
    return {position: Cell(WIDTH - 1 - cell.x, cell.y) for position, cell in _LEFT.items()}


def come_back(outlook: Outlook) -> Request:
    """Return as close as possible to where the player is needed."""
    snapshot = outlook.snapshot
    cells = [
        cell
        for cell in free_cells(snapshot, START_CELLS[outlook.side])
        if cell not in snapshot.cubes
    ]
    goal = _destination(outlook)
    cell, _ = outlook.best(cells, lambda cell: -distance(cell, goal))
    return Request(DeltaType.UNBAN, new=cell, active=outlook.entity)


def _destination(outlook: Outlook) -> Cell:
    snapshot = outlook.snapshot
    match outlook.entity.role:
        case Role.SEEKER:
            return snapshot.snitch or MIDDLE
        case Role.KEEPER:
            return post(outlook.entity)
        case Role.CHASER:
            return snapshot.quaffle
        case Role.BEATER:
            return snapshot.bludgers[0]
