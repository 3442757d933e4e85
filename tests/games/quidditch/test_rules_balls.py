"""Bludgers and the snitch: how they fly by themselves, whom they hit, who catches them."""

import random
from typing import Any

import attrs
import pytest

from games.quidditch.rules import (
    CELLS,
    MIDDLE,
    Cell,
    Delta,
    DeltaType,
    Entity,
    Mistake,
    Phase,
    Progress,
    distance,
    refusal,
)
from games.quidditch.rules.draft import Draft
from games.quidditch.rules.flow import run
from games.quidditch.rules.places import free_neighbour
from tests.games.quidditch.moments import (
    Pair,
    cell,
    config,
    deltas,
    do,
    end,
    only,
    picture,
    request,
    scene,
    told,
)

BEATER = "leftBeater1"
ALL = [str(entity) for entity in Entity if entity.is_player]
HARD = config(knock_out=1)


def ball_phase(seed: int = 0, *, arrival: int | None = None, **details: Any) -> Progress:
    """Play the ball phase of a scene."""
    state = scene("leftSeeker", **details)
    snapshot = attrs.evolve(state.snapshot, phase=Phase.BALL)
    state = attrs.evolve(state, snapshot=snapshot, turn=None, snitch_arrival=arrival)
    draft = Draft.of(state, random.Random(seed))
    run(draft)
    return draft.progress()


def all_but(*names: str) -> list[str]:
    return [name for name in ALL if name not in names]


def moves_of(progress: Progress, ball: str) -> list[Delta]:
    return [delta for delta in deltas(progress) if delta.type == "move" and delta.active == ball]


def test_a_bludger_flies_towards_the_nearest_player() -> None:
    for seed in range(20):
        progress = ball_phase(
            seed, players={"leftChaser1": (5, 5), "leftChaser2": (9, 9)}, bludger1=(8, 6)
        )
        (move,) = moves_of(progress, "bludger1")
        assert move.old == Cell(8, 6)
        assert move.new in {Cell(7, 5), Cell(7, 6), Cell(7, 7), Cell(8, 7), Cell(9, 7)}


def test_bludgers_do_not_hunt_beaters_the_banned_or_those_on_their_cell() -> None:
    progress = ball_phase(
        players={
            "leftBeater1": (8, 5),
            "leftChaser1": (8, 7),
            "leftChaser2": (8, 6),
            "rightKeeper": (4, 6),
        },
        banned=["leftChaser1"],
        bludger1=(8, 6),
    )
    (move,) = moves_of(progress, "bludger1")
    assert move.new is not None
    assert move.new.x == 7
    assert "bludgerKnockout" not in told(progress)


def test_both_bludgers_fly_in_random_order() -> None:
    orders = {
        tuple(d.active for d in deltas(ball_phase(seed)) if d.type == "move") for seed in range(20)
    }
    assert orders == {("bludger1", "bludger2"), ("bludger2", "bludger1")}


def test_a_bludger_that_finds_nobody_stays() -> None:
    beaters = ["leftBeater1", "leftBeater2", "rightBeater1", "rightBeater2"]
    progress = ball_phase(banned=all_but(*beaters))
    assert told(progress)[0] == "phaseChange"


def test_a_knock_out() -> None:
    """'in the ballPhase bludger moves to the field with the entity', 'gets bludgerKnockout'."""
    progress = ball_phase(players={"leftSeeker": (8, 7)}, bludger1=(8, 6), chances=HARD)
    knockout = only(progress, "bludgerKnockout")
    assert (knockout.success, knockout.old, knockout.active, knockout.passive) == (
        True,
        Cell(8, 7),
        "bludger1",
        "leftSeeker",
    )
    assert end(progress).bludgers[0] == knockout.new != Cell(8, 7)
    assert end(progress).player(Entity.LEFT_SEEKER).knockout


def test_a_bludger_flies_anywhere_after_a_knock_out() -> None:
    places = {
        only(
            ball_phase(seed, players={"leftSeeker": (8, 7)}, bludger1=(8, 6), chances=HARD),
            "bludgerKnockout",
        ).new
        for seed in range(120)
    }
    assert len(places) > 80


def test_a_failed_knock_out() -> None:
    """'null if success false'; the bludger stays on the victim's cell."""
    progress = ball_phase(players={"leftSeeker": (8, 7)}, bludger1=(8, 6))
    knockout = only(progress, "bludgerKnockout")
    assert (knockout.success, knockout.new) == (False, None)
    assert end(progress).bludgers[0] == Cell(8, 7)
    assert not end(progress).player(Entity.LEFT_SEEKER).knockout


def test_a_knocked_out_player_loses_the_quaffle_first() -> None:
    """case 3: bludger moves, foolAway, bludgerKnockout."""
    details: dict[str, Any] = {
        "players": {"leftChaser1": (8, 7)},
        "quaffle": "leftChaser1",
        "bludger1": (8, 6),
    }
    progress = ball_phase(**details, chances=HARD)
    kinds = [kind for kind in told(progress) if kind in ("foolAway", "bludgerKnockout")]
    assert kinds == ["foolAway", "bludgerKnockout"]
    assert only(progress, "foolAway").passive == "leftChaser1"
    assert distance(end(progress).quaffle, Cell(8, 7)) == 1
    assert "foolAway" not in told(ball_phase(**details))


def test_a_quaffle_that_is_fooled_away_into_a_goal_does_not_stay_there() -> None:
    for seed in range(60):
        progress = ball_phase(
            seed,
            players={"leftChaser1": (13, 5)},
            quaffle="leftChaser1",
            bludger1=(12, 5),
            chances=HARD,
        )
        lost = only(progress, "foolAway").new
        if lost in (Cell(14, 4), Cell(14, 6)):
            assert [delta.old for delta in moves_of(progress, "quaffle")] == [lost]
            assert end(progress).quaffle == MIDDLE
            assert "goalPointsChange" not in told(progress)
            return
    pytest.fail("it never came down on a goal")


@pytest.mark.parametrize(
    ("target", "passive", "mistake"),
    [
        ((5, 6), "bludger1", None),
        ((8, 8), "bludger1", None),
        ((2, 5), "bludger1", None),
        ((9, 5), "bludger1", Mistake.OUT_OF_REACH),
        ((5, 5), "bludger1", None),
        ((5, 6), "bludger2", Mistake.NO_BLUDGER),
        ((5, 6), "quaffle", Mistake.NO_BLUDGER),
        ((5, 6), None, Mistake.NO_BLUDGER),
        ((5, 3), "bludger1", Mistake.PLAYER_IN_THE_WAY),
        ((5, 4), "bludger1", None),
        ((17, 5), "bludger1", Mistake.OFF_PITCH),
        (None, "bludger1", Mistake.NO_CELL),
    ],
)
def test_where_a_bludger_can_be_beaten(
    target: Pair | None, passive: str | None, mistake: Mistake | None
) -> None:
    """'Klatscher wird mehr als 3 Entfernung gekloppt' is a violation."""
    players = {BEATER: (5, 5), "leftChaser1": (5, 4)}
    state = scene(BEATER, "action", players, bludger1=(5, 5))
    assert refusal(state, request(state, "bludgerBeating", target, passive)) is mistake


def test_a_bludger_beaten_onto_the_beaters_own_cell_stays() -> None:
    """Only «mehr als 3 Entfernung» is a violation; a bludger that stays does nothing to anybody."""
    state = scene(BEATER, "action", {BEATER: (5, 5)}, bludger1=(5, 5))
    progress = do(state, "bludgerBeating", (5, 5), "bludger1")
    assert told(progress)[:2] == ["bludgerBeating", "turnUsed"]
    beating = only(progress, "bludgerBeating")
    assert (beating.old, beating.new) == ((5, 5), (5, 5))
    assert end(progress).bludgers[0] == (5, 5)


def test_only_beaters_beat() -> None:
    state = scene("leftChaser1", "action", {"leftChaser1": (5, 5)}, bludger1=(5, 5))
    asked = request(state, "bludgerBeating", (5, 6), "bludger1")
    assert refusal(state, asked) is Mistake.NO_BLUDGER


@pytest.mark.parametrize("victim", ["rightChaser1", "leftChaser1", "rightSeeker", "leftKeeper"])
def test_beating_a_bludger_at_somebody(victim: str) -> None:
    """'Beater können nur Seeker, Keeper und Chaser ausknocken.' Of either team."""
    state = scene(BEATER, "action", {BEATER: (5, 5), victim: (7, 5)}, bludger2=(5, 5), chances=HARD)
    progress = do(state, "bludgerBeating", (7, 5), "bludger2")
    assert told(progress) == ["bludgerBeating", "bludgerKnockout", "turnUsed"]
    assert deltas(progress)[0] == Delta(
        DeltaType.BLUDGER_BEATING,
        old=Cell(5, 5),
        new=Cell(7, 5),
        active=Entity.LEFT_BEATER1,
        passive=Entity.BLUDGER2,
    )
    assert end(progress).player(Entity(victim)).knockout


def test_beating_a_bludger_at_the_quaffle_holder() -> None:
    players = {BEATER: (5, 5), "rightChaser1": (7, 5)}
    state = scene(BEATER, "action", players, bludger1=(5, 5), quaffle="rightChaser1", chances=HARD)
    progress = do(state, "bludgerBeating", (7, 5), "bludger1")
    assert told(progress) == ["bludgerBeating", "foolAway", "bludgerKnockout", "turnUsed"]


@pytest.mark.parametrize("there", [{}, {"rightBeater2": (7, 5)}])
def test_beating_a_bludger_at_nobody_or_a_beater(there: dict[str, Pair]) -> None:
    state = scene(BEATER, "action", {BEATER: (5, 5), **there}, bludger1=(5, 5), chances=HARD)
    progress = do(state, "bludgerBeating", (7, 5), "bludger1")
    assert told(progress) == ["bludgerBeating", "turnUsed"]
    assert end(progress).bludgers[0] == Cell(7, 5)


def test_a_ball_that_comes_down_on_a_cube_removes_it() -> None:
    state = scene(BEATER, "action", {BEATER: (5, 5)}, bludger1=(5, 5), cubes=[(7, 5), (3, 3)])
    progress = do(state, "bludgerBeating", (7, 5), "bludger1")
    assert told(progress) == ["bludgerBeating", "removePoo", "turnUsed"]
    assert only(progress, "removePoo").active == "bludger1"
    assert end(progress).cubes == (Cell(3, 3),)


def test_the_snitch_appears_in_round_13_between_the_seekers() -> None:
    assert not moves_of(ball_phase(number=12), "snitch")
    seekers = {"leftSeeker": (2, 6), "rightSeeker": (12, 6)}
    for seed in range(30):
        appears, flies = moves_of(ball_phase(seed, players=seekers, number=13), "snitch")
        assert appears.old is None
        assert appears.new is not None
        assert distance(appears.new, Cell(2, 6)) == distance(appears.new, Cell(12, 6))
        assert flies.old == appears.new != flies.new


def test_with_a_banned_seeker_the_snitch_appears_anywhere() -> None:
    places = set()
    for seed in range(100):
        details: dict[str, Any] = {
            "players": {"rightSeeker": (12, 6)},
            "banned": ["rightSeeker"],
            "number": 13,
        }
        appears, _ = moves_of(ball_phase(seed, **details), "snitch")
        places.add(appears.new)
    assert len(places) > 60


def test_the_snitch_evades_the_nearest_seeker() -> None:
    players = {"leftSeeker": (7, 6), "rightSeeker": (14, 6)}
    for seed in range(30):
        (move,) = moves_of(ball_phase(seed, players=players, snitch=(9, 6), number=15), "snitch")
        assert move.new in {Cell(10, y) for y in (5, 6, 7)}


def test_the_snitch_may_evade_either_of_two_seekers() -> None:
    players = {"leftSeeker": (5, 6), "rightSeeker": (11, 6)}
    details: dict[str, Any] = {"players": players, "snitch": (8, 6), "quaffle": (1, 6)}
    moves = [moves_of(ball_phase(seed, number=15, **details), "snitch")[0] for seed in range(30)]
    assert {move.new.x for move in moves if move.new} == {7, 9}


def test_the_snitch_evades_to_free_cells_only() -> None:
    players = {"leftSeeker": (7, 6), "leftBeater1": (10, 5), "rightBeater1": (10, 6)}
    for seed in range(20):
        (move,) = moves_of(ball_phase(seed, players=players, snitch=(9, 6), number=15), "snitch")
        assert move.new == Cell(10, 7)


def test_a_cornered_snitch_flies_to_any_free_cell() -> None:
    players = {"leftSeeker": (14, 6), "rightSeeker": (0, 6)}
    places = {
        moves_of(ball_phase(seed, players=players, snitch=(16, 6), number=15), "snitch")[0].new
        for seed in range(60)
    }
    assert places == {Cell(15, 5), Cell(15, 6), Cell(15, 7), Cell(16, 5), Cell(16, 7)}


def test_nobody_is_evaded_when_both_seekers_are_banned() -> None:
    details: dict[str, Any] = {
        "banned": ["leftSeeker", "rightSeeker"],
        "snitch": (9, 6),
        "number": 15,
    }
    places = {moves_of(ball_phase(seed, **details), "snitch")[0].new for seed in range(80)}
    assert places == {one for one in CELLS if distance(one, Cell(9, 6)) == 1} - {MIDDLE}


def test_a_free_cell_is_found_through_a_crowd() -> None:
    """If no neighbour is free, look again from a random neighbour."""
    block = [one for one in CELLS if distance(one, Cell(6, 6)) <= 1]
    crowd = dict(zip(ALL, block, strict=False))
    found = {free_neighbour(picture(crowd), Cell(6, 6), random.Random(n)) for n in range(200)}
    beyond = {one for one in CELLS if distance(one, Cell(6, 6)) == 2}
    assert found == beyond - {MIDDLE}  # where the quaffle is


def test_cells_of_banned_players_are_free() -> None:
    crowd = dict(zip(ALL, [one for one in CELLS if distance(one, Cell(6, 6)) == 1], strict=False))
    scene_ = picture(crowd, banned=[ALL[2]])
    assert free_neighbour(scene_, Cell(6, 6), random.Random(0)) == crowd[ALL[2]]


@pytest.mark.parametrize("number", [31, 33])
def test_in_overtime_every_catch_succeeds(number: int) -> None:
    """Overtime begins when the round number exceeds maxRounds, here 30."""
    for played in (30, number):
        state = scene("leftSeeker", players={"leftSeeker": (5, 5)}, snitch=(6, 5), number=played)
        assert only(do(state, "move", (6, 5)), "snitchCatch").success is (played > 30)
    (move,) = moves_of(ball_phase(players={}, snitch=(9, 6), number=number), "snitch")
    assert move.new is not None
    assert distance(move.new, Cell(3, 0)) > distance(Cell(9, 6), Cell(3, 0))  # still evades


def test_then_the_snitch_flies_to_the_middle() -> None:
    for seed in range(10):
        progress = ball_phase(seed, snitch=(11, 6), number=34, players={"leftKeeper": (10, 6)})
        (move,) = moves_of(progress, "snitch")
        assert move.new in {Cell(10, 5), Cell(10, 6), Cell(10, 7)}
        assert progress.state.snitch_arrival is None


@pytest.mark.parametrize("snitch", [(9, 6), (8, 6)])
def test_and_rests_there_for_three_rounds(snitch: Pair) -> None:
    progress = ball_phase(snitch=snitch, number=34, quaffle=(4, 4))
    assert progress.state.snitch_arrival == 34
    assert len(moves_of(progress, "snitch")) == (snitch != (8, 6))
    for number in (35, 36, 37):
        assert not moves_of(ball_phase(snitch=(8, 6), number=number, arrival=34), "snitch")
    last = ball_phase(snitch=(8, 6), number=38, arrival=34, players={"rightSeeker": (10, 9)})
    assert told(last) == ["move", "snitchCatch", "phaseChange"]
    assert deltas(last)[0].new == Cell(10, 9)
    assert last.state.result is not None
    assert last.state.result.winner == "right"


def test_on_its_way_it_can_meet_a_seeker() -> None:
    """case 2: 'snitch moves on field with left or right seeker'."""
    there = {"leftSeeker": (8, 6)}
    met = ball_phase(snitch=(9, 6), number=34, players=there, quaffle=(4, 4))
    assert told(met) == ["move", "snitchCatch", "phaseChange"]
    asleep: dict[str, Any] = {"knockout": ["leftSeeker"], "quaffle": (4, 4)}
    missed = ball_phase(snitch=(9, 6), number=34, players=there, **asleep)
    assert "snitchCatch" not in told(missed)
    forced = ball_phase(snitch=(8, 6), number=38, arrival=34, players=there, **asleep)
    assert told(forced) == ["move", "snitchCatch", "phaseChange"]


def test_without_seekers_it_waits_for_fifty_rounds() -> None:
    details: dict[str, Any] = {
        "banned": ["leftSeeker", "rightSeeker"],
        "snitch": (8, 6),
        "arrival": 34,
    }
    for number in (38, 60, 87):
        assert not moves_of(ball_phase(number=number, **details), "snitch")
    progress = ball_phase(number=88, points=(10, 20), **details)
    assert told(progress) == ["phaseChange"]
    assert progress.state.result is not None
    assert (progress.state.result.winner, progress.state.result.reason) == ("right", "mostPoints")
    assert cell(progress, "leftSeeker") == Cell(3, 0)
