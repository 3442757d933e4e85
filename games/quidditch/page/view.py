"""A position of Quidditch, as people see it."""

from collections.abc import Iterable
from math import inf
from typing import Any

from games.quidditch.arena import Outcome
from games.quidditch.match import FORMATION, TURN, Match
from games.quidditch.page.scenery import place
from games.quidditch.rules import BLUDGERS, Delta, Entity, Side, Snapshot, Turn, player_of
from games.quidditch.sight import Sight
from games.quidditch.table import QuidditchTable
from ludothek.contract.page import PlayerView, View
from ludothek.contract.table import Stage, Table


def view(table: Table, everything: bool) -> View | None:
    """The position that was last sent, however much further the rules have come.

    Hidden is how teams line up until both have, and who has a turn later in a phase.
    """
    assert isinstance(table, QuidditchTable)
    if table.match is not None:
        return _running(table, table.match, everything)
    return _ended(table.outcome) if table.outcome else None


def _running(table: QuidditchTable, match: Match, everything: bool) -> View:
    hidden = _hidden(match) if everything else {}
    pause = {"by": match.paused_by, "halted": match.halted} if match.paused else None
    return View(
        stage=Stage.PAUSED if match.paused else Stage.RUNNING,
        players=[_seat(table, match, side, everything) for side in Side],
        move=match.sight.moves,
        board={**_board(match.sight), **hidden, "pause": pause},
    )


def _ended(outcome: Outcome) -> View:
    start, snapshot, ended = outcome.start, outcome.sight.snapshot, outcome.ended
    users = start.left_team_user_name, start.right_team_user_name
    return View(
        stage=Stage.ENDED,
        players=[
            PlayerView(
                name=user, score=snapshot.points(side) if snapshot else 0, own={"side": side}
            )
            for side, user in zip(Side, users, strict=True)
        ],
        move=ended.moves,
        board=_board(outcome.sight),
        winner=ended.winner,
        reason=ended.reason,
    )


def _seat(table: QuidditchTable, match: Match, side: Side, everything: bool) -> PlayerView:
    snapshot, asked = match.seen, match.sight.asked
    if match.forming:  # nobody is told which of them the match waits for
        timer, turn = FORMATION, side in match.unformed or not everything
    else:
        timer, turn = TURN, asked is not None and asked.side is side
    left = table.timers.left(timer)
    clock = None if left == inf or not turn else round(left, 3)
    return PlayerView(
        name=match.users[tuple(Side).index(side)],
        score=snapshot.points(side) if snapshot else 0,
        turn=turn,
        clock=clock,
        ticking=clock is not None and not match.paused,
        gone=side in table.absent,
        own={"side": side},
    )


# The pitch


def _board(sight: Sight) -> dict[str, Any]:
    """What the last snapshot shows; nothing but the fact that teams line up before the first."""
    snapshot = sight.snapshot
    if snapshot is None:
        return {"round": 0, "phase": None}
    return {
        "round": snapshot.round,
        "phase": snapshot.phase,
        "players": {str(each.entity): place(each.cell) for each in snapshot.players},
        "knockout": [each.entity for each in snapshot.players if each.knockout],
        "banned": [each.entity for each in snapshot.players if each.banned],
        "used": [each.entity for each in snapshot.players if each.turn_used],
        # Fans of a kind share a name, so these are numbers: their places in the scenery's lists.
        "fans": {str(side): _fans(snapshot, side) for side in Side},
        "balls": _balls(snapshot),
        "holder": snapshot.holder,
        "cubes": [place(cell) for cell in snapshot.cubes],
        "asked": _question(sight.asked),
        "last": [*_marks(sight.deltas)],
    }


def _fans(snapshot: Snapshot, side: Side) -> dict[str, list[int]]:
    fans = snapshot.fans_of(side)
    return {
        "banned": [number for number, fan in enumerate(fans) if fan.banned],
        "used": [number for number, fan in enumerate(fans) if fan.turn_used],
    }


def _balls(snapshot: Snapshot) -> dict[str, list[int]]:
    """Those that are on the pitch."""
    balls = dict(zip(BLUDGERS, map(place, snapshot.bludgers), strict=True))
    balls[Entity.QUAFFLE] = place(snapshot.quaffle)
    if snapshot.snitch is not None:
        balls[Entity.SNITCH] = place(snapshot.snitch)
    return {str(ball): cell for ball, cell in balls.items()}


def _question(turn: Turn | None) -> dict[str, Any] | None:
    return {"entity": turn.entity, "type": turn.type} if turn else None


def _marks(deltas: Iterable[Delta]) -> Iterable[dict[str, Any]]:
    """Everything that has flown or appeared since somebody was last asked."""
    for delta in deltas:
        if delta.new is not None:
            old = place(delta.old) if delta.old else None
            yield {"type": delta.type, "old": old, "new": place(delta.new)}


# What nobody is told


def _hidden(match: Match) -> dict[str, Any]:
    if match.state is None:
        return {
            "players": {
                str(player_of(side, position)): place(cell)
                for side, formation in match.formations.items()
                for position, cell in formation.items()
            }
        }
    # Before everything was shown, this would be the future of what is seen, not its secrets.
    state = None if match.unseen else match.state
    return {
        "queue": [*state.queue] if state else [],
        "again": state.extra_move if state else False,
    }
