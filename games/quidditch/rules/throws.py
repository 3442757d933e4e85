"""Throwing the quaffle: who can be in its way, where it comes down, what it scores there."""

from games.quidditch.rules.deltas import Delta, DeltaType
from games.quidditch.rules.draft import Draft
from games.quidditch.rules.entities import Entity, Role
from games.quidditch.rules.pitch import ALL_GOALS, CELLS, Cell, crossed, distance, goal_side
from games.quidditch.rules.places import free_cells
from games.quidditch.rules.quaffle import clear_goals, fool_away, score
from games.quidditch.rules.snapshot import Player, Snapshot

CELLS_PER_STRAY = 7  # a throw goes astray by one more cell for each this many cells it flies


def throw(draft: Draft, thrower: Entity, target: Cell) -> None:
    old = draft.player(thrower).cell
    interceptor = _interceptor(draft, thrower, old, target)
    if interceptor is not None:
        _come_down(draft, thrower, interceptor.cell, interceptor, success=False)
    else:
        distance_flown = distance(old, target)
        if draft.chance(draft.config.throw_success**distance_flown):
            new = target
        else:
            new = _stray(draft, target, distance_flown)
        _come_down(draft, thrower, new, _receiver(draft.snapshot, new), success=new == target)
    clear_goals(draft)


def _interceptor(draft: Draft, thrower: Entity, old: Cell, target: Cell) -> Player | None:
    """Return the first opponent on the way, or on the target, who catches the quaffle."""
    opponents = {
        player.cell: player
        for player in draft.snapshot.team(thrower.side.opponent)
        if not player.banned and not player.knockout
    }
    for cell in (*crossed(old, target), target):
        if cell in opponents and draft.chance(draft.config.catch_quaffle):
            return opponents[cell]
    return None


def _receiver(snapshot: Snapshot, cell: Cell) -> Player | None:
    """Return on whom the quaffle comes down; an attacker in a goal is not in its way."""
    player = snapshot.at(cell)
    if player is not None and goal_side(cell) in (None, player.entity.side):
        return player
    return None


def _stray(draft: Draft, target: Cell, distance_flown: int) -> Cell:
    """Return a random free cell around the target; the longer the throw, the farther away."""
    reach = -(-distance_flown // CELLS_PER_STRAY)
    while True:
        near = [cell for cell in CELLS if distance(cell, target) <= reach and cell != target]
        if free := free_cells(draft.snapshot, near):
            return draft.pick(free)
        reach += 1


def _come_down(
    draft: Draft, thrower: Entity, cell: Cell, receiver: Player | None, *, success: bool
) -> None:
    old = draft.player(thrower).cell
    bounces = receiver is not None and _bounces_off(receiver)
    draft.tell(
        Delta(
            DeltaType.QUAFFLE_THROW,
            success=success and not bounces,
            old=old,
            new=cell,
            active=thrower,
            passive=None if receiver is None else receiver.entity,
        )
    )
    if receiver is not None:
        if bounces:
            fool_away(draft, receiver.entity)
    elif thrower.role is Role.CHASER and scores(old, cell):
        score(draft, cell)


def _bounces_off(receiver: Player) -> bool:
    return not receiver.entity.handles_quaffle or receiver.knockout or receiver.cell in ALL_GOALS


def scores(old: Cell, cell: Cell) -> bool:
    """Return whether a throw enters a goal through its left or right side, corners included."""
    dx, dy = cell.x - old.x, cell.y - old.y
    return cell in ALL_GOALS and abs(dy) <= abs(dx)
