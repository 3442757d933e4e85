"""Bludgers: they hunt, are beaten, and knock players out."""

from games.quidditch.rules.deltas import Delta, DeltaType
from games.quidditch.rules.draft import Draft
from games.quidditch.rules.entities import BLUDGERS, Entity, Role
from games.quidditch.rules.pitch import NEIGHBOURS, Cell, distance
from games.quidditch.rules.places import free_cells
from games.quidditch.rules.quaffle import clear_goals, fool_away
from games.quidditch.rules.snapshot import Player

REACH = 3  # of a beating


def hunt(draft: Draft, bludger: Entity) -> None:
    """Fly one cell towards the nearest player who is neither a beater nor on the bludger's cell."""
    old = place(draft, bludger)
    prey = [
        player
        for player in draft.snapshot.players
        if player.entity.role is not Role.BEATER and not player.banned and player.cell != old
    ]
    if not prey:
        return
    nearest = min(distance(player.cell, old) for player in prey)
    victim = draft.pick([player for player in prey if distance(player.cell, old) == nearest])
    closer = [cell for cell in NEIGHBOURS[old] if distance(cell, victim.cell) < nearest]
    new = draft.pick(closer)
    draft.tell(Delta(DeltaType.MOVE, old=old, new=new, active=bludger))
    if new == victim.cell:
        _strike(draft, bludger, victim)


def beat(draft: Draft, beater: Entity, bludger: Entity, target: Cell) -> None:
    """Beat a bludger away, or onto the beater's own cell: then it stays, and nothing happens."""
    victim = draft.snapshot.at(target)
    draft.tell(
        Delta(
            DeltaType.BLUDGER_BEATING,
            old=place(draft, bludger),
            new=target,
            active=beater,
            passive=bludger,
        )
    )
    if victim is not None and victim.entity.role is not Role.BEATER:
        _strike(draft, bludger, victim)


def place(draft: Draft, bludger: Entity) -> Cell:
    return draft.snapshot.bludgers[BLUDGERS.index(bludger)]


def _strike(draft: Draft, bludger: Entity, victim: Player) -> None:
    """Try to knock a player out; he loses the quaffle first, and the bludger goes anywhere."""
    success = draft.chance(draft.config.knock_out)
    if success and draft.snapshot.holder is victim.entity:
        fool_away(draft, victim.entity)
    draft.tell(
        Delta(
            DeltaType.BLUDGER_KNOCKOUT,
            success=success,
            old=victim.cell,
            new=draft.pick(free_cells(draft.snapshot)) if success else None,
            active=bludger,
            passive=victim.entity,
        )
    )
    clear_goals(draft)
