"""Beaters: get the bludgers and beat them at the opponents who matter most."""

from collections.abc import Iterator

from games.quidditch.bots.guarding import guard
from games.quidditch.bots.outlook import Outlook
from games.quidditch.bots.places import general
from games.quidditch.bots.possession import threat
from games.quidditch.rules import (
    BLUDGERS,
    Cell,
    DeltaType,
    Entity,
    Player,
    Request,
    Role,
    crossed,
    distance,
)
from games.quidditch.rules.bludgers import REACH

PULL = 0.6  # how much a beater wants to get one cell closer to a bludger
ARMED = 1.0

CHASER, KEEPER = 1.5, 1.0
SEEKER, SEEKER_NEAR_SNITCH = 2.0, 7.0
NEAR_SNITCH = 3
NOT_YET_MOVED = 1.3
ASLEEP = 0.2


def _importance(outlook: Outlook, player: Player) -> float:
    """What knocking out an opponent is worth."""
    if player.knockout:
        return ASLEEP
    match player.entity.role:
        case Role.SEEKER:
            worth = _seeker_importance(player.cell, outlook.snapshot.snitch)
        case Role.KEEPER:
            worth = KEEPER
        case _:
            worth = CHASER
    if not player.turn_used:
        worth *= NOT_YET_MOVED
    if player is outlook.foe_with_quaffle:
        worth += threat(outlook)
    return worth


def _seeker_importance(cell: Cell, snitch: Cell | None) -> float:
    if snitch is None:
        return ASLEEP
    return SEEKER_NEAR_SNITCH if distance(cell, snitch) <= NEAR_SNITCH else SEEKER


def move(outlook: Outlook) -> Request:
    bludgers = [cell for cell in outlook.snapshot.bludgers if not _taken(outlook, cell)]
    carries = outlook.config.carries_bludgers and outlook.cell in outlook.snapshot.bludgers

    def worth(cell: Cell) -> float:
        value = general(outlook, cell) + guard(outlook, cell)
        if cell in outlook.snapshot.bludgers or carries:
            return value + ARMED + max(0.0, _best_target(outlook, cell)[0])
        return value - PULL * min((distance(cell, each) for each in bludgers), default=0)

    return outlook.move(worth)


def _taken(outlook: Outlook, bludger: Cell) -> bool:
    """Whether the other beater of the team has a bludger already."""
    return any(mate.cell == bludger and mate.entity.role is Role.BEATER for mate in outlook.mates)


def act(outlook: Outlook) -> Request:
    worth, target = _best_target(outlook, outlook.cell)
    if target is None or worth <= 0 or outlook.cell not in outlook.snapshot.bludgers:
        return outlook.skip()
    return Request(DeltaType.BLUDGER_BEATING, target, outlook.entity, _bludger(outlook))


def _bludger(outlook: Outlook) -> Entity:
    return BLUDGERS[outlook.snapshot.bludgers.index(outlook.cell)]


def _best_target(outlook: Outlook, start: Cell) -> tuple[float, Cell | None]:
    targets = [(_hit(outlook, cell), cell) for cell in _targets(outlook, start)]
    return max(targets, default=(0.0, None))


def _targets(outlook: Outlook, start: Cell) -> Iterator[Cell]:
    """Where opponents are in reach of a beat from a cell, with nobody in between."""
    for player in outlook.foes:
        cell = player.cell
        if 1 <= distance(cell, start) <= REACH and player.entity.role is not Role.BEATER:
            between = crossed(start, cell)
            if all(each not in outlook.there or each == outlook.cell for each in between):
                yield cell


def _hit(outlook: Outlook, cell: Cell) -> float:
    return outlook.config.knock_out * _importance(outlook, outlook.there[cell])
