"""A position of Hexxagon, as people see it."""

from typing import Any

from games.hexxagon.match import Match
from games.hexxagon.rules import BIT, NEIGHBOURS, ONE, TWO, Move, Side, State, tiles
from games.hexxagon.table import HexxagonTable
from ludothek.contract.page import PlayerView, View
from ludothek.contract.table import Stage, Table

# What the sides are called in the browser.
SIDES = {ONE: "one", TWO: "two"}


def view(table: Table, everything: bool) -> View | None:
    """The position; nothing in it is hidden from anybody."""
    assert isinstance(table, HexxagonTable)
    match = table.match
    if match is None:
        return None
    result = match.result() if match.closed else None
    return View(
        stage=Stage.ENDED if result else Stage.RUNNING,
        players=[_seat(match, ONE), _seat(match, TWO)],
        move=match.state.turn - 1,
        board={"tiles": match.state.to_text(), "last": _last(match)},
        winner=result.winner if result else None,
        reason=result.reason if result else None,
    )


def move(move: Move) -> dict[str, Any]:
    """A legal move as JSON."""
    return {"from": move.origin, "to": move.target}


def _seat(match: Match, side: Side) -> PlayerView:
    return PlayerView(
        name=match.names[side],
        score=match.state.points(side),
        turn=match.state.active is side and not match.closed,
        gone=match.left is side,
        own={"side": SIDES[side]},
    )


def _last(match: Match) -> dict[str, Any] | None:
    state, last = match.state, match.state.last
    if last is None:
        return None
    return {
        "side": SIDES[mover(state, last)],
        "from": last.origin,
        "to": last.target,
        "jump": is_jump(last),
        "captured": [*tiles(captured(match, last))],
        "filled": [*tiles(filled(match, last))],
    }


# What the last move has done; nothing, if the position before it is not known


def mover(state: State, last: Move) -> Side:
    return ONE if state.one & BIT[last.target] else TWO


def is_jump(move: Move) -> bool:
    return not NEIGHBOURS[move.origin] & BIT[move.target]


def captured(match: Match, last: Move) -> int:
    """The stones that changed sides."""
    if match.before is None:
        return 0
    side = mover(match.state, last)
    return match.state.stones(side) & match.before.stones(side.other)


def filled(match: Match, last: Move) -> int:
    """The tiles that went to the mover because only that side could still move."""
    if match.before is None:
        return 0
    return match.before.free & ~(match.state.free | BIT[last.target])
