"""What happens in a match of Quidditch, in events that words.js has sentences for.

Whoever acts or suffers is an event within the event, since languages call a chaser differently.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from games.quidditch.messages import (
    GlobalChat,
    GlobalDebug,
    LoginGreeting,
    MatchStart,
    PauseResponse,
    Snapshot,
)
from games.quidditch.page.scenery import start_of
from games.quidditch.rules import Cell, Delta, DeltaType, Entity, Phase, Side
from games.quidditch.table import QuidditchTable
from ludothek.contract.page import Event
from ludothek.contract.table import Table

# The shapes of their figures tell teams apart: they may have the same name, and the same players.
MARKS = {Side.LEFT: "●", Side.RIGHT: "■"}


def tell(table: Table, message: Any) -> Iterator[Event]:
    """What everybody in the lobby hears; who is asked next is a part of the view."""
    assert isinstance(table, QuidditchTable)
    match message:
        case Snapshot(snapshot=snapshot):
            yield from _change(table, snapshot.delta)
        case MatchStart(left_team_config=left, right_team_config=right):
            yield {"what": "teams", "left": left.name, "right": right.name}
        case PauseResponse() if table.match is not None:
            yield _pause(table.match.paused_by, message)
        case GlobalChat(sender_user_name=name, information=text):
            yield {"what": "chat", "name": name, "text": text}
        case GlobalDebug(information=text):
            yield {"what": "announced", "text": text}
        case LoginGreeting(user_name=name):
            plays = table.match is not None and name in table.match.users
            yield {"what": "back" if plays else "came", "name": name}


def _pause(paused_by: str, response: PauseResponse) -> Event:
    """A request that was refused is answered like any other, with how it stands."""
    if not response.pause:
        what = "goes_on"
    elif response.user_name == paused_by:
        what = "paused"
    else:
        what = "stays_paused"
    return {"what": what, "name": response.user_name, "text": response.message}


# Deltas


def _change(table: QuidditchTable, delta: Delta) -> Iterator[Event]:
    if delta.type is DeltaType.TURN_USED and not _missed_turn(table, delta):
        return  # what was done with it has been told
    what = _WHAT.get(delta.type)
    yield {"what": what(delta) if what else str(delta.type), **_details(table, delta)}


def _details(table: QuidditchTable, delta: Delta) -> dict[str, Any]:
    """Those fields of a delta that its type uses."""
    details = {
        "who": _entity(table, delta.active),
        "whom": _entity(table, delta.passive),
        "from": _place(delta.old),
        "to": _place(delta.new),
        "left": delta.left_points,
        "right": delta.right_points,
        "round": delta.round,
        "foul": {"what": f"foul.{delta.ban_reason}"} if delta.ban_reason else None,
    }
    if delta.left_points is not None:
        start = _start(table)
        details["home"] = start.left_team_config.name
        details["away"] = start.right_team_config.name
    return {key: value for key, value in details.items() if value is not None}


def _missed_turn(table: QuidditchTable, used: Delta) -> bool:
    """Whether a player was knocked out and has done nothing since somebody was last asked."""
    match = table.match or table.outcome
    deltas = match.sight.deltas if match else ()
    others = (delta for delta in deltas if delta.type is not DeltaType.TURN_USED)
    fan = used.active is None or used.active.is_fan
    return not fan and all(delta.active is not used.active for delta in others)


def _start(table: QuidditchTable) -> MatchStart:
    start = start_of(table)
    assert start is not None
    return start


def _place(cell: Cell | None) -> str | None:
    return f"{cell.x}|{cell.y}" if cell else None


def _entity(table: QuidditchTable, entity: Entity | None) -> Event | None:
    """Somebody or something by name, as words.js puts it."""
    if entity is None:
        return None
    if not entity.is_player and not entity.is_fan:
        return {"what": str(entity)}
    start = _start(table)
    team = start.left_team_config if entity.side is Side.LEFT else start.right_team_config
    mark = MARKS[entity.side]
    if entity.is_fan:
        return {"what": f"fan.{entity.kind}", "mark": mark, "team": team.name}
    name = getattr(team.players, entity.position).name
    number = entity.position.removeprefix(entity.role)
    return {"what": f"role.{entity.role}", "mark": mark, "name": name, "number": number}


# Which sentence a delta gets, where its type alone does not decide that.


def _move(delta: Delta) -> str:
    if delta.old is None:
        return "appears"
    if delta.old == delta.new:
        return "stays"
    return _BALLS.get(delta.active, "move") if delta.active else "move"


def _throw(delta: Delta) -> str:
    """A throw that fails may still be caught: by an opponent, or where the quaffle strays to."""
    if delta.passive is None:
        return "quaffleThrow" if delta.success else "throw_strays"
    if delta.active is not None and delta.passive.side is not delta.active.side:
        return "throw_intercepted"
    return "throw_caught" if delta.success else "throw_reaches"


def _remove_poo(delta: Delta) -> str:
    return "removePoo" if delta.active is not None else "cubes_vanish"


def _fails(failure: str) -> Callable[[Delta], str]:
    return lambda delta: str(delta.type) if delta.success else failure


def _in_vain(failure: str) -> Callable[[Delta], str]:
    """For deeds that move something, unless there is nothing to be moved."""
    return lambda delta: failure if delta.old == delta.new else str(delta.type)


def _phase(delta: Delta) -> str:
    return f"phase.{delta.phase or Phase.BALL}"


_BALLS = {
    Entity.QUAFFLE: "quaffle_moves",
    Entity.SNITCH: "snitch_moves",
    Entity.BLUDGER1: "bludger_moves",
    Entity.BLUDGER2: "bludger_moves",
}

_WHAT: Mapping[DeltaType, Callable[[Delta], str]] = {
    DeltaType.MOVE: _move,
    DeltaType.QUAFFLE_THROW: _throw,
    DeltaType.REMOVE_POO: _remove_poo,
    DeltaType.PHASE_CHANGE: _phase,
    DeltaType.SNITCH_CATCH: _fails("snitch_missed"),
    DeltaType.WREST_QUAFFLE: _fails("wrest_fails"),
    DeltaType.BLUDGER_KNOCKOUT: _fails("knockout_fails"),
    DeltaType.SNITCH_SNATCH: _in_vain("snatch_in_vain"),
    DeltaType.TROLL_ROAR: _in_vain("roar_in_vain"),
}
