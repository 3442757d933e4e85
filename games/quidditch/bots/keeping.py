"""Keepers: guard the goals, take the quaffle and give it to the chasers."""

from games.quidditch.bots.guarding import guard
from games.quidditch.bots.outlook import Outlook
from games.quidditch.bots.places import general
from games.quidditch.rules import KEEPER_ZONES, Cell, Request, distance

REACH = 3  # how far a keeper goes for a loose quaffle
TAKEN = 6.0
AWAY = 1.0  # per cell outside of the zone


def move(outlook: Outlook) -> Request:
    return outlook.move(lambda cell: _worth(outlook, cell))


def _worth(outlook: Outlook, cell: Cell) -> float:
    snapshot, zone = outlook.snapshot, KEEPER_ZONES[outlook.side]
    worth = general(outlook, cell)
    if cell not in zone:
        worth -= AWAY * min(distance(cell, other) for other in zone)
    if snapshot.holder is outlook.entity:
        # On a goal it would be taken from him.
        return worth - (TAKEN if guard(outlook, cell) > 0 else 0.0)
    way = distance(outlook.cell, snapshot.quaffle)
    if snapshot.holder is None and way <= REACH and snapshot.quaffle in zone:
        return worth + TAKEN - 2.0 * distance(cell, snapshot.quaffle)
    return worth + guard(outlook, cell)
