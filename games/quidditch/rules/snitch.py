"""The snitch: it appears, evades the seekers, and gives itself up in overtime."""

from games.quidditch.rules.deltas import Delta, DeltaType
from games.quidditch.rules.draft import Draft
from games.quidditch.rules.entities import SEEKERS, Entity
from games.quidditch.rules.pitch import MIDDLE, NEIGHBOURS, Cell, Side, distance
from games.quidditch.rules.places import free_cells, occupied
from games.quidditch.rules.snapshot import Player
from games.quidditch.rules.victory import finish_by_catch, finish_without_catch

APPEARANCE = 13  # the round
CATCH_POINTS = 30
EVADES = 3  # rounds of overtime in which it still evades, though every catch succeeds
RESTS = 3  # rounds in the middle
WAITS = 50  # rounds for a seeker to come back


def in_overtime(draft: Draft) -> bool:
    return draft.round > draft.config.max_rounds


def fly(draft: Draft) -> None:
    """Do what the snitch does in a ball phase."""
    if draft.snapshot.snitch is None:
        if draft.round < APPEARANCE:
            return
        _move(draft, _appearance(draft))
    if draft.round <= draft.config.max_rounds + EVADES:
        _evade(draft)
    elif draft.snitch_arrival is None:
        _approach(draft)
    elif draft.round > draft.snitch_arrival + RESTS:
        _give_up(draft)


def _seekers(draft: Draft) -> list[Player]:
    return [seeker for seeker in map(draft.player, SEEKERS) if not seeker.banned]


def _nearest_seeker(draft: Draft, cell: Cell) -> Player | None:
    seekers = _seekers(draft)
    draft.rng.shuffle(seekers)
    return min(seekers, key=lambda seeker: distance(seeker.cell, cell), default=None)


def _appearance(draft: Draft) -> Cell:
    """Return a free cell at the same distance from both seekers, or nearly so."""
    free = free_cells(draft.snapshot)
    seekers = _seekers(draft)
    if len(seekers) < len(SEEKERS):
        return draft.pick(free)
    one, other = (seeker.cell for seeker in seekers)
    unfair = {cell: abs(distance(cell, one) - distance(cell, other)) for cell in free}
    least = min(unfair.values())
    return draft.pick([cell for cell in free if unfair[cell] == least])


def _evade(draft: Draft) -> None:
    cell = _cell(draft)
    seeker = _nearest_seeker(draft, cell)
    away: list[Cell] = []
    if seeker is not None:
        near = distance(seeker.cell, cell)
        taken = occupied(draft.snapshot)
        away = [
            other
            for other in NEIGHBOURS[cell]
            if distance(other, seeker.cell) > near and other not in taken
        ]
    _move(draft, draft.pick(away) if away else draft.free_neighbour(cell))


def _approach(draft: Draft) -> None:
    """Fly towards the middle, no matter who is in the way."""
    cell = _cell(draft)
    if cell != MIDDLE:
        left = distance(cell, MIDDLE)
        cell = draft.pick([other for other in NEIGHBOURS[cell] if distance(other, MIDDLE) < left])
        _move(draft, cell)
    if cell == MIDDLE:
        draft.snitch_arrival = draft.round
    seeker = next((seeker for seeker in _seekers(draft) if seeker.cell == cell), None)
    if seeker is not None and not seeker.knockout:
        catch(draft, seeker.entity)


def _give_up(draft: Draft) -> None:
    """Jump to a seeker, or wait until one is back, though not for ever."""
    seeker = _nearest_seeker(draft, _cell(draft))
    if seeker is not None:
        _move(draft, seeker.cell)
        catch(draft, seeker.entity)
    elif draft.snitch_arrival is not None and draft.round > draft.snitch_arrival + RESTS + WAITS:
        finish_without_catch(draft)


def _cell(draft: Draft) -> Cell:
    cell = draft.snapshot.snitch
    assert cell is not None
    return cell


def _move(draft: Draft, new: Cell) -> None:
    old = draft.snapshot.snitch
    draft.tell(Delta(DeltaType.MOVE, old=old, new=new, active=Entity.SNITCH))


def catch(draft: Draft, seeker: Entity) -> None:
    """Let a seeker try to catch the snitch on his cell; in overtime that always succeeds."""
    success = in_overtime(draft) or draft.chance(draft.config.catch_snitch)
    left, right = draft.snapshot.left_points, draft.snapshot.right_points
    if success and seeker.side is Side.LEFT:
        left += CATCH_POINTS
    elif success:
        right += CATCH_POINTS
    draft.tell(
        Delta(
            DeltaType.SNITCH_CATCH,
            success=success,
            active=seeker,
            left_points=left,
            right_points=right,
        )
    )
    if success:
        finish_by_catch(draft, seeker.side)
