"""What is good or bad about a cell for a player who moves there, whatever his role."""

from games.quidditch.bots.outlook import Outlook
from games.quidditch.bots.possession import threat
from games.quidditch.rules import GOALS, Cell, Role, distance

PUSHED_MATE = 2.0
BLUDGER_NEAR = 2.0  # if it hits
TACKLED = 0.8  # of the threat is gone when the quaffle is knocked out of somebody's hands


def general(outlook: Outlook, cell: Cell) -> float:
    """What a move to a cell is worth to any player: fouls, collisions, bludgers."""
    if cell == outlook.cell:
        return -danger(outlook, cell)
    worth = -outlook.foul_cost(cell) - danger(outlook, cell)
    other = outlook.there.get(cell)
    if other is None:
        return worth
    if other.entity.side is outlook.side:
        return worth - PUSHED_MATE
    if other is outlook.foe_with_quaffle:
        worth += TACKLED * threat(outlook)
    elif cell in GOALS[outlook.side.opponent]:
        worth += 1.5  # a goal is open again
    return worth


def danger(outlook: Outlook, cell: Cell) -> float:
    """What a bludger may do here; on its own cell it does nothing."""
    if outlook.entity.role is Role.BEATER:
        return 0.0
    near = sum(distance(cell, bludger) == 1 for bludger in outlook.snapshot.bludgers)
    return near * BLUDGER_NEAR * outlook.config.knock_out
