"""A player's move and everything that happens on the way."""

from games.quidditch.rules import snitch
from games.quidditch.rules.applier import apply_delta
from games.quidditch.rules.bans import ban
from games.quidditch.rules.deltas import Delta, DeltaType
from games.quidditch.rules.draft import Draft
from games.quidditch.rules.entities import Entity, Role
from games.quidditch.rules.fouls import fouls
from games.quidditch.rules.pitch import ALL_GOALS, Cell
from games.quidditch.rules.places import free_neighbour
from games.quidditch.rules.quaffle import clear_goals, fool_away, score
from games.quidditch.rules.snapshot import Player
from games.quidditch.rules.state import Placement


def move(draft: Draft, entity: Entity, new: Cell) -> None:
    """Move a player; one who stays where he is does nothing else either."""
    before = draft.snapshot
    old = before.player(entity).cell
    delta = Delta(DeltaType.MOVE, old=old, new=new, active=entity)
    other = before.at(new)
    if other is None or other.entity is entity:
        draft.tell(delta)
    else:
        _push(draft, delta, other)
    if new == old:
        return
    if draft.snapshot.quaffle == new and draft.snapshot.holder is None:
        fool_away(draft, entity)
    if before.holder is entity and entity.role is Role.CHASER and new in ALL_GOALS:
        score(draft, new)
    for foul in fouls(before, entity, new):
        if draft.chance(draft.config.foul_detection[foul]):
            ban(draft, entity, foul)
            break
    clear_goals(draft)
    got_away = not draft.player(entity).banned
    if got_away and entity.role is Role.SEEKER and draft.snapshot.snitch == new:
        snitch.catch(draft, entity)


def _push(draft: Draft, delta: Delta, other: Player) -> None:
    """Move onto a player's cell, from where he is pushed to a free one beside it.

    An opponent fools the quaffle away first. A team mate leaves it behind on his cell, where the
    applier gives it to the player who arrives, if he can hold it.
    """
    shared, victim = other.cell, other.entity
    crowded = draft.after(delta)
    lost: Delta | None = None
    if crowded.holder is victim:
        away = free_neighbour(crowded, shared, draft.rng)
        lost = Delta(
            DeltaType.FOOL_AWAY, old=shared, new=away, active=Entity.QUAFFLE, passive=victim
        )
        crowded = apply_delta(crowded, lost)
    cell = free_neighbour(crowded, shared, draft.rng)
    draft.tell(delta, Placement(victim, cell))
    if lost is not None:
        draft.tell(lost)
    draft.tell(Delta(DeltaType.MOVE, old=shared, new=cell, active=victim))
