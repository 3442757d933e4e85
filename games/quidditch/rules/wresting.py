"""Wresting the quaffle from an adjacent opponent."""

from games.quidditch.rules.deltas import Delta, DeltaType
from games.quidditch.rules.draft import Draft
from games.quidditch.rules.entities import Entity, Role
from games.quidditch.rules.pitch import KEEPER_ZONES, distance
from games.quidditch.rules.quaffle import clear_goals
from games.quidditch.rules.snapshot import Snapshot


def can_wrest(snapshot: Snapshot, entity: Entity) -> bool:
    """Return whether a chaser is next to an opponent with the quaffle who is not safe from him.

    A keeper is safe in his own zone.
    """
    holder = snapshot.holder
    if entity.role is not Role.CHASER or holder is None or holder.side is entity.side:
        return False
    if holder.role is Role.KEEPER and snapshot.quaffle in KEEPER_ZONES[holder.side]:
        return False
    return distance(snapshot.player(entity).cell, snapshot.quaffle) == 1


def wrest(draft: Draft, entity: Entity) -> None:
    old = draft.snapshot.quaffle
    success = draft.chance(draft.config.wrest_quaffle)
    draft.tell(
        Delta(
            DeltaType.WREST_QUAFFLE,
            success=success,
            old=old,
            new=draft.player(entity).cell if success else old,
            active=entity,
            passive=draft.snapshot.holder,
        )
    )
    clear_goals(draft)
