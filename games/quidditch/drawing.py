"""A lobby as text, for people who look at the record of a match."""

from collections.abc import Iterable, Iterator, Sequence
from math import inf

import orjson

from games.quidditch.codec.frames import READER
from games.quidditch.match import FORMATION, TURN, Match
from games.quidditch.replay import MatchRecord
from games.quidditch.rules import ALL_GOALS, ON_PITCH, Cell, Entity, Role, Side, Snapshot, State
from games.quidditch.rules.pitch import HEIGHT, WIDTH
from games.quidditch.table import QuidditchTable
from ludothek.contract.table import Table

# What is on a cell besides players; those are S, K, C1 to C3, B1 and B2, small on the right side.
QUAFFLE, BLUDGER, SNITCH, CUBE = "o", "*", "+", "~"
GOAL, FREE, NOWHERE = "[]", ".", ""

# Characters of a cell: a player and a ball, or three balls.
SHOWN = 3


def draw(table: Table) -> str:
    """The pitch, who plays, the score, whose turn it is, and what nobody can see."""
    assert isinstance(table, QuidditchTable)
    return "\n".join(_lobby(table))


def _lobby(table: QuidditchTable) -> Iterator[str]:
    match, summary = table.match, table.summary
    if match is not None:
        yield from _match(table, match)
    else:
        if table.record is not None:
            yield from _ended(table.record)
        yield f"{summary.name}: nobody plays"
        yield from _list("want to play", summary.players)
    yield from _list("spectators", summary.spectators)


def _match(table: QuidditchTable, match: Match) -> Iterator[str]:
    state = match.state
    if state is None:
        yield " against ".join(match.users)
        missing = ", ".join(match.unformed)
        yield f"formations still missing: {missing}{_seconds(table, FORMATION)}"
    else:
        yield from _pitch(state.snapshot)
        yield _score(match.users, state.snapshot)
        yield from _things(state.snapshot)
        yield from _hidden(table, match, state)
    if match.paused:
        yield f"paused by {match.paused_by}"
    for side, user in zip(Side, match.users, strict=True):
        if side in table.timers:
            yield f"{user} is gone{_seconds(table, side)}"


def _ended(record: MatchRecord) -> Iterator[str]:
    """The end of the latest match, as its replay has it."""
    log = orjson.loads(record.replay_with_snapshot().content)["log"]
    users = record.start.left_team_user_name, record.start.right_team_user_name
    payloads = [each["payload"] for each in log if each["payloadType"] == "snapshot"]
    if payloads:
        snapshot = READER.read("snapshot", payloads[-1]).snapshot
        yield from _pitch(snapshot)
        yield _score(users, snapshot)
    else:
        yield " against ".join(users)
    finish = READER.read("matchFinish", log[-1]["payload"])
    yield f"won by {finish.winner_user_name or 'nobody'}: {finish.victory_reason}"


# The pitch


def _pitch(snapshot: Snapshot) -> Iterator[str]:
    things = [(cell, BLUDGER) for cell in snapshot.bludgers]
    things += [(cell, CUBE) for cell in snapshot.cubes]
    things.insert(0, (snapshot.quaffle, QUAFFLE))
    if snapshot.snitch is not None:
        things.insert(0, (snapshot.snitch, SNITCH))
    yield _row("", map(str, range(WIDTH)))
    for y in range(HEIGHT):
        yield _row(str(y), (_cell(snapshot, things, Cell(x, y)) for x in range(WIDTH)))
    yield f"{QUAFFLE} quaffle, {BLUDGER} bludger, {SNITCH} snitch, {CUBE} cube"


def _row(title: str, cells: Iterable[str]) -> str:
    return f"{title:>2} {' '.join(f'{cell:{SHOWN}}' for cell in cells)}".rstrip()


def _cell(snapshot: Snapshot, things: Sequence[tuple[Cell, str]], cell: Cell) -> str:
    if cell not in ON_PITCH:
        return NOWHERE
    player = snapshot.at(cell)
    balls = "".join(sign for place, sign in things if place == cell)
    if player is not None:
        return f"{_sign(player.entity)}{balls}"[:SHOWN]
    return f"{GOAL if cell in ALL_GOALS else ''}{balls}"[:SHOWN] or FREE


def _brief(entity: Entity) -> str:
    return _sign(entity) if entity.is_player else entity


def _sign(entity: Entity) -> str:
    number = entity[-1] if entity.role in (Role.CHASER, Role.BEATER) else ""
    sign = f"{entity.role[0]}{number}"
    return sign.upper() if entity.side is Side.LEFT else sign


# What the pitch does not show


def _score(users: Sequence[str], snapshot: Snapshot) -> str:
    left, right = users
    points = f"{snapshot.left_points}:{snapshot.right_points}"
    when = f"round {snapshot.round}, {snapshot.phase}"
    return f"{left} (capitals) {points} {right} (small letters), {when}"


def _things(snapshot: Snapshot) -> Iterator[str]:
    if snapshot.holder is not None:
        yield f"{snapshot.holder} holds the quaffle"
    players = snapshot.players
    yield from _list("knocked out", [each.entity for each in players if each.knockout])
    yield from _list("banned", [each.entity for each in players if each.banned])
    yield from _list("banned fans", [each.entity for each in snapshot.fans if each.banned])


def _hidden(table: QuidditchTable, match: Match, state: State) -> Iterator[str]:
    if state.result is not None:
        yield f"decided for {state.result.winner}: {state.result.reason}"
    elif state.turn is not None:
        again = ", once more" if state.extra_move else ""
        yield f"asked: {state.turn.entity} for {state.turn.type}{again}{_seconds(table, TURN)}"
        yield from _list("later in this phase", [*map(_brief, state.queue)])
    if match.unseen:
        yield f"snapshots that nobody has seen yet: {match.unseen}"


def _list(title: str, names: Sequence[str]) -> Iterator[str]:
    if names:
        yield f"{title}: {', '.join(names)}"


def _seconds(table: QuidditchTable, timer: str) -> str:
    left = table.timers.left(timer)
    return "" if left == inf else f" ({left:.0f} s left)"
