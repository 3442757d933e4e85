"""Chasers: get the quaffle, throw it at goals and to each other."""

from games.quidditch.bots.outlook import GOAL, Outlook
from games.quidditch.bots.places import general
from games.quidditch.bots.possession import LATER, held, loose, threat
from games.quidditch.rules import (
    GOALS,
    KEEPER_ZONES,
    Cell,
    DeltaType,
    Player,
    Request,
    Role,
    can_act,
    distance,
)

FETCHERS = 2  # chasers who go for the quaffle; the others look for a good place
PULL = 1.2  # how much a fetcher wants to get one cell closer
TAKEN = 3.0  # what having the quaffle is worth, apart from the goals that come of it
PLACE = 4.0  # what a place from which every throw is a goal is worth without the quaffle
CROWD = 0.8
OWN_GOAL = 12.0
KEPT = 0.75  # how likely a chaser still has the quaffle in the next round


def move(outlook: Outlook) -> Request:
    if outlook.snapshot.holder is outlook.entity:
        return outlook.move(lambda cell: _with_quaffle(outlook, cell))
    available = outlook.snapshot.holder is None or outlook.foe_with_quaffle is not None
    if available and _fetches(outlook):
        return outlook.move(lambda cell: _towards_quaffle(outlook, cell))
    return outlook.move(lambda cell: general(outlook, cell) + _place(outlook, cell))


def _with_quaffle(outlook: Outlook, cell: Cell) -> float:
    if cell in GOALS[outlook.side.opponent]:
        return outlook.goal_worth - outlook.foul_cost(cell, scores=True)
    if cell in GOALS[outlook.side]:
        saved = GOAL * 5 if outlook.doomed(outlook.side) else 0.0
        return saved - OWN_GOAL - outlook.foul_cost(cell, scores=True)
    near = min(distance(cell, goal) for goal in GOALS[outlook.side.opponent])
    chance = outlook.prospect(outlook.side, cell)
    return general(outlook, cell) + abs(outlook.goal_worth) * chance - 0.3 * near


def _fetches(outlook: Outlook) -> bool:
    quaffle = outlook.snapshot.quaffle
    mine = distance(outlook.cell, quaffle)
    nearer = sum(
        distance(mate.cell, quaffle) < mine
        for mate in outlook.mates
        if mate.entity.role is Role.CHASER and not mate.knockout
    )
    return nearer < FETCHERS


def _towards_quaffle(outlook: Outlook, cell: Cell) -> float:
    quaffle, worth = outlook.snapshot.quaffle, general(outlook, cell)
    way = distance(cell, quaffle)
    if outlook.snapshot.holder is None:
        if way == 0:  # he may throw at once
            return worth + TAKEN + outlook.shot(outlook.side, cell).chance * GOAL
    elif way == 1 and _can_be_wrested(outlook):
        worth += outlook.config.wrest_quaffle * (threat(outlook) + TAKEN)
    return worth - PULL * way


def _can_be_wrested(outlook: Outlook) -> bool:
    holder = outlook.foe_with_quaffle
    if holder is None:
        return False
    side = holder.entity.side
    return holder.entity.role is Role.CHASER or holder.cell not in KEEPER_ZONES[side]


def _place(outlook: Outlook, cell: Cell) -> float:
    """What a place is worth to throw at goals from, away from other chasers."""
    crowd = sum(
        distance(mate.cell, cell) <= 2 for mate in outlook.mates if mate.entity.role is Role.CHASER
    )
    near = min(distance(cell, goal) for goal in GOALS[outlook.side.opponent])
    return PLACE * outlook.shot(outlook.side, cell).chance - CROWD * crowd - 0.4 * near


def act(outlook: Outlook) -> Request:
    """Wrest, or throw at the goal or to a player who can do more with the quaffle, or keep it."""
    if not can_act(outlook.snapshot, outlook.entity):
        return outlook.skip()
    if outlook.snapshot.holder is not outlook.entity:
        return Request(DeltaType.WREST_QUAFFLE, active=outlook.entity)
    shot = outlook.shot(outlook.side, outlook.cell)
    receivers = [mate for mate in outlook.mates if mate.entity.handles_quaffle]
    options = [(_pass(outlook, mate), mate.cell) for mate in receivers if not mate.knockout]
    if shot.goal is not None and outlook.entity.role is Role.CHASER:
        missed = (1 - shot.chance) * loose(outlook, shot.goal)
        options.append((shot.chance * outlook.goal_worth + missed, shot.goal))
    worth, target = max(options, default=(0.0, outlook.cell))
    if worth <= _kept(outlook):
        return outlook.skip()
    return Request(DeltaType.QUAFFLE_THROW, new=target, active=outlook.entity)


def _pass(outlook: Outlook, mate: Player) -> float:
    chance = outlook.flight(outlook.side, outlook.cell, mate.cell)
    return chance * held(outlook, mate, mate.cell) + (1 - chance) * loose(outlook, mate.cell)


def _kept(outlook: Outlook) -> float:
    me = outlook.snapshot.player(outlook.entity)
    if me.entity.role is Role.KEEPER:
        return held(outlook, me, me.cell)
    return KEPT * held(outlook, me, me.cell) * LATER
