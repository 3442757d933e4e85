"""Seekers: hunt the snitch, if to catch it wins the match."""

from games.quidditch.bots.outlook import Outlook
from games.quidditch.bots.places import general
from games.quidditch.rules import MIDDLE, Cell, Request, distance

CAUGHT = 60.0  # what it is worth to win at once
PULL = 2.0  # how much a seeker wants to come one cell nearer to the snitch
ASIDE = 0.3
IDLE_PULL = 0.3
KEEP_OFF = 6.0  # what it costs to catch a snitch that would lose the match, if it can be avoided


def move(outlook: Outlook) -> Request:
    return outlook.move(lambda cell: general(outlook, cell) + _worth(outlook, cell))


def _worth(outlook: Outlook, cell: Cell) -> float:
    snitch = outlook.snapshot.snitch
    if snitch is None:
        return -IDLE_PULL * max(0, distance(cell, MIDDLE) - 2)
    if not outlook.wants_snitch:
        return _avoidance(outlook, cell, snitch)
    if cell != snitch:
        # In line with it he leaves it fewer ways to evade.
        aside = min(abs(cell.x - snitch.x), abs(cell.y - snitch.y))
        return -PULL * distance(cell, snitch) - ASIDE * aside
    if cell == outlook.cell:
        return 0.0  # whoever stays does not try again, but it cannot get farther away than one cell
    return CAUGHT * catch_chance(outlook)


def _avoidance(outlook: Outlook, cell: Cell, snitch: Cell) -> float:
    return -KEEP_OFF * CAUGHT * (cell == snitch) - IDLE_PULL * distance(cell, snitch)


def catch_chance(outlook: Outlook) -> float:
    config = outlook.config
    return 1.0 if outlook.snapshot.round > config.max_rounds else config.catch_snitch
