"""Wombat cubes: they block a cell until a new fan phase begins or something lands on them."""

from games.quidditch.rules.deltas import Delta, DeltaType
from games.quidditch.rules.entities import Entity

_QUAFFLE = (DeltaType.QUAFFLE_THROW, DeltaType.FOOL_AWAY, DeltaType.TROLL_ROAR)
_PASSIVE = (DeltaType.ELF_TELEPORTATION, DeltaType.GOBLIN_SHOCK, DeltaType.BLUDGER_BEATING)


def landing(delta: Delta) -> Entity | None:
    """Return what lands on the new cell of a delta, if anything does."""
    if delta.type in (DeltaType.MOVE, DeltaType.BLUDGER_KNOCKOUT):
        return delta.active
    if delta.type in _PASSIVE:
        return delta.passive
    if delta.type in _QUAFFLE:
        return Entity.QUAFFLE
    return Entity.SNITCH if delta.type is DeltaType.SNITCH_SNATCH else None
