"""Snapshots and deltas as JSON. They are most of what is sent, so they are assembled from parts
that are encoded once: from one snapshot to the next, hardly any player changes."""

from collections.abc import Sequence
from functools import lru_cache

import orjson

from games.quidditch.rules import Cell, Delta, Fan, Player, Role, Side, Snapshot

# Enough for what a hundred matches say at the same time; some megabytes at most. All that can be
# said about fourteen players on 193 cells would be much more, but hardly any of it is repeated.
PARTS = 4_000

# Seven players or fans take a kilobyte; usually one of the teams has not changed.
GROUPS = 1_000

NOWHERE = (None, None)


def write_snapshot(snapshot: Snapshot, spectators: Sequence[str]) -> bytes:
    left, right = (_write_team(snapshot, side) for side in Side)
    return (
        b'{"lastDeltaBroadcast":%b,"phase":"%b","spectatorUserName":%b,"round":%d,"leftTeam":%b,'
        b'"rightTeam":%b,"balls":%b,"wombatCubes":[%b],"goalWasThrownThisRound":%b}'
    ) % (
        write_delta(snapshot.delta),
        snapshot.phase.encode(),
        orjson.dumps(spectators),
        snapshot.round,
        left,
        right,
        _write_balls(snapshot.snitch, snapshot.quaffle, *snapshot.bludgers),
        b",".join(map(_write_place, snapshot.cubes)),
        _flag(snapshot.goal_was_thrown_this_round),
    )


def write_delta(delta: Delta) -> bytes:
    x_old, y_old = delta.old or NOWHERE
    x_new, y_new = delta.new or NOWHERE
    return orjson.dumps(
        {
            "deltaType": delta.type,
            "success": delta.success,
            "xPosOld": x_old,
            "yPosOld": y_old,
            "xPosNew": x_new,
            "yPosNew": y_new,
            "activeEntity": delta.active,
            "passiveEntity": delta.passive,
            "phase": delta.phase,
            "leftPoints": delta.left_points,
            "rightPoints": delta.right_points,
            "round": delta.round,
            "banReason": delta.ban_reason,
        }
    )


def _write_team(snapshot: Snapshot, side: Side) -> bytes:
    players = snapshot.team(side)
    return b'{"points":%d,"fans":[%b],"players":{%b}}' % (
        snapshot.points(side),
        _write_fans(snapshot.fans, side),
        _write_players(players, tuple(map(snapshot.holds, players))),
    )


@lru_cache(GROUPS)
def _write_fans(fans: tuple[Fan, ...], side: Side) -> bytes:
    return b",".join(_write_fan(fan) for fan in fans if fan.entity.side is side)


@lru_cache(GROUPS)
def _write_players(players: tuple[Player, ...], holds: tuple[bool, ...]) -> bytes:
    return b",".join(map(_write_player, players, holds))


@lru_cache(PARTS)
def _write_player(player: Player, holds: bool) -> bytes:
    place = {"xPos": player.cell.x, "yPos": player.cell.y, "banned": player.banned}
    state = {"turnUsed": player.turn_used, "knockout": player.knockout}
    held = {
        Role.SEEKER: {},
        Role.BEATER: {"holdsBludger": holds},
    }.get(player.entity.role, {"holdsQuaffle": holds})
    return b'"%b":%b' % (player.entity.position.encode(), orjson.dumps(place | held | state))


@lru_cache(PARTS)
def _write_fan(fan: Fan) -> bytes:
    return orjson.dumps({"fanType": fan.kind, "banned": fan.banned, "turnUsed": fan.turn_used})


@lru_cache(PARTS)
def _write_balls(snitch: Cell | None, quaffle: Cell, bludger1: Cell, bludger2: Cell) -> bytes:
    return b'{"snitch":%b,"quaffle":%b,"bludger1":%b,"bludger2":%b}' % (
        _write_place(snitch),
        _write_place(quaffle),
        _write_place(bludger1),
        _write_place(bludger2),
    )


@lru_cache(PARTS)
def _write_place(cell: Cell | None) -> bytes:
    x, y = cell or NOWHERE
    return orjson.dumps({"xPos": x, "yPos": y})


def _flag(value: bool) -> bytes:
    return b"true" if value else b"false"
