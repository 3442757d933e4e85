"""The best guard of a goal is a player sitting in it, though that is a foul."""

from games.quidditch.bots.outlook import Outlook
from games.quidditch.rules import GOALS, Cell, Entity, Position, Side, distance

GUARDED = 3.0  # what a closed goal is worth
NEAR = 0.3  # what getting one cell closer to it is worth

_GOALS = {side: sorted(GOALS[side], key=lambda goal: goal.y) for side in Side}
_POSTS = {Position.BEATER1: 0, Position.KEEPER: 1, Position.BEATER2: 2}


def post(entity: Entity) -> Cell:
    """The goal that a player guards."""
    return _GOALS[entity.side][_POSTS[entity.position]]


def guard(outlook: Outlook, cell: Cell) -> float:
    """What a cell is worth to a player who guards a goal."""
    goal = post(outlook.entity)
    return (GUARDED if cell == goal else 0.0) - NEAR * distance(cell, goal)
