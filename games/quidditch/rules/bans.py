"""Banning players, and bringing them back."""

from games.quidditch.rules.deltas import BanReason, Delta, DeltaType
from games.quidditch.rules.draft import Draft
from games.quidditch.rules.entities import Entity
from games.quidditch.rules.pitch import START_CELLS, Cell, Side
from games.quidditch.rules.places import free_cells
from games.quidditch.rules.victory import BANS_TO_LOSE


def ban(draft: Draft, entity: Entity, reason: BanReason) -> None:
    draft.tell(Delta(DeltaType.BAN, passive=entity, ban_reason=reason))
    if entity.is_player:
        _count(draft, entity.side)


def unban(draft: Draft, entity: Entity, cell: Cell) -> None:
    draft.tell(Delta(DeltaType.UNBAN, new=cell, active=entity))
    _count(draft, entity.side)


def _count(draft: Draft, side: Side) -> None:
    """Remember in which order the teams reached three bans; below three that is forgotten."""
    others = tuple(other for other in draft.three_bans if other is not side)
    if draft.snapshot.banned(side) < BANS_TO_LOSE:
        draft.three_bans = others
    elif side not in draft.three_bans:
        draft.three_bans = (*others, side)


def random_return(draft: Draft, entity: Entity) -> None:
    """Bring back a player for whom nobody decides; nobody is put into the centre circle."""
    starts = [cell for cell in START_CELLS[entity.side] if cell not in draft.snapshot.cubes]
    unban(draft, entity, draft.pick(free_cells(draft.snapshot, starts)))
