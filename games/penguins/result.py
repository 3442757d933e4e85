"""How a game that has ended is scored."""

from collections.abc import Sequence

from games.penguins.messages import Cause, Entry, Result
from games.penguins.rules import State, Team, score, winner
from games.penguins.seat import Seat
from ludothek.contract.results import ranked
from ludothek.contract.table import Ended

TIMEOUTS = (Cause.SOFT_TIMEOUT, Cause.HARD_TIMEOUT)


def regular(seats: Sequence[Seat], state: State) -> Result:
    """The result of a game that was played to its end."""
    points = score(state)
    entries = [_entry(seat, state, points[seat.team.index]) for seat in seats]
    return Result(tuple(entries), winner(state))


def awarded(seats: Sequence[Seat], state: State, to: Team) -> Result:
    """The result of a game that the organiser has decided."""
    entries = [_entry(seat, state, 2 if seat.team is to else 0) for seat in seats]
    return Result(tuple(entries), to)


def early(seats: Sequence[Seat], state: State, *, winner_on_timeout: bool) -> Result:
    """The result of a game that ended before: whoever did nothing wrong while the other did wins.

    Of two who did nothing wrong nobody wins: the game was cancelled. One who was alone in a room
    wins without points, like on the original server.
    """
    entries = [_entry(seat, state, 2 * _has_won(seat, seats) * (len(seats) - 1)) for seat in seats]
    best = next((seat.team for seat in seats if _has_won(seat, seats)), None)
    if not winner_on_timeout and any(entry.cause in TIMEOUTS for entry in entries):
        best = None
    return Result(tuple(entries), best)


def _has_won(seat: Seat, seats: Sequence[Seat]) -> bool:
    others = [other for other in seats if other is not seat]
    return seat.violation is None and all(other.violation for other in others)


def _entry(seat: Seat, state: State, points: int) -> Entry:
    violation = seat.violation
    return Entry(
        name=seat.name if seat.name.strip() else None,
        team=seat.team,
        cause=violation.cause if violation else Cause.REGULAR,
        reason=violation.reason if violation else "",
        points=points,
        fish=state.fish[seat.team.index],
    )


def ended(seats: Sequence[Seat], result: Result, state: State) -> Ended:
    """The same for those who do not play: fish is what counts there."""
    names = [
        (player_name(seat), entry.fish) for seat, entry in zip(seats, result.scores, strict=True)
    ]
    place = None if result.winner is None else result.winner.index
    causes = [entry.cause for entry in result.scores if entry.cause is not Cause.REGULAR]
    undisturbed = "regular" if state.over else "aborted"
    return Ended(
        players=ranked(names, place, decided=state.over or place is not None),
        winner=None if place is None else names[place][0],
        reason=causes[0].value.lower() if causes else undisturbed,
        moves=state.turn,
    )


def player_name(seat: Seat) -> str:
    """The protocol has names for prepared games only."""
    return seat.name if seat.name.strip() else seat.team.value
