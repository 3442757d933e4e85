"""Which clause a message breaks, and what would have been right."""

from collections.abc import Mapping
from typing import Any

from ludothek import api
from ludothek.api import Breach, Clause, Flaw, FlawKind, limit_of, shown

from tictactoe import clauses
from tictactoe.messages import Join, Mark
from tictactoe.rules.mistakes import Mistake

_IN_A_FIELD = (FlawKind.MISSING, FlawKind.WRONG)

_RULES: Mapping[api.Mistake, tuple[Clause, str]] = {
    Mistake.GAME_OVER: (clauses.ANSWER, "a running match"),
    Mistake.NO_SUCH_CELL: (clauses.FREE_CELL, "0 to 8"),
    Mistake.TAKEN: (clauses.FREE_CELL, "a free cell"),
}


def unreadable(flaw: Flaw) -> Breach:
    clause = clauses.FIELDS if flaw.kind in _IN_A_FIELD else clauses.LINES
    return Breach.by(flaw, limit_of(flaw) or clause)


def against_the_rules(mistake: api.Mistake, mark: Mark) -> Breach:
    clause, expected = _RULES[mistake]
    return Breach(clause, "/cell", expected, f"{mark.cell}. {mistake.value}")


def not_begun() -> Breach:
    return Breach(clauses.ANSWER, "/type", "Mark when the match has begun", "before")


def not_your_turn(moves: int, mark: Mark) -> Breach:
    return Breach(clauses.ANSWER, "/move", f"the active player's mark at {moves}", f"{mark.move}")


def out_of_place(message: Any, place: str) -> Breach:
    name = type(message).__name__
    return Breach(clauses.PLACES, "/type", f"{name} elsewhere", f"{name} {place} of a lobby")


def no_hello(name: str) -> Breach:
    return Breach(clauses.FIRST, "/type", "Hello", name)


def second_hello() -> Breach:
    return Breach(clauses.FIRST, "/type", "one Hello", "another")


def bad_name(name: str) -> Breach:
    return Breach(clauses.NAMES, "/name", "1 to 32 visible characters", shown(name))


def taken_name(name: str) -> Breach:
    return Breach(clauses.UNIQUE_NAME, "/name", "a name that nobody has", shown(name))


def no_lobby(join: Join) -> Breach:
    return Breach(clauses.LOBBY_THERE, "/lobby", "an open lobby", shown(join.lobby))


def no_seat(join: Join | None = None) -> Breach:
    came = "nothing" if join is None else shown(join.lobby)
    return Breach(clauses.LOBBY_THERE, "/lobby", "a lobby with a free seat", came)


def no_room() -> Breach:
    return Breach(clauses.ROOM, "", "fewer lobbies", "one more")


def late(message: Any) -> Breach:
    return Breach(clauses.LATE, "/lobby", "what is not over", type(message).__name__)


def too_many_refusals(most: int) -> Breach:
    return Breach(clauses.PATIENCE, "", f"fewer than {most} refusals", f"refusal {most}")
