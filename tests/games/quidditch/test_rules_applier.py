"""What each delta changes in a snapshot: nothing else may be needed to follow a match."""

from typing import Any

import attrs
import pytest

from games.quidditch.rules import (
    Cell,
    Delta,
    DeltaType,
    Entity,
    Phase,
    Player,
    Snapshot,
    apply_delta,
)
from tests.games.quidditch.moments import picture

CHASER, BEATER = Entity.LEFT_CHASER1, Entity.LEFT_BEATER1


def changed(before: Snapshot, after: Snapshot) -> dict[str, Any]:
    """The fields that differ, except for the delta; of players and fans only the new ones."""
    differences: dict[str, Any] = {}
    for field in attrs.fields(Snapshot):
        old, new = getattr(before, field.name), getattr(after, field.name)
        if field.name in ("players", "fans"):
            new = [record for record in new if record not in old]
            old = []
        if old != new and field.name != "delta":
            differences[field.name] = new
    return differences


def after(before: Snapshot, kind: str, **fields: Any) -> dict[str, Any]:
    delta = Delta(DeltaType(kind), **fields)
    result = apply_delta(before, delta)
    assert result.delta is delta
    return changed(before, result)


def player(entity: Entity, x: int, y: int, **flags: bool) -> Player:
    return Player(entity, Cell(x, y), **flags)


TABLE: list[tuple[str, Snapshot, dict[str, Any], dict[str, Any]]] = [
    (
        "snitchCatch",
        picture({}),
        {"success": True, "active": Entity.LEFT_SEEKER, "left_points": 30, "right_points": 0},
        {"left_points": 30},
    ),
    (
        "bludgerBeating",
        picture({}),
        {"new": Cell(5, 5), "active": BEATER, "passive": Entity.BLUDGER2},
        {"bludgers": (Cell(13, 0), Cell(5, 5))},
    ),
    (
        "quaffleThrow",
        picture({}, quaffle="leftChaser1"),
        {"success": True, "new": Cell(5, 5), "active": CHASER},
        {"quaffle": Cell(5, 5), "holder": None},
    ),
    (
        "quaffleThrow",
        picture({"rightKeeper": (5, 5)}, quaffle="leftChaser1"),
        {"new": Cell(5, 5), "active": CHASER, "passive": Entity.RIGHT_KEEPER},
        {"quaffle": Cell(5, 5), "holder": Entity.RIGHT_KEEPER},
    ),
    (
        "snitchSnatch",
        picture({}, snitch=(4, 4)),
        {"old": Cell(4, 4), "new": Cell(5, 5), "active": Entity.LEFT_NIFFLER},
        {"snitch": Cell(5, 5)},
    ),
    ("snitchSnatch", picture({}), {"active": Entity.LEFT_NIFFLER}, {}),
    (
        "trollRoar",
        picture({}, quaffle="leftChaser1"),
        {"new": Cell(5, 5), "active": Entity.RIGHT_TROLL, "passive": CHASER},
        {"quaffle": Cell(5, 5), "holder": None},
    ),
    (
        "elfTeleportation",
        picture({"leftChaser1": (4, 4)}, quaffle="leftChaser1"),
        {"new": Cell(5, 5), "active": Entity.RIGHT_ELF, "passive": CHASER},
        {"players": [player(CHASER, 5, 5)], "holder": None},
    ),
    (
        "goblinShock",
        picture({"leftBeater1": (4, 4)}, bludger1=(4, 4)),
        {"new": Cell(5, 5), "active": Entity.RIGHT_GOBLIN, "passive": BEATER},
        {"players": [player(BEATER, 5, 5)]},
    ),
    (
        "ban",
        picture({"leftChaser1": (4, 4)}, quaffle="leftChaser1"),
        {"passive": CHASER},
        {"players": [player(CHASER, 4, 4, banned=True)], "holder": None},
    ),
    (
        "bludgerKnockout",
        picture({"leftChaser1": (4, 4)}, bludger1=(4, 4)),
        {"success": True, "new": Cell(9, 9), "active": Entity.BLUDGER1, "passive": CHASER},
        {
            "players": [player(CHASER, 4, 4, knockout=True)],
            "bludgers": (Cell(9, 9), Cell(13, 12)),
        },
    ),
    (
        "bludgerKnockout",
        picture({"leftChaser1": (4, 4)}),
        {"success": False, "active": Entity.BLUDGER1, "passive": CHASER},
        {},
    ),
    (
        "move",
        picture({"leftChaser1": (4, 4)}, quaffle="leftChaser1"),
        {"new": Cell(5, 5), "active": CHASER},
        {"players": [player(CHASER, 5, 5)], "quaffle": Cell(5, 5)},
    ),
    (
        "move",
        picture({"leftBeater1": (4, 4)}, bludger2=(4, 4)),
        {"new": Cell(5, 5), "active": BEATER},
        {"players": [player(BEATER, 5, 5)], "bludgers": (Cell(13, 0), Cell(5, 5))},
    ),
    ("move", picture({}), {"new": Cell(5, 5), "active": Entity.SNITCH}, {"snitch": Cell(5, 5)}),
    (
        "move",
        picture({}),
        {"new": Cell(5, 5), "active": Entity.BLUDGER1},
        {"bludgers": (Cell(5, 5), Cell(13, 12))},
    ),
    (
        "move",
        picture({"rightKeeper": (13, 6)}, quaffle=(14, 6), knockout=["rightKeeper"]),
        {"new": Cell(13, 6), "active": Entity.QUAFFLE},
        {"quaffle": Cell(13, 6), "holder": Entity.RIGHT_KEEPER},
    ),
    (
        "wrestQuaffle",
        picture({"leftChaser1": (4, 4)}, quaffle="rightChaser1"),
        {"success": True, "new": Cell(4, 4), "active": CHASER},
        {"quaffle": Cell(4, 4), "holder": CHASER},
    ),
    (
        "wrestQuaffle",
        picture({}, quaffle="rightChaser1"),
        {"success": False, "new": Cell(5, 12), "active": CHASER},
        {},
    ),
    (
        "foolAway",
        picture({}, quaffle="leftChaser1"),
        {"new": Cell(5, 5), "active": Entity.QUAFFLE, "passive": CHASER},
        {"quaffle": Cell(5, 5), "holder": None},
    ),
    ("phaseChange", picture({}), {"phase": Phase.FAN}, {"phase": Phase.FAN}),
    (
        "goalPointsChange",
        picture({}),
        {"left_points": 0, "right_points": 10},
        {"right_points": 10, "goal_was_thrown_this_round": True},
    ),
    (
        "roundChange",
        picture({}, used=["leftSeeker"], goal=True, number=3, banned=["rightSeeker"]),
        {"round": 4},
        {
            "players": [player(Entity.LEFT_SEEKER, 3, 0), player(Entity.RIGHT_SEEKER, 3, 12)],
            "phase": Phase.BALL,
            "round": 4,
            "goal_was_thrown_this_round": False,
        },
    ),
    ("skip", picture({}), {"active": CHASER}, {}),
    (
        "unban",
        picture({}, banned=["leftChaser1"]),
        {"new": Cell(5, 5), "active": CHASER},
        {"players": [player(CHASER, 5, 5)]},
    ),
    (
        "turnUsed",
        picture({"leftChaser1": (4, 4)}, knockout=["leftChaser1"]),
        {"active": CHASER},
        {"players": [player(CHASER, 4, 4, turn_used=True)]},
    ),
    (
        "wombatPoo",
        picture({}, cubes=[(1, 6)]),
        {"new": Cell(5, 5), "active": Entity.LEFT_WOMBAT},
        {"cubes": (Cell(1, 6), Cell(5, 5))},
    ),
    (
        "removePoo",
        picture({}, cubes=[(1, 6), (5, 5)]),
        {"old": Cell(1, 6), "active": CHASER},
        {"cubes": (Cell(5, 5),)},
    ),
    ("removePoo", picture({}, cubes=[(1, 6), (5, 5)]), {}, {"cubes": ()}),
]


@pytest.mark.parametrize(
    ("kind", "before", "fields", "changes"),
    [pytest.param(*row, id=f"{number}-{row[0]}") for number, row in enumerate(TABLE)],
)
def test_what_a_delta_changes(
    kind: str, before: Snapshot, fields: dict[str, Any], changes: dict[str, Any]
) -> None:
    assert after(before, kind, **fields) == changes


def test_the_table_has_every_type() -> None:
    assert {row[0] for row in TABLE} == set(DeltaType)


@pytest.mark.parametrize("kind", DeltaType)
def test_whatever_a_delta_lacks_it_can_be_applied(kind: DeltaType) -> None:
    before = picture({}, quaffle="leftChaser1")
    for entity in (None, *Entity):
        for delta in (
            Delta(kind, active=entity),
            Delta(kind, passive=entity, success=True),
            Delta(kind, True, Cell(1, 6), Cell(5, 5), active=entity, passive=entity),
        ):
            assert apply_delta(before, delta).delta is delta


@pytest.mark.parametrize("entity", ["rightSeeker", "rightChaser2"])
def test_a_throw_into_a_defended_goal_is_held_by_nobody(entity: str) -> None:
    before = picture({entity: (14, 6)}, quaffle="leftChaser1")
    changes = after(before, "quaffleThrow", new=Cell(14, 6), passive=Entity(entity))
    assert changes["holder"] is None


def test_unchanged_records_stay_the_same_objects() -> None:
    before = picture({})
    result = apply_delta(before, Delta(DeltaType.TURN_USED, active=CHASER))
    same = [old is new for old, new in zip(before.players, result.players, strict=True)]
    assert same == [entity is not CHASER for entity in (p.entity for p in before.players)]
    assert result.fans is before.fans


def test_fans_of_one_kind_are_marked_one_by_one() -> None:
    snapshot = picture({}, phase=Phase.FAN)
    elves = [number for number, fan in enumerate(snapshot.fans) if fan.entity == "leftElf"]
    for delta in (
        Delta(DeltaType.TURN_USED, active=Entity.LEFT_ELF),
        Delta(DeltaType.BAN, passive=Entity.LEFT_ELF),
        Delta(DeltaType.TURN_USED, active=Entity.LEFT_ELF),
    ):
        snapshot = apply_delta(snapshot, delta)
    marks = [(snapshot.fans[n].banned, snapshot.fans[n].turn_used) for n in elves]
    assert marks == [(False, True), (True, True)]


def test_a_fan_that_was_banned_before_is_not_marked() -> None:
    snapshot = picture({}, phase=Phase.FAN)
    for delta in (
        Delta(DeltaType.BAN, passive=Entity.LEFT_ELF),
        Delta(DeltaType.ROUND_CHANGE, round=2),
        Delta(DeltaType.TURN_USED, active=Entity.LEFT_ELF),
    ):
        snapshot = apply_delta(snapshot, delta)
    elves = [fan for fan in snapshot.fans if fan.entity is Entity.LEFT_ELF]
    assert [(fan.banned, fan.turn_used) for fan in elves] == [(True, False), (False, True)]


def test_a_beater_need_not_carry_bludgers() -> None:
    before = picture({"leftBeater1": (4, 4)}, bludger2=(4, 4))
    delta = Delta(DeltaType.MOVE, new=Cell(5, 5), active=BEATER)
    result = apply_delta(before, delta, carries_bludgers=False)
    assert result.bludgers == before.bludgers
    ball = Delta(DeltaType.MOVE, new=Cell(5, 5), active=Entity.BLUDGER2)
    assert apply_delta(before, ball, carries_bludgers=False).bludgers[1] == Cell(5, 5)


def test_holding_as_the_snapshot_shows_it() -> None:
    snapshot = picture(
        {"leftBeater1": (5, 5), "rightBeater1": (6, 6)},
        bludger1=(5, 5),
        bludger2=(6, 6),
        banned=["rightBeater1"],
        quaffle="leftKeeper",
    )
    holding = [p.entity for p in snapshot.players if snapshot.holds(p)]
    assert holding == ["leftKeeper", "leftBeater1"]
