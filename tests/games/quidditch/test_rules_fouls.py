"""Fouls: who commits them, what they cost, what they do all the same."""

import pytest

from games.quidditch.rules import BanReason, Cell, Delta, DeltaType, Entity, State
from tests.games.quidditch.moments import deltas, do, end, only, scene, strict, told, under

EVERY_FOUL = strict("flacking", "haversacking", "stooging", "blatching", "snitchnip")
BEATER, SEEKER, CHASER = "leftBeater1", "leftSeeker", "leftChaser1"

FOULS = {
    "blatching": (scene(CHASER, players={CHASER: (5, 5), "rightBeater1": (6, 5)}), (6, 5)),
    "flacking": (scene(BEATER, players={BEATER: (3, 4)}), (2, 4)),
    "haversacking": (scene(CHASER, players={CHASER: (13, 4)}, quaffle=CHASER), (14, 4)),
    "stooging": (scene(CHASER, players={CHASER: (11, 6), "leftChaser3": (12, 4)}), (12, 6)),
    "snitchnip": (scene("leftKeeper", players={"leftKeeper": (5, 5)}, snitch=(6, 5)), (6, 5)),
}


@pytest.mark.parametrize("foul", FOULS)
def test_a_detected_foul_bans_the_player(foul: str) -> None:
    state, new = FOULS[foul]
    assert state.turn is not None
    progress = do(under(state, strict(foul)), "move", new)
    assert only(progress, "ban") == Delta(
        DeltaType.BAN, passive=state.turn.entity, ban_reason=BanReason(foul)
    )
    assert "turnUsed" in told(progress)
    offender = end(progress).player(state.turn.entity)
    assert offender.banned
    assert offender.cell == new  # where he was last


@pytest.mark.parametrize("foul", FOULS)
def test_each_foul_has_a_chance_of_its_own(foul: str) -> None:
    state, new = FOULS[foul]
    others = strict(*(reason for reason in FOULS if reason != foul))
    assert "ban" not in told(do(under(state, others), "move", new))


@pytest.mark.parametrize(
    ("state", "new"),
    [
        pytest.param(scene(SEEKER, players={SEEKER: (13, 4)}), (14, 4), id="onto an opposing goal"),
        pytest.param(
            scene(CHASER, players={CHASER: (13, 4)}), (14, 4), id="chaser without quaffle"
        ),
        pytest.param(
            scene(CHASER, players={CHASER: (12, 6), "leftChaser3": (12, 4)}),
            (12, 7),
            id="stooging counts on entering only",
        ),
        pytest.param(
            scene(CHASER, players={CHASER: (11, 6), "leftBeater1": (12, 4)}),
            (12, 6),
            id="a beater is in the zone",
        ),
        pytest.param(
            scene(
                CHASER, players={CHASER: (11, 6), "leftChaser3": (12, 4)}, banned=["leftChaser3"]
            ),
            (12, 6),
            id="the other chaser is banned",
        ),
        pytest.param(
            scene(CHASER, players={CHASER: (5, 6), "leftChaser3": (4, 4)}),
            (4, 6),
            id="the own keeper zone",
        ),
        pytest.param(
            scene("leftBeater1", players={"leftBeater1": (11, 6), "leftChaser3": (12, 4)}),
            (12, 6),
            id="only chasers stooge",
        ),
        pytest.param(
            scene(CHASER, players={CHASER: (5, 5), "rightSeeker": (6, 5)}, banned=["rightSeeker"]),
            (6, 5),
            id="the opponent is banned",
        ),
    ],
)
def test_what_is_no_foul(state: State, new: tuple[int, int]) -> None:
    progress = do(under(state, EVERY_FOUL), "move", new)
    assert told(progress) == ["move", "turnUsed"]


@pytest.mark.parametrize(
    ("reasons", "banned_for"),
    [
        (["blatching", "flacking", "snitchnip"], "blatching"),
        (["flacking", "snitchnip"], "flacking"),
        (["snitchnip"], "snitchnip"),
    ],
)
def test_one_ban_at_most(reasons: list[str], banned_for: str) -> None:
    """Fouls are checked one after another until the first is detected."""
    state = scene(
        CHASER,
        players={CHASER: (3, 4), "rightSeeker": (2, 4)},
        snitch=(2, 4),
        chances=strict(*reasons),
    )
    assert only(do(state, "move", (2, 4)), "ban").ban_reason == banned_for


def test_a_stooging_chaser_drops_the_quaffle() -> None:
    state = scene(
        CHASER,
        players={CHASER: (12, 1), "leftChaser2": (13, 6)},
        quaffle=CHASER,
        chances=strict("stooging"),
    )
    entering = do(state, "move", (13, 2))
    assert only(entering, "ban").ban_reason == "stooging"
    assert (end(entering).quaffle, end(entering).holder) == (Cell(13, 2), None)


def test_a_seeker_may_go_for_the_snitch() -> None:
    state = scene(SEEKER, players={SEEKER: (5, 5)}, snitch=(6, 5), chances=EVERY_FOUL)
    assert told(do(state, "move", (6, 5))) == ["move", "snitchCatch", "turnUsed"]


def test_haversacking_is_a_certain_goal() -> None:
    state = scene(
        CHASER,
        players={CHASER: (13, 6), "rightKeeper": (12, 8)},
        quaffle=CHASER,
        points=(10, 40),
        chances=strict("haversacking"),
    )
    progress = do(state, "move", (14, 6))
    assert told(progress) == ["move", "goalPointsChange", "ban", "move", "turnUsed"]
    change = only(progress, "goalPointsChange")
    assert (change.left_points, change.right_points) == (20, 40)
    assert end(progress).goal_was_thrown_this_round
    assert (end(progress).quaffle, end(progress).holder) == (Cell(12, 8), "rightKeeper")


def test_a_chaser_scores_an_own_goal_by_carrying_the_quaffle_into_it() -> None:
    state = scene(CHASER, players={CHASER: (3, 6)}, quaffle=CHASER, chances=strict("flacking"))
    progress = do(state, "move", (2, 6))
    assert told(progress) == ["move", "goalPointsChange", "ban", "move", "turnUsed"]
    assert (end(progress).left_points, end(progress).right_points) == (0, 10)


@pytest.mark.parametrize("new", [(2, 6), (14, 6)])
def test_a_keeper_carries_no_goal(new: tuple[int, int]) -> None:
    start = (3, 6) if new == (2, 6) else (13, 6)
    state = scene("leftKeeper", players={"leftKeeper": start}, quaffle="leftKeeper")
    progress = do(state, "move", new)
    assert told(progress) == ["move", "move", "turnUsed"]
    assert deltas(progress)[1] == Delta(
        DeltaType.MOVE, old=Cell(*new), new=Cell(8, 6), active=Entity.QUAFFLE
    )
    assert end(progress).holder is None


def test_a_banned_player_leaves_the_quaffle_where_he_was() -> None:
    state = scene(
        CHASER,
        players={CHASER: (5, 5), "rightBeater1": (6, 5)},
        quaffle=CHASER,
        bludger1=(6, 5),
        chances=strict("blatching"),
    )
    progress = do(state, "move", (6, 5))
    assert (end(progress).quaffle, end(progress).holder) == (Cell(6, 5), None)
    assert end(progress).bludgers[0] == Cell(6, 5)
    assert end(progress).at(Cell(6, 5)) is None
