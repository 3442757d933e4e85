"""What a delta changes: the only way from one snapshot to the next.

The deltas of the protocol do not carry everything, so a few things follow from where a change
happens: who holds the quaffle from now on, what is carried along, which fan of a kind is meant.
"""

from collections.abc import Callable, Mapping
from typing import Any

import attrs

from games.quidditch.rules.deltas import Delta, DeltaType, Phase
from games.quidditch.rules.entities import BLUDGERS, Entity, Role
from games.quidditch.rules.pitch import ALL_GOALS, Cell
from games.quidditch.rules.snapshot import Fan, Player, Snapshot

Changes = dict[str, Any]


def apply_delta(snapshot: Snapshot, delta: Delta, *, carries_bludgers: bool = True) -> Snapshot:
    """Return the snapshot after a delta; one that lacks what its type needs changes nothing."""
    changes = EFFECTS[delta.type](snapshot, delta)
    if not carries_bludgers and "players" in changes and delta.type is DeltaType.MOVE:
        changes.pop("bludgers", None)
    return attrs.evolve(snapshot, delta=delta, **changes)


def displace(snapshot: Snapshot, entity: Entity, cell: Cell) -> Snapshot:
    """Show a player on another cell, with the quaffle if it is in his hands."""
    changes = _change(snapshot, entity, cell=cell)
    if snapshot.holder is entity:
        changes["quaffle"] = cell
    return attrs.evolve(snapshot, **changes)


def _change(snapshot: Snapshot, entity: Entity | None, **changes: Any) -> Changes:
    if entity is None or not entity.is_player:
        return {}
    players = list(snapshot.players)
    players[entity.number] = attrs.evolve(players[entity.number], **changes)
    return {"players": tuple(players)}


def _move(snapshot: Snapshot, delta: Delta) -> Changes:
    entity, new = delta.active, delta.new
    if entity is None or new is None:
        return {}
    if entity is Entity.SNITCH:
        return {"snitch": new}
    if entity is Entity.QUAFFLE:
        return {"quaffle": new, "holder": _catcher(snapshot, new)}
    if entity in BLUDGERS:
        return _put_bludger(snapshot, entity, new)
    if entity.is_player and snapshot.player(entity).cell != new:
        return _fly(snapshot, snapshot.player(entity), new)
    return {}


def _fly(snapshot: Snapshot, player: Player, new: Cell) -> Changes:
    """Move a player with everything he carries.

    A player who leaves a cell on which another one stands was pushed, and takes no bludger along.
    """
    entity = player.entity
    changes = _change(snapshot, entity, cell=new)
    pushed = any(
        other.cell == player.cell and not other.banned
        for other in snapshot.players
        if other is not player
    )
    if entity.role is Role.BEATER and not pushed:
        changes["bludgers"] = tuple(
            new if bludger == player.cell else bludger for bludger in snapshot.bludgers
        )
    if snapshot.holder is entity:
        changes["quaffle"] = new
    elif snapshot.quaffle == new and not _is_opponents(snapshot.holder, entity):
        changes["holder"] = entity if entity.handles_quaffle else None
    return changes


def _is_opponents(holder: Entity | None, entity: Entity) -> bool:
    return holder is not None and holder.side is not entity.side


def _catcher(snapshot: Snapshot, cell: Cell) -> Entity | None:
    player = snapshot.at(cell)
    return player.entity if player is not None and player.entity.handles_quaffle else None


def _put_bludger(snapshot: Snapshot, bludger: Entity | None, cell: Cell | None) -> Changes:
    if bludger not in BLUDGERS or cell is None:
        return {}
    first, second = snapshot.bludgers
    return {"bludgers": (cell, second) if bludger is Entity.BLUDGER1 else (first, cell)}


def _bludger_beating(snapshot: Snapshot, delta: Delta) -> Changes:
    return _put_bludger(snapshot, delta.passive, delta.new)


def _bludger_knockout(snapshot: Snapshot, delta: Delta) -> Changes:
    if not delta.success:
        return {}
    return _put_bludger(snapshot, delta.active, delta.new) | _change(
        snapshot, delta.passive, knockout=True
    )


def _quaffle_throw(snapshot: Snapshot, delta: Delta) -> Changes:
    """A player who cannot hold the quaffle where it lands fools it away with the next delta."""
    if delta.new is None:
        return {}
    catcher = delta.passive
    holds = (
        catcher is not None
        and catcher.handles_quaffle
        and not snapshot.player(catcher).knockout
        and delta.new not in ALL_GOALS
    )
    return {"quaffle": delta.new, "holder": catcher if holds else None}


def _wrest_quaffle(snapshot: Snapshot, delta: Delta) -> Changes:
    if not delta.success or delta.new is None:
        return {}
    return {"quaffle": delta.new, "holder": delta.active}


def _lose_quaffle(snapshot: Snapshot, delta: Delta) -> Changes:
    return {} if delta.new is None else {"quaffle": delta.new, "holder": None}


def _snitch_snatch(snapshot: Snapshot, delta: Delta) -> Changes:
    return {} if delta.new is None else {"snitch": delta.new}


def _elf_teleportation(snapshot: Snapshot, delta: Delta) -> Changes:
    changes = _goblin_shock(snapshot, delta)
    if changes and snapshot.holder is delta.passive:
        changes["holder"] = None
    return changes


def _goblin_shock(snapshot: Snapshot, delta: Delta) -> Changes:
    return {} if delta.new is None else _change(snapshot, delta.passive, cell=delta.new)


def _ban(snapshot: Snapshot, delta: Delta) -> Changes:
    if delta.passive is not None and delta.passive.is_fan:
        number = _acting_fan(snapshot, delta.passive)
        return _change_fan(snapshot, number, banned=True) | {"banned_fan": number}
    changes = _change(snapshot, delta.passive, banned=True)
    if changes and snapshot.holder is delta.passive:
        changes["holder"] = None
    return changes


def _unban(snapshot: Snapshot, delta: Delta) -> Changes:
    if delta.new is None:
        return {}
    return _change(snapshot, delta.active, cell=delta.new, banned=False)


def _turn_used(snapshot: Snapshot, delta: Delta) -> Changes:
    """A knocked-out player has missed his turn and is himself again."""
    if delta.active is not None and delta.active.is_fan:
        number = _acting_fan(snapshot, delta.active)
        return _change_fan(snapshot, number, turn_used=True) | {"banned_fan": None}
    return _change(snapshot, delta.active, turn_used=True, knockout=False)


def _acting_fan(snapshot: Snapshot, entity: Entity) -> int | None:
    """Return which fan of a kind acts: one whose turn is not over, not banned before it acted.

    A fan that was banned for its act looks like those banned in earlier rounds; in a snapshot from
    elsewhere nobody can tell which of them it is, so it is the first.
    """
    last, known = snapshot.delta, snapshot.banned_fan
    just_banned = last.type is DeltaType.BAN and last.passive is entity
    if just_banned and known is not None and snapshot.fans[known].entity is entity:
        return known
    for number, fan in enumerate(snapshot.fans):
        if fan.entity is entity and not fan.turn_used and fan.banned is just_banned:
            return number
    return None


def _change_fan(snapshot: Snapshot, number: int | None, **changes: Any) -> Changes:
    if number is None:
        return {}
    fans = list(snapshot.fans)
    fans[number] = attrs.evolve(fans[number], **changes)
    return {"fans": tuple(fans)}


def _points(snapshot: Snapshot, delta: Delta) -> Changes:
    if delta.left_points is None or delta.right_points is None:
        return {}
    return {"left_points": delta.left_points, "right_points": delta.right_points}


def _goal_points_change(snapshot: Snapshot, delta: Delta) -> Changes:
    return {**_points(snapshot, delta), "goal_was_thrown_this_round": True}


def _phase_change(snapshot: Snapshot, delta: Delta) -> Changes:
    return {} if delta.phase is None else {"phase": delta.phase}


def _round_change(snapshot: Snapshot, delta: Delta) -> Changes:
    return {
        "phase": Phase.BALL,
        "round": snapshot.round if delta.round is None else delta.round,
        "players": tuple(
            _refreshed(player, unban=snapshot.goal_was_thrown_this_round)
            for player in snapshot.players
        ),
        "fans": tuple(map(_refreshed_fan, snapshot.fans)),
        "goal_was_thrown_this_round": False,
    }


def _refreshed(player: Player, *, unban: bool) -> Player:
    if player.turn_used or (unban and player.banned):
        return attrs.evolve(player, turn_used=False, banned=player.banned and not unban)
    return player


def _refreshed_fan(fan: Fan) -> Fan:
    return attrs.evolve(fan, turn_used=False) if fan.turn_used else fan


def _nothing(snapshot: Snapshot, delta: Delta) -> Changes:
    return {}


def _wombat_poo(snapshot: Snapshot, delta: Delta) -> Changes:
    return {} if delta.new is None else {"cubes": (*snapshot.cubes, delta.new)}


def _remove_poo(snapshot: Snapshot, delta: Delta) -> Changes:
    if delta.old is None:
        return {"cubes": ()}
    return {"cubes": tuple(cube for cube in snapshot.cubes if cube != delta.old)}


EFFECTS: Mapping[DeltaType, Callable[[Snapshot, Delta], Changes]] = {
    DeltaType.SNITCH_CATCH: _points,
    DeltaType.BLUDGER_BEATING: _bludger_beating,
    DeltaType.QUAFFLE_THROW: _quaffle_throw,
    DeltaType.SNITCH_SNATCH: _snitch_snatch,
    DeltaType.TROLL_ROAR: _lose_quaffle,
    DeltaType.ELF_TELEPORTATION: _elf_teleportation,
    DeltaType.GOBLIN_SHOCK: _goblin_shock,
    DeltaType.BAN: _ban,
    DeltaType.BLUDGER_KNOCKOUT: _bludger_knockout,
    DeltaType.MOVE: _move,
    DeltaType.WREST_QUAFFLE: _wrest_quaffle,
    DeltaType.FOOL_AWAY: _lose_quaffle,
    DeltaType.PHASE_CHANGE: _phase_change,
    DeltaType.GOAL_POINTS_CHANGE: _goal_points_change,
    DeltaType.ROUND_CHANGE: _round_change,
    DeltaType.SKIP: _nothing,
    DeltaType.UNBAN: _unban,
    DeltaType.TURN_USED: _turn_used,
    DeltaType.WOMBAT_POO: _wombat_poo,
    DeltaType.REMOVE_POO: _remove_poo,
}
