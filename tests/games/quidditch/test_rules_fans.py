"""Fans: their deeds, their cubes, and how they are caught."""

from typing import Any

import attrs
import pytest

from games.quidditch.rules import (
    ALL_GOALS,
    CELLS,
    MIDDLE,
    Cell,
    Delta,
    DeltaType,
    Entity,
    FanKind,
    Mistake,
    Side,
    State,
    distance,
    legal_requests,
    refusal,
)
from games.quidditch.rules.fans import DEEDS
from tests.games.quidditch.moments import (
    Pair,
    cell,
    deltas,
    do,
    end,
    idle,
    only,
    request,
    scene,
    strict,
    told,
    under,
)

CHASER = "rightChaser1"


def fan_scene(fan: str, players: dict[str, Pair] | None = None, **details: Any) -> State:
    return scene(fan, "fan", players, **details)


@pytest.mark.parametrize("target", ["leftSeeker", "rightBeater1"])
def test_an_elf_teleports_any_player_anywhere(target: str) -> None:
    state = fan_scene("leftElf", {target: (5, 5)})
    places = set()
    for seed in range(150):
        progress = do(state, "elfTeleportation", passive=target, seed=seed)
        assert told(progress) == ["elfTeleportation", "turnUsed"]
        delta = only(progress, "elfTeleportation")
        assert (delta.old, delta.active, delta.passive) == (Cell(5, 5), "leftElf", target)
        assert delta.new == cell(progress, target)
        places.add(delta.new)
    assert len(places) > 90


def test_the_quaffle_is_not_teleported() -> None:
    """'Der Quaffel bleibt auf dem Feld liegen.'"""
    state = fan_scene("leftElf", {CHASER: (5, 5)}, quaffle=CHASER)
    progress = do(state, "elfTeleportation", passive=CHASER)
    assert (end(progress).quaffle, end(progress).holder) == (Cell(5, 5), None)


def test_whoever_is_teleported_onto_a_cube_removes_it() -> None:
    """'Hier wurde ein Spieler von einem Elf auf ein Feld mit Poo teleportiert'."""
    cubes = [one for one in CELLS if one.x in (5, 6)]
    state = fan_scene("leftElf", {CHASER: (10, 5)}, cubes=cubes)
    landed = 0
    for seed in range(40):
        progress = do(state, "elfTeleportation", passive=CHASER, seed=seed)
        place = cell(progress, CHASER)
        if place in cubes:
            landed += 1
            assert told(progress) == ["elfTeleportation", "removePoo", "turnUsed"]
            assert only(progress, "removePoo") == Delta(
                DeltaType.REMOVE_POO, old=place, active=Entity.RIGHT_CHASER1
            )
            assert place not in end(progress).cubes
    assert landed


def test_a_goblin_pushes_an_opponent() -> None:
    state = fan_scene("leftGoblin", {CHASER: (5, 5)})
    places = {cell(do(state, "goblinShock", passive=CHASER, seed=n), CHASER) for n in range(80)}
    assert places == {one for one in CELLS if distance(one, Cell(5, 5)) == 1}


def test_a_shocked_player_fools_the_quaffle_away_first() -> None:
    """'Falls die Entity den Quaffle hält vertändelt sie diesen zuerst mit einem foolAway'."""
    state = fan_scene("leftGoblin", {CHASER: (5, 5)}, quaffle=CHASER)
    progress = do(state, "goblinShock", passive=CHASER)
    assert told(progress) == ["foolAway", "goblinShock", "turnUsed"]
    assert only(progress, "foolAway").passive == CHASER
    assert end(progress).holder is None


@pytest.mark.parametrize(
    ("fan", "target", "details", "mistake"),
    [
        ("leftGoblin", "rightSeeker", {}, None),
        ("leftGoblin", "leftSeeker", {}, Mistake.OWN_TEAM),
        ("leftGoblin", "rightSeeker", {"banned": ["rightSeeker"]}, Mistake.TARGET_BANNED),
        ("leftGoblin", "quaffle", {}, Mistake.NO_TARGET),
        ("leftGoblin", "rightElf", {}, Mistake.NO_TARGET),
        ("leftGoblin", None, {}, Mistake.NO_TARGET),
        ("leftElf", "leftSeeker", {}, None),
        ("leftElf", "rightSeeker", {"knockout": ["rightSeeker"]}, None),
        ("leftElf", "leftSeeker", {"banned": ["leftSeeker"]}, Mistake.TARGET_BANNED),
        ("leftElf", "snitch", {}, Mistake.NO_TARGET),
        ("leftElf", None, {}, Mistake.NO_TARGET),
    ],
)
def test_whom_elves_and_goblins_can_choose(
    fan: str, target: str | None, details: dict[str, Any], mistake: Mistake | None
) -> None:
    state = fan_scene(fan, **details)
    deed = str(DEEDS[Entity(fan).kind])
    assert refusal(state, request(state, deed, passive=target)) is mistake


def test_the_knocked_out_stay_knocked_out_when_moved() -> None:
    state = fan_scene("leftElf", {CHASER: (5, 5)}, knockout=[CHASER])
    assert end(do(state, "elfTeleportation", passive=CHASER)).player(Entity(CHASER)).knockout


@pytest.mark.parametrize("holder", [CHASER, "leftKeeper"])
def test_a_troll_makes_the_holder_lose_the_quaffle(holder: str) -> None:
    state = fan_scene("leftTroll", {holder: (5, 5)}, quaffle=holder)
    progress = do(state, "trollRoar")
    assert told(progress) == ["trollRoar", "turnUsed"]  # no foolAway
    roar = only(progress, "trollRoar")
    assert (roar.old, roar.active, roar.passive) == (Cell(5, 5), "leftTroll", holder)
    assert (end(progress).quaffle, end(progress).holder) == (roar.new, None)
    assert distance(end(progress).quaffle, Cell(5, 5)) == 1


def test_a_roar_at_nobody_changes_nothing() -> None:
    progress = do(fan_scene("leftTroll", quaffle=(7, 7)), "trollRoar")
    assert only(progress, "trollRoar") == Delta(
        DeltaType.TROLL_ROAR, old=Cell(7, 7), new=Cell(7, 7), active=Entity.LEFT_TROLL
    )


def test_a_quaffle_roared_into_a_goal_is_taken_away_and_counts_nothing() -> None:
    state = fan_scene("leftTroll", {CHASER: (13, 5)}, quaffle=CHASER, chances=strict("trollRoar"))
    stories = [do(state, "trollRoar", seed=seed) for seed in range(40)]
    inside = [story for story in stories if only(story, "trollRoar").new in ALL_GOALS]
    assert inside
    for story in inside:
        assert told(story) == ["trollRoar", "move", "ban", "turnUsed"]
        assert end(story).quaffle == MIDDLE


def test_a_niffler_moves_the_snitch() -> None:
    state = fan_scene("leftNiffler", snitch=(5, 5), number=20)
    places = {end(do(state, "snitchSnatch", seed=seed)).snitch for seed in range(80)}
    assert places == {one for one in CELLS if distance(one, Cell(5, 5)) == 1}
    delta = only(do(state, "snitchSnatch"), "snitchSnatch")
    assert (delta.old, delta.active, delta.passive) == (Cell(5, 5), "leftNiffler", "snitch")


def test_the_snitch_removes_a_cube() -> None:
    cubes = [one for one in CELLS if distance(one, Cell(5, 5)) == 1]
    progress = do(fan_scene("leftNiffler", snitch=(5, 5), number=20, cubes=cubes), "snitchSnatch")
    assert told(progress) == ["snitchSnatch", "removePoo", "turnUsed"]
    assert only(progress, "removePoo").active == "snitch"


@pytest.mark.parametrize(("snitch", "number"), [(None, 5), ((5, 5), 31)])
def test_without_snitch_or_in_overtime_a_niffler_does_nothing(
    snitch: Pair | None, number: int
) -> None:
    """The request is accepted all the same, and the referee looks at it."""
    state = fan_scene("leftNiffler", snitch=snitch, number=number, chances=strict("snitchSnatch"))
    progress = do(state, "snitchSnatch")
    assert told(progress) == ["snitchSnatch", "ban", "turnUsed"]
    delta = only(progress, "snitchSnatch")
    assert delta.old == delta.new == snitch == end(progress).snitch


@pytest.mark.parametrize(
    ("new", "mistake"),
    [
        ((5, 5), None),
        ((2, 4), None),  # a goal
        ((3, 0), Mistake.CELL_TAKEN),  # the left seeker
        ((4, 0), None),  # a banned keeper
        ((8, 6), Mistake.CELL_TAKEN),  # the quaffle
        ((13, 0), Mistake.CELL_TAKEN),  # a bludger
        ((6, 6), Mistake.CELL_TAKEN),  # the snitch
        ((7, 7), Mistake.CUBE_IN_THE_WAY),
        ((0, 0), Mistake.OFF_PITCH),
        (None, Mistake.NO_CELL),
    ],
)
def test_where_a_wombat_can_put_a_cube(new: Pair | None, mistake: Mistake | None) -> None:
    state = fan_scene("leftWombat", snitch=(6, 6), cubes=[(7, 7)], banned=["leftKeeper"])
    assert refusal(state, request(state, "wombatPoo", new)) is mistake


def test_a_wombat_puts_a_cube() -> None:
    progress = do(fan_scene("rightWombat", cubes=[(7, 7)]), "wombatPoo", (5, 5))
    assert told(progress) == ["wombatPoo", "turnUsed"]
    assert deltas(progress)[0] == Delta(
        DeltaType.WOMBAT_POO, new=Cell(5, 5), active=Entity.RIGHT_WOMBAT
    )
    assert end(progress).cubes == (Cell(7, 7), Cell(5, 5))


def test_cubes_go_when_a_new_fan_phase_begins() -> None:
    """'Wird gesendet wenn eine neue Fanphase *beginnt*'."""
    progress = idle(scene("leftSeeker", then=[], cubes=[(7, 7), (5, 5)]))
    assert told(progress) == ["skip", "turnUsed", "phaseChange", "removePoo"]
    assert deltas(progress)[-1] == Delta(DeltaType.REMOVE_POO)
    assert end(progress).cubes == ()


DEMANDS: dict[FanKind, dict[str, Any]] = {
    FanKind.ELF: {"passive": "leftSeeker"},
    FanKind.GOBLIN: {"passive": "leftSeeker"},
    FanKind.TROLL: {},
    FanKind.NIFFLER: {},
    FanKind.WOMBAT: {"new": (5, 5)},
}


@pytest.mark.parametrize("kind", FanKind)
def test_each_deed_has_a_chance_of_its_own_to_be_noticed(kind: FanKind) -> None:
    deed = str(DEEDS[kind])
    entity = f"right{kind.capitalize()}"
    seen = do(fan_scene(entity, chances=strict(deed)), deed, **DEMANDS[kind])
    assert told(seen) == [deed, "ban", "turnUsed"]
    ban = only(seen, "ban")
    assert (ban.passive, ban.ban_reason) == (entity, deed)
    fans = [fan for fan in end(seen).fans_of(Side.RIGHT) if fan.kind is kind]
    assert [(fan.banned, fan.turn_used) for fan in fans if fan.banned] == [(True, True)]
    assert not any(fan.banned for fan in end(seen).fans_of(Side.LEFT))
    others = [str(other) for other in DEEDS.values() if other != deed]
    unseen = do(fan_scene(entity, chances=strict(*others)), deed, **DEMANDS[kind])
    assert told(unseen) == [deed, "turnUsed"]


@pytest.mark.parametrize("kind", FanKind)
def test_a_fan_does_only_what_its_kind_does(kind: FanKind) -> None:
    state = fan_scene(f"right{kind.capitalize()}")
    for other in FanKind:
        asked = request(state, str(DEEDS[other]), **DEMANDS[other])
        assert refusal(state, asked) is (None if other is kind else Mistake.WRONG_DEED)
    assert refusal(state, request(state, "move", (5, 5))) is Mistake.WRONG_DEED


def test_a_fan_that_skips_is_not_looked_at() -> None:
    state = fan_scene("leftTroll")
    for kind in ("skip", "trollRoar"):
        assert refusal(state, request(state, kind)) is None
    strictly = under(state, strict("trollRoar"))
    assert told(do(strictly, "skip")) == told(idle(strictly)) == ["skip", "turnUsed"]


def test_fans_of_a_kind_act_one_after_the_other() -> None:
    state = fan_scene("leftElf", then=["leftElf", "leftTroll"], chances=strict("elfTeleportation"))
    first = idle(state)
    second = do(first.state, "elfTeleportation", passive="rightSeeker")
    elves = [fan for fan in end(second).fans_of(Side.LEFT) if fan.kind is FanKind.ELF]
    assert [(elf.banned, elf.turn_used) for elf in elves] == [(False, True), (True, True)]


def test_the_fan_that_was_banned_has_used_its_turn_and_no_other() -> None:
    """Also when another one of its kind looks the same, having been banned in an earlier round."""
    state = fan_scene("leftElf", then=["leftElf", "leftTroll"], chances=strict("elfTeleportation"))
    numbers = [n for n, fan in enumerate(state.snapshot.fans) if fan.entity is Entity.LEFT_ELF]
    fans = list(state.snapshot.fans)
    fans[numbers[0]] = attrs.evolve(fans[numbers[0]], banned=True)
    state = attrs.evolve(state, snapshot=attrs.evolve(state.snapshot, fans=tuple(fans)))
    after = end(do(state, "elfTeleportation", passive="rightSeeker"))
    marks = [(after.fans[n].banned, after.fans[n].turn_used) for n in numbers]
    assert marks == [(True, False), (True, True)]


def test_a_goblin_may_find_nobody() -> None:
    rivals = [str(entity) for entity in Entity if entity.is_player and entity.side is Side.RIGHT]
    state = fan_scene("leftGoblin", banned=rivals)
    assert [asked.type for asked in legal_requests(state)] == ["skip"]
