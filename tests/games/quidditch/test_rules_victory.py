"""How a Quidditch match ends, and who has won it."""

import random
from typing import Any

import attrs
import pytest

from games.quidditch.rules import Phase, Progress, Result, Side, State, VictoryReason
from games.quidditch.rules.draft import Draft
from games.quidditch.rules.flow import run
from tests.games.quidditch.moments import (
    Pair,
    config,
    deltas,
    do,
    idle,
    scene,
    strict,
    told,
)

LEFT = ["leftChaser1", "leftChaser2", "leftChaser3"]
RIGHT = ["rightChaser1", "rightChaser2", "rightChaser3"]


def end_of_round(banned: list[str], three_bans: tuple[Side, ...] = (), **details: Any) -> State:
    """The last fan of the round is asked."""
    state = scene("leftTroll", "fan", then=[], banned=banned, **details)
    return attrs.evolve(state, three_bans=three_bans) if three_bans else state


def catch(banned: list[str], points: Pair, *, goal: bool = False) -> Progress:
    state = scene(
        "leftSeeker",
        players={"leftSeeker": (5, 5)},
        snitch=(6, 5),
        banned=banned,
        points=points,
        goal=goal,
        number=20,
        chances=config(catch_snitch=1),
    )
    return do(state, "move", (6, 5))


@pytest.mark.parametrize(
    ("banned", "winner"),
    [
        (LEFT, Side.RIGHT),
        (RIGHT, Side.LEFT),
        ([*RIGHT, "rightSeeker"], Side.LEFT),
        ([*RIGHT, *LEFT[:2]], Side.LEFT),
    ],
)
def test_three_banned_players_lose_the_match(banned: list[str], winner: Side) -> None:
    progress = idle(end_of_round(banned, points=(50, 50), number=4))
    assert told(progress) == ["skip", "turnUsed", "phaseChange", "phaseChange"]
    assert deltas(progress)[-1].phase is Phase.FINISH
    assert progress.state.result == Result(winner, VictoryReason.DISQUALIFICATION, 4)
    assert progress.state.turn is None


def test_two_banned_players_do_not() -> None:
    progress = idle(end_of_round([*LEFT[:2], *RIGHT[:2]]))
    assert progress.state.result is None
    assert progress.state.snapshot.round == 2


def test_a_goal_brings_them_back_in_time() -> None:
    progress = idle(end_of_round([*LEFT, *RIGHT], goal=True))
    while progress.state.snapshot.phase is Phase.UNBAN:
        progress = idle(progress.state)
    assert progress.state.result is None
    assert progress.state.three_bans == ()


def test_both_teams_disqualified_the_points_decide() -> None:
    result = idle(end_of_round([*LEFT, *RIGHT], points=(20, 30))).state.result
    assert result is not None
    assert (result.winner, result.reason) == ("right", "bothDisqualificationMostPoints")


@pytest.mark.parametrize("first", Side)
def test_both_disqualified_with_equal_points_the_later_one_wins(first: Side) -> None:
    state = end_of_round([*LEFT, *RIGHT], (first, first.opponent), points=(20, 20))
    result = idle(state).state.result
    assert result is not None
    assert result.winner is first.opponent
    assert result.reason == "bothDisqualificationPointsEqualLastDisqualification"


def test_the_third_ban_counts_in_time() -> None:
    """The order of reaching three bans is remembered, and forgotten when a player comes back."""
    state = scene(
        "rightChaser3",
        players={"rightChaser3": (13, 4), "leftChaser3": (3, 4)},
        banned=["leftChaser1", "leftChaser2", "rightChaser1", "rightChaser2"],
        chances=strict("flacking"),
        then=["leftChaser3"],
    )
    first = do(state, "move", (14, 4))
    assert first.state.three_bans == (Side.RIGHT,)
    both = do(first.state, "move", (2, 4))
    assert both.state.three_bans == (Side.RIGHT, Side.LEFT)
    back = attrs.evolve(
        scene("rightChaser1", "removeBan", banned=[*LEFT, *RIGHT], goal=True),
        three_bans=both.state.three_bans,
    )
    assert do(back, "unban", (12, 9)).state.three_bans == (Side.LEFT,)


def test_a_fourth_ban_does_not_count_again() -> None:
    state = scene(
        "leftKeeper",
        players={"leftKeeper": (3, 4)},
        banned=[*LEFT, *RIGHT],
        chances=strict("flacking"),
    )
    assert do(state, "move", (2, 4)).state.three_bans == (Side.LEFT, Side.RIGHT)


@pytest.mark.parametrize(
    ("points", "winner", "reason"),
    [
        ((0, 0), Side.LEFT, "mostPoints"),  # with the thirty points
        ((0, 20), Side.LEFT, "mostPoints"),
        ((0, 30), Side.LEFT, "pointsEqualSnitchCatch"),
        ((0, 40), Side.RIGHT, "mostPoints"),
    ],
)
def test_a_catch_ends_the_match(points: Pair, winner: Side, reason: str) -> None:
    progress = catch([], points)
    assert told(progress) == ["move", "snitchCatch", "phaseChange"]
    assert progress.state.result == Result(winner, VictoryReason(reason), 20)
    assert progress.state.snapshot.points(Side.LEFT) == points[0] + 30


@pytest.mark.parametrize(
    ("banned", "points", "winner", "reason"),
    [
        (LEFT, (90, 0), Side.RIGHT, "disqualification"),
        (RIGHT, (0, 90), Side.LEFT, "disqualification"),
        ([*LEFT, *RIGHT], (0, 90), Side.RIGHT, "bothDisqualificationMostPoints"),
        ([*LEFT, *RIGHT], (0, 20), Side.LEFT, "bothDisqualificationMostPoints"),
        ([*LEFT, *RIGHT], (0, 30), Side.LEFT, "bothDisqualificationPointsEqualSnitchCatch"),
        (LEFT[:2], (90, 0), Side.LEFT, "mostPoints"),
    ],
)
def test_bans_count_at_a_catch_too(
    banned: list[str], points: Pair, winner: Side, reason: str
) -> None:
    assert catch(banned, points).state.result == Result(winner, VictoryReason(reason), 20)


def test_but_not_if_a_goal_of_the_round_would_bring_them_back() -> None:
    result = catch([*LEFT, *RIGHT], (0, 30), goal=True).state.result
    assert result == Result(Side.LEFT, VictoryReason.POINTS_EQUAL_SNITCH_CATCH, 20)
    alone = catch(LEFT, (0, 90), goal=True).state.result
    assert alone == Result(Side.RIGHT, VictoryReason.MOST_POINTS, 20)


@pytest.mark.parametrize(
    ("points", "banned", "winner"),
    [
        ((10, 0), [], Side.LEFT),
        ((0, 10), [], Side.RIGHT),
        ((10, 10), ["leftKeeper"], Side.RIGHT),
        ((10, 10), ["rightKeeper"], Side.LEFT),
        ((10, 10), [], Side.LEFT),
    ],
)
def test_nobody_left_to_catch_the_snitch(points: Pair, banned: list[str], winner: Side) -> None:
    state = scene(
        "leftKeeper",
        snitch=(8, 6),
        number=100,
        points=points,
        banned=["leftSeeker", "rightSeeker", *banned],
    )
    snapshot = attrs.evolve(state.snapshot, phase=Phase.BALL)
    draft = Draft.of(
        attrs.evolve(state, snapshot=snapshot, turn=None, snitch_arrival=40), random.Random(0)
    )
    run(draft)
    assert draft.result == Result(winner, VictoryReason.MOST_POINTS, 100)


def test_fans_do_not_count() -> None:
    state = scene("leftElf", "fan", then=[], chances=strict("elfTeleportation"))
    fans = tuple(attrs.evolve(fan, banned=fan.kind != "elf") for fan in state.snapshot.fans)
    state = attrs.evolve(state, snapshot=attrs.evolve(state.snapshot, fans=fans))
    progress = do(state, "elfTeleportation", passive="leftSeeker")
    assert progress.state.three_bans == ()
    assert not progress.state.over
