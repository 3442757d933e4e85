"""What happens in a game of Penguins, in events that words.js has sentences for."""

import re
from collections.abc import Iterator
from typing import Any

from games.penguins import texts
from games.penguins.match import Match
from games.penguins.member import Member, Violation
from games.penguins.messages import Cause, Memento, Paused, Result, Room
from games.penguins.page.view import caught, mover
from games.penguins.rules import Coordinates, Mistake, Move, stuck
from games.penguins.table import PenguinsTable
from ludothek.contract.page import Event
from ludothek.contract.table import Table


def tell(table: Table, message: Any) -> Iterator[Event]:
    """States follow moves, and a result says who is to blame for an early end."""
    assert isinstance(table, PenguinsTable)
    match message:
        case Room(data=Memento()) if not table.shows_again:
            yield from _moved(table.match)
        case Room(data=Paused(paused=paused)):
            yield {"what": "paused" if paused else "resumed"}
        case Room(data=Result()) if not table.summary.idle:
            yield from map(_lost, filter(_offended, table.match.members))


def _moved(match: Match) -> Iterator[Event]:
    last = match.state.last_move
    if last is None:
        return
    team = mover(match.state, last)
    yield {"name": match.members[team.index].label, **_move(last, caught(match, team))}
    if match.before is not None:
        for member in match.members:
            if stuck(match.state.board, member.team) > stuck(match.before.board, member.team):
                yield {"what": "stuck", "name": member.label}


def _move(last: Move, fish: int | None) -> Event:
    to = _place(last.target)
    if last.origin is None:
        return {"what": "set", "to": to}
    what = "slid" if fish is None else "slid_catching"
    return {"what": what, "from": _place(last.origin), "to": to, "fish": fish}


def _place(place: Coordinates) -> str:
    return f"{place.x}|{place.y}"


# Who is to blame, and for what


def _offended(member: Member) -> bool:
    return member.violation is not None


def _lost(member: Member) -> Event:
    assert member.violation is not None
    what = _OTHERS.get(member.violation.cause) or _broken_rule(member.violation)
    return {"what": what, "name": member.label, "move": _move_in(member.violation.reason)}


_OTHERS = {
    Cause.LEFT: "left",
    Cause.SOFT_TIMEOUT: "timed_out",
    Cause.HARD_TIMEOUT: "timed_out",
}


def _broken_rule(violation: Violation) -> str:
    """Which rule it was; the protocol has only a sentence for that."""
    return next((what for text, what in _RULES.items() if text in violation.reason), "broke_rule")


_RULES = {
    # These two quote what the player calls itself, which might look like one of the others.
    texts.NOT_YOUR_TURN: "broke_not_your_turn",
    texts.NOT_REQUESTED: "broke_not_requested",
    texts.UNRECOGNISED: "broke_unrecognised",
    **{mistake.value: f"broke_{mistake.name.lower()}" for mistake in Mistake},
}


def _move_in(reason: str) -> str:
    """The places of the move that the sentence is about."""
    return " ".join(re.findall(r"\[(-?\d+\|-?\d+)\]", reason))
