"""What it is worth to have the quaffle, or to have it lie somewhere."""

from games.quidditch.bots.outlook import GOAL, Outlook
from games.quidditch.rules import Cell, Player, Role, Side, distance

KEEPER = 2.5  # a keeper in his zone is safe, but cannot score
LATER = 0.6  # of what can only happen in the next round, and may be prevented before
WAITING = 1.5  # cells that a player is behind who cannot move in this round any more


def held(outlook: Outlook, player: Player, cell: Cell) -> float:
    """What it is worth to his own side that the holder has the quaffle on a cell."""
    if player.entity.role is Role.KEEPER:
        return KEEPER
    chance = outlook.prospect(player.entity.side, cell)
    if player.turn_used or player.knockout:
        return LATER * GOAL * chance
    # He gets one cell closer before he throws.
    return GOAL * min(1.0, chance / max(outlook.config.throw_success, 0.5))


def threat(outlook: Outlook) -> float:
    """What it is worth to take the quaffle from the opponent who has it."""
    holder = outlook.foe_with_quaffle
    return 0.0 if holder is None else 2.0 + held(outlook, holder, holder.cell)


def loose(outlook: Outlook, cell: Cell) -> float:
    """What it is worth to the own side that the quaffle lies on a cell."""
    ours = _way(outlook, outlook.side, cell)
    theirs = _way(outlook, outlook.side.opponent, cell)
    chance = min(0.95, max(0.05, 0.5 + 0.2 * (theirs - ours)))
    won = 2.0 + outlook.shot(outlook.side, cell).chance * GOAL * LATER
    lost = 2.0 + outlook.shot(outlook.side.opponent, cell).chance * GOAL * LATER
    return chance * won - (1 - chance) * lost


def _way(outlook: Outlook, side: Side, cell: Cell) -> float:
    """How far the quaffle is from the players of a side who can take it."""
    ways = [
        distance(player.cell, cell) + WAITING * (player.turn_used or player.knockout)
        for player in outlook.snapshot.team(side)
        if player.entity.handles_quaffle and not player.banned
    ]
    return min(ways, default=20.0)
