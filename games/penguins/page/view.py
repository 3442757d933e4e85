"""A position of Penguins, as people see it."""

from typing import Any

from games.penguins.match import Match
from games.penguins.member import Member
from games.penguins.rules import Coordinates, Move, State, Team
from games.penguins.table import PenguinsTable
from ludothek.contract.page import PlayerView, View
from ludothek.contract.table import Stage, Table


def view(table: Table, everything: bool) -> View | None:
    """The position; what is secret about a room (codes, observers) is of no interest later."""
    assert isinstance(table, PenguinsTable)
    summary, match, result = table.summary, table.match, table.result
    if summary.idle:
        return None
    ended = match.ended(result) if result else None
    return View(
        stage=Stage.ENDED if ended else summary.stage,
        players=[_seat(table, member) for member in match.members],
        move=match.state.turn,
        board={"rows": match.state.board.rows(), "last": _last(match)},
        winner=ended.winner if ended else None,
        reason=ended.reason if ended else None,
    )


def move(move: Move) -> dict[str, Any]:
    """A legal move as JSON; without an origin, it sets a new penguin."""
    return {"from": _place(move.origin) if move.origin else None, "to": _place(move.target)}


def _seat(table: PenguinsTable, member: Member) -> PlayerView:
    state, violation = table.match.state, member.violation
    turn = table.result is None and table.match.on_turn is member
    return PlayerView(
        name=member.label,
        score=state.fish[member.team.index],
        turn=turn,
        clock=_seconds_left(table, member, turn),
        ticking=turn and member.can_timeout and table.expects_a_move,
        gone=member.client is None,
        own={
            "team": member.team.value,
            "penguins": state.board.penguins[member.team.index].bit_count(),
            "violation": violation.cause.value.lower() if violation else None,
        },
    )


def _seconds_left(table: PenguinsTable, member: Member, turn: bool) -> float | None:
    """Until a move comes too late; each move has as much time."""
    if not member.can_timeout or table.result is not None:
        return None
    seconds: float = table.recipe.settings.soft_seconds
    thought = table.thought if turn else None
    return seconds if thought is None else round(max(0.0, seconds - thought), 3)


def _last(match: Match) -> dict[str, Any] | None:
    state = match.state
    if state.last_move is None:
        return None
    team = mover(state, state.last_move)
    return {
        "team": team.value,
        **move(state.last_move),
        "fish": caught(match, team),
    }


def _place(place: Coordinates) -> list[int]:
    return [place.x, place.y]


# What the last move has done


def mover(state: State, last: Move) -> Team:
    return Team.ONE if state.board.penguins[0] & last.target.bit else Team.TWO


def caught(match: Match, team: Team) -> int | None:
    """How many fish it earned; None if the position before it is not known."""
    if match.before is None:
        return None
    return match.state.fish[team.index] - match.before.fish[team.index]
