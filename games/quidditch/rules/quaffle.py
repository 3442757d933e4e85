"""The quaffle: fooled away by its holder, taken off the goals, worth ten points there."""

from games.quidditch.rules.deltas import Delta, DeltaType
from games.quidditch.rules.draft import Draft
from games.quidditch.rules.entities import Entity, Position, player_of
from games.quidditch.rules.pitch import ALL_GOALS, KEEPER_ZONES, MIDDLE, Cell, Side, goal_side
from games.quidditch.rules.places import is_free

GOAL_POINTS = 10


def fool_away(draft: Draft, loser: Entity) -> None:
    """Put the quaffle on a free cell beside the player who loses it."""
    old = draft.snapshot.quaffle
    new = draft.free_neighbour(old)
    draft.tell(Delta(DeltaType.FOOL_AWAY, old=old, new=new, active=Entity.QUAFFLE, passive=loser))


def score(draft: Draft, goal: Cell) -> None:
    """Give a goal's points to the team that attacks it, whoever scored."""
    left, right = draft.snapshot.left_points, draft.snapshot.right_points
    if goal_side(goal) is Side.RIGHT:
        left += GOAL_POINTS
    else:
        right += GOAL_POINTS
    draft.tell(Delta(DeltaType.GOAL_POINTS_CHANGE, left_points=left, right_points=right))


def clear_goals(draft: Draft) -> None:
    """Take the quaffle off a goal cell, however it got there: nobody ever keeps it on one."""
    old = draft.snapshot.quaffle
    defender = goal_side(old)
    if defender is not None:
        new = _kick_off(draft, defender)
        draft.tell(Delta(DeltaType.MOVE, old=old, new=new, active=Entity.QUAFFLE))


def _kick_off(draft: Draft, defender: Side) -> Cell:
    """Return where the keeper of a goal gets the quaffle, or the middle if he cannot."""
    keeper = draft.player(player_of(defender, Position.KEEPER))
    in_zone = keeper.cell in KEEPER_ZONES[defender] and keeper.cell not in ALL_GOALS
    if in_zone and not keeper.banned:
        return keeper.cell
    if is_free(draft.snapshot, MIDDLE):
        return MIDDLE
    return draft.free_neighbour(MIDDLE)
