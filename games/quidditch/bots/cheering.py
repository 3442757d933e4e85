"""Fans: each can act until it is caught, so it waits for a moment that is worth it."""

from collections.abc import Callable, Mapping

from games.quidditch.bots.outlook import Outlook
from games.quidditch.bots.possession import threat
from games.quidditch.rules import (
    GOALS,
    NEIGHBOURS,
    BanReason,
    Cell,
    FanKind,
    Player,
    Request,
    Role,
    distance,
    free_cells,
)
from games.quidditch.rules.fans import DEEDS
from games.quidditch.rules.snitch import CATCH_POINTS

# What a fan of each kind could still do later if it is not caught now.
PATIENCE: Mapping[FanKind, float] = {
    FanKind.ELF: 5.0,
    FanKind.GOBLIN: 4.0,
    FanKind.TROLL: 4.0,
    FanKind.NIFFLER: 3.0,
    FanKind.WOMBAT: 1.5,
}

RIVAL_NEAR = 2  # cells from the snitch
RIVAL = 8.0
OPEN_GOAL = 2.0
BARRED = 1.0


def act(outlook: Outlook) -> Request:
    kind = outlook.entity.kind
    request, worth = _DEEDS[kind](outlook)
    detection = outlook.config.fan_foul_detection[BanReason(DEEDS[kind])]
    return request if worth > detection * PATIENCE[kind] else outlook.skip()


Plan = tuple[Request, float]


def _elf(outlook: Outlook) -> Plan:
    return _at_foe(outlook, FanKind.ELF, lambda foe: _trouble(outlook, foe))


def _goblin(outlook: Outlook) -> Plan:
    return _at_foe(outlook, FanKind.GOBLIN, lambda foe: 0.5 * _trouble(outlook, foe))


def _at_foe(outlook: Outlook, kind: FanKind, worth: Callable[[Player], float]) -> Plan:
    if not outlook.foes:
        return outlook.skip(), 0.0
    foe, value = outlook.best(outlook.foes, worth)
    return Request(DEEDS[kind], passive=foe.entity), value


def _trouble(outlook: Outlook, foe: Player) -> float:
    """What it is worth to have an opponent somewhere else, without the quaffle."""
    if foe is outlook.foe_with_quaffle:
        return 0.5 * threat(outlook)
    if foe.entity.role is Role.SEEKER:
        return _rivalry(outlook, foe)
    return OPEN_GOAL if foe.cell in GOALS[outlook.side.opponent] else 0.0


def _rivalry(outlook: Outlook, foe: Player) -> float:
    """How much of a nuisance the other seeker is."""
    snitch = outlook.snapshot.snitch
    if snitch is None or outlook.lead > CATCH_POINTS:
        return 0.0
    near = distance(foe.cell, snitch)
    return RIVAL / (1 + near) if near <= RIVAL_NEAR else 0.0


def _troll(outlook: Outlook) -> Plan:
    return Request(DEEDS[FanKind.TROLL]), 0.5 * threat(outlook)


def _niffler(outlook: Outlook) -> Plan:
    snitch, worth = outlook.snapshot.snitch, 0.0
    if snitch is not None and outlook.snapshot.round <= outlook.config.max_rounds:
        ours, theirs = (
            distance(outlook.seeker(side).cell, snitch)
            for side in (outlook.side, outlook.side.opponent)
        )
        worth = 4.0 if theirs <= 1 < ours else 0.0
    return Request(DEEDS[FanKind.NIFFLER]), worth


def _wombat(outlook: Outlook) -> Plan:
    """Block the other seeker, or whoever is nearest to the quaffle."""
    snitch, quaffle = outlook.snapshot.snitch, outlook.snapshot.quaffle
    rival = outlook.seeker(outlook.side.opponent)
    if snitch is not None and not rival.banned and distance(rival.cell, snitch) > 1:
        return _bar(outlook, rival.cell, snitch)
    handlers = [foe for foe in outlook.foes if foe.entity.handles_quaffle]
    near = min(handlers, key=lambda foe: distance(foe.cell, quaffle), default=None)
    if near is None or outlook.snapshot.holder is not None:
        return outlook.skip(), 0.0
    return _bar(outlook, near.cell, quaffle)


def _bar(outlook: Outlook, start: Cell, goal: Cell) -> Plan:
    cells = [
        cell
        for cell in free_cells(outlook.snapshot, NEIGHBOURS[start])
        if distance(cell, goal) < distance(start, goal) and cell not in outlook.snapshot.cubes
    ]
    if not cells:
        return outlook.skip(), 0.0
    straight = min(cells, key=lambda cell: (cell.x - goal.x) ** 2 + (cell.y - goal.y) ** 2)
    return Request(DEEDS[FanKind.WOMBAT], new=straight), BARRED


_DEEDS: Mapping[FanKind, Callable[[Outlook], Plan]] = {
    FanKind.ELF: _elf,
    FanKind.GOBLIN: _goblin,
    FanKind.TROLL: _troll,
    FanKind.NIFFLER: _niffler,
    FanKind.WOMBAT: _wombat,
}
