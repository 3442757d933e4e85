"""What a request must satisfy, for each kind of turn."""

from collections.abc import Callable, Mapping

from games.quidditch.rules.bludgers import REACH
from games.quidditch.rules.deltas import DeltaType, Request
from games.quidditch.rules.entities import BLUDGERS, Entity, FanKind, Role
from games.quidditch.rules.fans import DEEDS
from games.quidditch.rules.mistakes import Mistake
from games.quidditch.rules.pitch import ALL_GOALS, HALVES, ON_PITCH, Cell, crossed, distance
from games.quidditch.rules.places import is_free
from games.quidditch.rules.snapshot import Snapshot
from games.quidditch.rules.state import TurnType
from games.quidditch.rules.wresting import can_wrest

Check = Callable[[Snapshot, Entity, Request], Mistake | None]


def _no_cell(cell: Cell | None) -> Mistake:
    return Mistake.NO_CELL if cell is None else Mistake.OFF_PITCH


def check_move(snapshot: Snapshot, entity: Entity, request: Request) -> Mistake | None:
    cell = request.new
    if request.type is not DeltaType.MOVE:
        return Mistake.MOVE_EXPECTED
    if cell is None or cell not in ON_PITCH:
        return _no_cell(cell)
    if distance(snapshot.player(entity).cell, cell) > 1:
        return Mistake.TOO_FAR
    return Mistake.CUBE_IN_THE_WAY if cell in snapshot.cubes else None


def check_action(snapshot: Snapshot, entity: Entity, request: Request) -> Mistake | None:
    match request.type:
        case DeltaType.QUAFFLE_THROW:
            return _check_throw(snapshot, entity, request.new)
        case DeltaType.WREST_QUAFFLE:
            return None if can_wrest(snapshot, entity) else Mistake.CANNOT_WREST
        case DeltaType.BLUDGER_BEATING:
            return _check_beating(snapshot, entity, request.passive, request.new)
    return Mistake.ACTION_EXPECTED


def _check_throw(snapshot: Snapshot, entity: Entity, cell: Cell | None) -> Mistake | None:
    if snapshot.holder is not entity:
        return Mistake.NO_QUAFFLE
    if cell is None or cell not in ON_PITCH:
        return _no_cell(cell)
    return Mistake.OWN_CELL if cell == snapshot.quaffle else None


def _check_beating(
    snapshot: Snapshot, entity: Entity, bludger: Entity | None, cell: Cell | None
) -> Mistake | None:
    start = snapshot.player(entity).cell
    if entity.role is not Role.BEATER or bludger is None or bludger not in BLUDGERS:
        return Mistake.NO_BLUDGER
    if snapshot.bludgers[BLUDGERS.index(bludger)] != start:
        return Mistake.NO_BLUDGER
    if cell is None or cell not in ON_PITCH:
        return _no_cell(cell)
    if distance(start, cell) > REACH:
        return Mistake.OUT_OF_REACH
    blocked = any(snapshot.at(between) is not None for between in crossed(start, cell))
    return Mistake.PLAYER_IN_THE_WAY if blocked else None


def check_fan(snapshot: Snapshot, entity: Entity, request: Request) -> Mistake | None:
    if request.type is not DEEDS[entity.kind]:
        return Mistake.WRONG_DEED
    match entity.kind:
        case FanKind.ELF:
            return _check_target(snapshot, request.passive)
        case FanKind.GOBLIN:
            target = request.passive
            if target is not None and target.is_player and target.side is entity.side:
                return Mistake.OWN_TEAM
            return _check_target(snapshot, target)
        case FanKind.WOMBAT:
            return _check_cube(snapshot, request.new)
    return None


def _check_target(snapshot: Snapshot, target: Entity | None) -> Mistake | None:
    if target is None or not target.is_player:
        return Mistake.NO_TARGET
    return Mistake.TARGET_BANNED if snapshot.player(target).banned else None


def _check_cube(snapshot: Snapshot, cell: Cell | None) -> Mistake | None:
    if cell is None or cell not in ON_PITCH:
        return _no_cell(cell)
    if not is_free(snapshot, cell):
        return Mistake.CELL_TAKEN
    return Mistake.CUBE_IN_THE_WAY if cell in snapshot.cubes else None


def check_return(snapshot: Snapshot, entity: Entity, request: Request) -> Mistake | None:
    cell = request.new
    if request.type is not DeltaType.UNBAN:
        return Mistake.UNBAN_EXPECTED
    if cell is None or cell not in ON_PITCH:
        return _no_cell(cell)
    if cell not in HALVES[entity.side]:
        return Mistake.NOT_OWN_HALF
    return Mistake.GOAL_CELL if cell in ALL_GOALS else _check_cube(snapshot, cell)


CHECKS: Mapping[TurnType, Check] = {
    TurnType.MOVE: check_move,
    TurnType.ACTION: check_action,
    TurnType.FAN: check_fan,
    TurnType.REMOVE_BAN: check_return,
}
