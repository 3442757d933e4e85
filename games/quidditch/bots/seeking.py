"""Seekers: hunt the snitch if catching it wins the match."""

from games.quidditch.bots.outlook import Outlook
from games.quidditch.bots.places import general
from games.quidditch.rules import MIDDLE, Cell, Request, distance

CAUGHT = 60.0  # what winning at once is worth
PULL = 2.0  # how much a seeker wants to get one cell closer to the snitch
ASIDE = 0.3
IDLE_PULL = 0.3
KEEP_OFF = 6.0  # the cost of catching a snitch that would lose the match, if avoidable


def move(outlook: Outlook) -> Request:
    return outlook.move(lambda cell: general(outlook, cell) + _worth(outlook, cell))


def _worth(outlook: Outlook, cell: Cell) -> float:
    snitch = outlook.snapshot.snitch
    if snitch is None:
        return -IDLE_PULL * max(0, distance(cell, MIDDLE) - 2)
    if not outlook.wants_snitch:
        return _avoidance(outlook, cell, snitch)
    if cell != snitch:
        # When he is in line with it, it has fewer ways to evade.
        aside = min(abs(cell.x - snitch.x), abs(cell.y - snitch.y))
        return -PULL * distance(cell, snitch) - ASIDE * aside
    if cell == outlook.cell:
        return 0.0  # if he stays he does not try again, but it moves off by one cell at most
    return CAUGHT * catch_chance(outlook)


def _avoidance(outlook: Outlook, cell: Cell, snitch: Cell) -> float:
    return -KEEP_OFF * CAUGHT * (cell == snitch) - IDLE_PULL * distance(cell, snitch)


def catch_chance(outlook: Outlook) -> float:
    config = outlook.config
    return 1.0 if outlook.snapshot.round > config.max_rounds else config.catch_snitch
