"""Moves of players: what they carry, whom they push, what they catch."""

import pytest

from games.quidditch.rules import (
    Broom,
    Cell,
    Delta,
    DeltaType,
    Entity,
    Mistake,
    refusal,
)
from tests.games.quidditch.moments import (
    cell,
    config,
    deltas,
    do,
    end,
    idle,
    only,
    request,
    scene,
    strict,
    told,
)

EVERY_FOUL = strict("flacking", "haversacking", "stooging", "blatching", "snitchnip")
BEATER, SEEKER, CHASER = "leftBeater1", "leftSeeker", "leftChaser1"


@pytest.mark.parametrize(
    ("new", "mistake"),
    [
        ((5, 5), None),
        ((6, 6), None),
        ((4, 5), None),
        ((7, 5), Mistake.TOO_FAR),
        ((6, 3), Mistake.TOO_FAR),
        ((5, 4), Mistake.CUBE_IN_THE_WAY),
        ((17, 5), Mistake.OFF_PITCH),
        (None, Mistake.NO_CELL),
    ],
)
def test_where_a_player_may_go(new: tuple[int, int] | None, mistake: Mistake | None) -> None:
    """'Spieler versucht mehr als ein Entfernung zu bewegen' is a violation."""
    state = scene(CHASER, players={CHASER: (5, 5)}, cubes=[(5, 4)])
    assert refusal(state, request(state, "move", new)) is mistake


def test_the_corners_of_the_picture_are_not_on_the_pitch() -> None:
    state = scene(CHASER, players={CHASER: (3, 0)})
    assert refusal(state, request(state, "move", (2, 0))) is Mistake.OFF_PITCH


def test_a_move_is_told_and_ends_the_turn() -> None:
    progress = do(scene(SEEKER, players={SEEKER: (5, 5)}), "move", (6, 4))
    assert deltas(progress) == [
        Delta(DeltaType.MOVE, old=Cell(5, 5), new=Cell(6, 4), active=Entity.LEFT_SEEKER),
        Delta(DeltaType.TURN_USED, active=Entity.LEFT_SEEKER),
    ]
    assert end(progress).player(Entity.LEFT_SEEKER).turn_used


def test_to_stay_is_a_move_in_which_nothing_happens() -> None:
    state = scene("leftKeeper", players={"leftKeeper": (2, 4)}, chances=EVERY_FOUL, snitch=(2, 4))
    progress = do(state, "move", (2, 4))
    assert told(progress) == ["move", "turnUsed"]
    assert only(progress, "move").old == only(progress, "move").new == Cell(2, 4)


@pytest.mark.parametrize("holder", ["leftChaser1", "leftKeeper"])
def test_a_held_quaffle_goes_along_without_a_delta(holder: str) -> None:
    state = scene(holder, players={holder: (5, 5)}, quaffle=holder)
    progress = do(state, "move", (6, 5))
    assert told(progress) == ["move"]
    assert (end(progress).quaffle, end(progress).holder) == (Cell(6, 5), holder)


@pytest.mark.parametrize("holder", ["leftChaser1", "leftKeeper"])
def test_chasers_and_keepers_pick_the_quaffle_up(holder: str) -> None:
    progress = do(scene(holder, players={holder: (7, 6)}), "move", (8, 6))
    assert end(progress).holder == holder
    assert progress.state.turn is not None
    assert progress.state.turn.type == "action"


@pytest.mark.parametrize("mover", [BEATER, SEEKER])
def test_the_quaffle_hops_away_from_beaters_and_seekers(mover: str) -> None:
    progress = do(scene(mover, players={mover: (7, 6)}), "move", (8, 6))
    assert told(progress) == ["move", "foolAway", "turnUsed"]
    hop = only(progress, "foolAway")
    assert (hop.old, hop.active, hop.passive) == (Cell(8, 6), "quaffle", mover)
    assert end(progress).quaffle == hop.new != Cell(8, 6)
    assert end(progress).holder is None


@pytest.mark.parametrize("carries", [True, False])
def test_beaters_carry_the_bludgers_on_their_cell(carries: bool) -> None:
    """'Falls Quaffel oder Bluger getragen werden werden sie auch bewegt'."""
    state = scene(
        BEATER,
        players={BEATER: (5, 5)},
        bludger1=(5, 5),
        bludger2=(5, 5),
        chances=config(carries_bludgers=carries),
    )
    place = Cell(5, 6) if carries else Cell(5, 5)
    assert end(do(state, "move", (5, 6))).bludgers == (place, place)


def test_others_leave_a_bludger_behind() -> None:
    state = scene(CHASER, players={CHASER: (5, 5)}, bludger1=(5, 5), chances=config(knock_out=1))
    progress = do(state, "move", (5, 6))
    assert end(progress).bludgers[0] == Cell(5, 5)


def test_walking_onto_a_bludger_is_safe() -> None:
    state = scene(CHASER, players={CHASER: (5, 5)}, bludger1=(5, 6), chances=config(knock_out=1))
    assert told(do(state, "move", (5, 6))) == ["move", "turnUsed"]


def test_blatching_pushes_the_opponent_who_loses_the_quaffle_first() -> None:
    """case 5: 'entity moves and produce a blatching foul', 'entity moves because of blatching'."""
    state = scene(CHASER, players={CHASER: (5, 5), "rightChaser1": (6, 5)}, quaffle="rightChaser1")
    for seed in range(20):
        progress = do(state, "move", (6, 5), seed=seed)
        assert told(progress) == ["move", "foolAway", "move", "turnUsed"]
        first, lost, second, _ = progress.steps
        assert (lost.delta.old, lost.delta.passive) == (Cell(6, 5), "rightChaser1")
        assert (second.delta.old, second.delta.active) == (Cell(6, 5), "rightChaser1")
        pushed = cell(progress, "rightChaser1")
        assert second.delta.new == pushed not in (Cell(6, 5), lost.delta.new)
        # No snapshot shows two players on one cell, so the victim is already gone in the first.
        assert first.displaced is not None
        assert (first.displaced.entity, first.displaced.cell) == ("rightChaser1", pushed)
        assert first.snapshot.player(Entity.RIGHT_CHASER1).cell == pushed
        assert first.snapshot.quaffle == pushed  # still in the victim's hands
        assert end(progress).holder is None


def test_the_victim_may_be_pushed_to_where_the_mover_came_from() -> None:
    state = scene(CHASER, players={CHASER: (5, 5), "rightSeeker": (6, 5)})
    places = {cell(do(state, "move", (6, 5), seed=seed), "rightSeeker") for seed in range(100)}
    assert places == {Cell(x, y) for x in (5, 6, 7) for y in (4, 5, 6)} - {Cell(6, 5)}


@pytest.mark.parametrize(("mover", "takes"), [(CHASER, True), (SEEKER, False)])
def test_a_pushed_team_mate_leaves_the_quaffle(mover: str, takes: bool) -> None:
    state = scene(
        mover,
        players={mover: (5, 5), "leftChaser2": (6, 5)},
        quaffle="leftChaser2",
        chances=EVERY_FOUL,
    )
    progress = do(state, "move", (6, 5))
    assert told(progress) == ["move", "move"] + ([] if takes else ["foolAway", "turnUsed"])
    assert end(progress).holder == (mover if takes else None)
    assert cell(progress, "leftChaser2") != Cell(6, 5)
    assert not end(progress).player(Entity(mover)).banned


def test_a_pushed_beater_leaves_the_bludger() -> None:
    state = scene(CHASER, players={CHASER: (5, 5), "leftBeater2": (6, 5)}, bludger2=(6, 5))
    assert end(do(state, "move", (6, 5))).bludgers[1] == Cell(6, 5)


def test_whoever_is_pushed_onto_a_cube_removes_it() -> None:
    cubes = [(7, 5), (5, 4), (6, 4), (7, 4), (5, 6), (6, 6), (7, 6)]
    state = scene(CHASER, players={CHASER: (5, 5), "rightSeeker": (6, 5)}, cubes=cubes)
    for seed in range(10):
        progress = do(state, "move", (6, 5), seed=seed)
        place = cell(progress, "rightSeeker")
        if place == Cell(5, 5):
            assert told(progress) == ["move", "move", "turnUsed"]
        else:
            assert told(progress) == ["move", "move", "removePoo", "turnUsed"]
            removal = only(progress, "removePoo")
            assert (removal.old, removal.active) == (place, "rightSeeker")
            assert place not in end(progress).cubes


@pytest.mark.parametrize("caught", [True, False])
def test_a_seeker_on_the_snitch_tries_to_catch_it(caught: bool) -> None:
    """'... wenn ein Sucher auf das Feld mit dem Schnatz zieht.'"""
    state = scene(
        SEEKER,
        players={SEEKER: (5, 5)},
        snitch=(6, 5),
        points=(10, 20),
        chances=config(catch_snitch=float(caught)),
    )
    progress = do(state, "move", (6, 5))
    rest = ["phaseChange"] if caught else ["turnUsed"]
    assert told(progress) == ["move", "snitchCatch", *rest]
    assert only(progress, "snitchCatch") == Delta(
        DeltaType.SNITCH_CATCH,
        success=caught,
        active=Entity.LEFT_SEEKER,
        left_points=40 if caught else 10,
        right_points=20,
    )
    assert progress.state.over is caught


def test_a_detected_seeker_does_not_catch() -> None:
    """Only if he got away with it does his move have further consequences."""
    sharp = strict("blatching")
    state = scene(
        SEEKER,
        players={SEEKER: (5, 5), "rightSeeker": (6, 5)},
        snitch=(6, 5),
        chances=config(catch_snitch=1, foul_detection=sharp.foul_detection),
    )
    assert "snitchCatch" not in told(do(state, "move", (6, 5)))


def test_an_extra_move_comes_after_an_executed_move_only_and_once() -> None:
    brooms = dict.fromkeys(config().extra_move, 1.0)
    state = scene(SEEKER, players={SEEKER: (5, 5)}, chances=config(extra_move=brooms))
    first = do(state, "move", (6, 5))
    assert told(first) == ["move"]
    assert first.state.turn == state.turn
    assert told(do(first.state, "move", (7, 5))) == ["move", "turnUsed"]
    assert told(idle(first.state)) == ["skip", "turnUsed"]
    assert told(idle(state)) == ["skip", "turnUsed"]


def test_the_extra_move_depends_on_the_own_broom() -> None:
    brooms = {**config().extra_move, Broom.FIREBOLT: 1.0}
    for entity, again in ((SEEKER, True), (CHASER, False)):
        state = scene(entity, players={entity: (5, 5)}, chances=config(extra_move=brooms))
        assert ("turnUsed" not in told(do(state, "move", (6, 5)))) is again


def test_a_ban_in_the_extra_move_leaves_nothing_to_the_next_player() -> None:
    sharp = strict("flacking")
    chances = config(
        foul_detection=sharp.foul_detection, extra_move=dict.fromkeys(sharp.extra_move, 1.0)
    )
    state = scene(SEEKER, players={SEEKER: (3, 3)}, chances=chances)
    second = do(do(state, "move", (3, 4)).state, "move", (2, 4))
    assert told(second) == ["move", "ban", "turnUsed"]
    assert not second.state.extra_move


def test_a_banned_player_has_no_extra_move() -> None:
    sharp = strict("flacking")
    chances = config(
        foul_detection=sharp.foul_detection, extra_move=dict.fromkeys(sharp.extra_move, 1.0)
    )
    state = scene(SEEKER, players={SEEKER: (3, 4)}, chances=chances)
    assert told(do(state, "move", (2, 4))) == ["move", "ban", "turnUsed"]
