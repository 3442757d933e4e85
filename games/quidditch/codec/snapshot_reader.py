"""Reading snapshots, for computer players and for the Test-mod.

They are read by hand, and their parts are remembered: a player receives thousands of them in a
match, and hardly anything changes from one to the next.
"""

import enum
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any, TypeVar

from games.quidditch.codec.snapshot_writer import PARTS
from games.quidditch.messages import Snapshot
from games.quidditch.rules import (
    Cell,
    Delta,
    Entity,
    Fan,
    FanKind,
    Phase,
    Player,
    Position,
    Side,
    fan_of,
    player_of,
)
from games.quidditch.rules import Snapshot as Situation
from ludothek.contract.codec import shown
from ludothek.contract.flaws import Unexpected

T = TypeVar("T")
W = TypeVar("W", bound=enum.StrEnum)

# Positions that a player or ball may be reported at; not all of them are on the pitch.
COLUMNS, ROWS = range(17), range(13)

# A team never has more fans, nor are there more cubes than cells. What is read here is remembered
# (see below and in `writing`): nobody may fill the memory with impossible crowds.
MAX_FANS = 7
MAX_CUBES = len(COLUMNS) * len(ROWS)

_PLAYERS = {side: {str(p): player_of(side, p) for p in Position} for side in Side}
_TEAMS = {Side.LEFT: "leftTeam", Side.RIGHT: "rightTeam"}


def read_snapshot(value: Any, read_delta: Callable[[Any], Delta]) -> Snapshot:
    """Raises ValueError for anything that is not a snapshot."""
    try:
        return _read(value, read_delta)
    except (KeyError, IndexError, AttributeError, TypeError) as error:
        raise ValueError(f"no snapshot: {type(error).__name__} {error}") from None
    except Unexpected as error:  # what is wrong is not the snapshot, but a word in it
        raise ValueError(f"no snapshot: {error}") from None


def _read(value: Any, read_delta: Callable[[Any], Delta]) -> Snapshot:
    teams = {side: value[name] for side, name in _TEAMS.items()}
    balls = {name: _place(value["balls"][name]) for name in ("quaffle", "bludger1", "bludger2")}
    snitch = value["balls"]["snitch"]
    situation = Situation(
        delta=read_delta(value["lastDeltaBroadcast"]),
        players=tuple(_players(teams)),
        fans=tuple(_fans(teams)),
        quaffle=balls["quaffle"],
        bludgers=(balls["bludger1"], balls["bludger2"]),
        snitch=None if snitch["xPos"] is snitch["yPos"] is None else _place(snitch),
        holder=_holder(teams),
        cubes=tuple(_place(cube) for cube in _few(MAX_CUBES, value["wombatCubes"])),
        left_points=_exactly(int, teams[Side.LEFT]["points"]),
        right_points=_exactly(int, teams[Side.RIGHT]["points"]),
        phase=read_word(Phase, value["phase"]),
        round=_exactly(int, value["round"]),
        goal_was_thrown_this_round=_exactly(bool, value["goalWasThrownThisRound"]),
    )
    names = (_exactly(str, name) for name in _exactly(list, value["spectatorUserName"]))
    return Snapshot(situation, tuple(names))


def _players(teams: dict[Side, Any]) -> Iterator[Player]:
    for side, team in teams.items():
        for name, entity in _PLAYERS[side].items():
            part = team["players"][name]
            yield _player(
                entity,
                part["xPos"],
                part["yPos"],
                part["banned"],
                part["turnUsed"],
                part["knockout"],
            )


def _fans(teams: dict[Side, Any]) -> Iterator[Fan]:
    for side, team in teams.items():
        for part in _few(MAX_FANS, team["fans"]):
            yield _fan(side, part["fanType"], part["banned"], part["turnUsed"])


def _holder(teams: dict[Side, Any]) -> Entity | None:
    for side, team in teams.items():
        for name, entity in _PLAYERS[side].items():
            if team["players"][name].get("holdsQuaffle") is True and entity.handles_quaffle:
                return entity
    return None


@lru_cache(PARTS, typed=True)
def _player(
    entity: Entity, x: int, y: int, banned: bool, turn_used: bool, knockout: bool
) -> Player:
    flags = (_exactly(bool, flag) for flag in (banned, turn_used, knockout))
    return Player(entity, _cell(x, y), *flags)


@lru_cache(PARTS, typed=True)
def _fan(side: Side, kind: str, banned: bool, turn_used: bool) -> Fan:
    fan = fan_of(side, read_word(FanKind, kind))
    return Fan(fan, _exactly(bool, banned), _exactly(bool, turn_used))


def _place(part: Any) -> Cell:
    return _cell(part["xPos"], part["yPos"])


@lru_cache(PARTS, typed=True)
def _cell(x: int, y: int) -> Cell:
    if type(x) is not int or type(y) is not int or x not in COLUMNS or y not in ROWS:
        raise ValueError(f"({shown(x)}, {shown(y)}) is no place")
    return Cell(x, y)


def _few(most: int, value: Any) -> list[Any]:
    if len(_exactly(list, value)) > most:
        raise ValueError(f"more than {most} in a list")
    return value  # type: ignore[no-any-return]


# What the standard calls them, where the rules have other names.
_WORDS = {
    "BanReason": "a banReason",
    "DeltaType": "a deltaType",
    "Entity": "an entityID",
    "FanKind": "a fanType",
    "Phase": "a phaseType",
    "TurnType": "a turnType",
}


def read_word(kind: type[W], value: Any) -> W:
    # Only text is compared at all: for anything else the library would quote all of it.
    if type(value) is not str or value not in kind.__members__.values():
        raise Unexpected(_WORDS.get(kind.__name__, f"a {kind.__name__}"), value)
    return kind(value)


def _exactly(kind: type[T], value: Any) -> T:
    if type(value) is not kind:
        raise ValueError(f"expected {kind.__name__}, not {type(value).__name__}")
    return value
