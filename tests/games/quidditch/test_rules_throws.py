"""The quaffle: thrown, caught, wrested, and taken out of the goals."""

import pytest

from games.quidditch.rules import (
    CELLS,
    Cell,
    Delta,
    DeltaType,
    Entity,
    Mistake,
    distance,
    legal_requests,
    refusal,
)
from games.quidditch.rules.throws import scores
from tests.games.quidditch.moments import (
    Pair,
    config,
    deltas,
    do,
    end,
    only,
    request,
    scene,
    told,
)

CHASER, KEEPER = "leftChaser1", "leftKeeper"
SURE = config(throw_success=1)
CATCHING = config(throw_success=1, catch_quaffle=1)


def test_any_other_cell_of_the_pitch_can_be_the_target() -> None:
    state = scene(CHASER, "action", {CHASER: (5, 5)}, quaffle=CHASER)
    targets = {asked.new for asked in legal_requests(state) if asked.type == "quaffleThrow"}
    assert targets == set(CELLS) - {Cell(5, 5)}
    assert refusal(state, request(state, "quaffleThrow", (5, 5))) is Mistake.OWN_CELL
    assert refusal(state, request(state, "quaffleThrow", (0, 0))) is Mistake.OFF_PITCH
    assert refusal(state, request(state, "quaffleThrow")) is Mistake.NO_CELL


def test_only_the_holder_throws() -> None:
    state = scene(CHASER, "action", {CHASER: (5, 5), "rightChaser1": (5, 6)}, quaffle=(7, 7))
    assert refusal(state, request(state, "quaffleThrow", (5, 6))) is Mistake.NO_QUAFFLE


def test_a_throw_to_an_empty_cell() -> None:
    progress = do(
        scene(CHASER, "action", {CHASER: (5, 5)}, quaffle=CHASER, chances=SURE),
        "quaffleThrow",
        (9, 8),
    )
    assert deltas(progress) == [
        Delta(
            DeltaType.QUAFFLE_THROW,
            success=True,
            old=Cell(5, 5),
            new=Cell(9, 8),
            active=Entity.LEFT_CHASER1,
        ),
        Delta(DeltaType.TURN_USED, active=Entity.LEFT_CHASER1),
    ]
    assert (end(progress).quaffle, end(progress).holder) == (Cell(9, 8), None)


@pytest.mark.parametrize("catcher", ["leftChaser2", "rightChaser2", "leftKeeper", "rightKeeper"])
def test_whoever_can_hold_it_catches_it(catcher: str) -> None:
    state = scene(CHASER, "action", {CHASER: (5, 5), catcher: (9, 5)}, quaffle=CHASER, chances=SURE)
    progress = do(state, "quaffleThrow", (9, 5))
    assert told(progress) == ["quaffleThrow", "turnUsed"]
    assert only(progress, "quaffleThrow").success is True
    assert only(progress, "quaffleThrow").passive == end(progress).holder == catcher


@pytest.mark.parametrize(
    ("receiver", "knockout"),
    [("leftSeeker", []), ("rightBeater1", []), ("leftChaser2", ["leftChaser2"])],
)
def test_it_bounces_off_those_who_cannot(receiver: str, knockout: list[str]) -> None:
    """'Wenn die passiveEntity kein Chaser oder Keeper ist wird danach ein foolAway geschickt.'"""
    state = scene(
        CHASER,
        "action",
        {CHASER: (5, 5), receiver: (9, 5)},
        quaffle=CHASER,
        knockout=knockout,
        chances=SURE,
    )
    progress = do(state, "quaffleThrow", (9, 5))
    assert told(progress) == ["quaffleThrow", "foolAway", "turnUsed"]
    thrown, lost, _ = deltas(progress)
    assert (thrown.success, thrown.new, thrown.passive) == (False, Cell(9, 5), receiver)
    assert (lost.old, lost.passive) == (Cell(9, 5), receiver)
    assert progress.steps[0].snapshot.holder is None
    assert distance(end(progress).quaffle, Cell(9, 5)) == 1
    assert end(progress).holder is None


@pytest.mark.parametrize(
    ("target", "reach"), [((6, 5), 1), ((12, 5), 1), ((13, 5), 2), ((1, 9), 1), ((16, 7), 2)]
)
def test_how_far_a_throw_goes_astray(target: Pair, reach: int) -> None:
    """A square of half-width ceil(d/7) around the target, which itself is missed."""
    state = scene(CHASER, "action", {CHASER: (5, 5)}, quaffle=CHASER)
    places = set()
    for seed in range(300):
        progress = do(state, "quaffleThrow", target, seed=seed)
        assert only(progress, "quaffleThrow").success is False
        places.add(only(progress, "quaffleThrow").new)
    around = {one for one in CELLS if 0 < distance(one, Cell(*target)) <= reach}
    assert places == around - {Cell(5, 5)}


def test_beyond_14_cells_the_square_has_7_rows() -> None:
    state = scene(CHASER, "action", {CHASER: (0, 6)}, quaffle=CHASER)
    places = {
        only(do(state, "quaffleThrow", (15, 6), seed=n), "quaffleThrow").new for n in range(300)
    }
    assert max(distance(place, Cell(15, 6)) for place in places if place) == 3


def test_the_square_grows_when_nothing_in_it_is_free() -> None:
    ring = [one for one in CELLS if distance(one, Cell(6, 6)) == 1]
    names = [str(entity) for entity in Entity if entity.is_player and entity != CHASER]
    crowd = dict(zip(names, ring, strict=False))
    state = scene(CHASER, "action", {CHASER: (6, 10), **crowd}, quaffle=CHASER)
    places = {end(do(state, "quaffleThrow", (6, 6), seed=seed)).quaffle for seed in range(200)}
    assert places == {one for one in CELLS if distance(one, Cell(6, 6)) == 2}


def test_the_chance_shrinks_with_every_cell() -> None:
    """`throwSuccess` to the power of the distance."""
    state = scene(
        CHASER, "action", {CHASER: (5, 5)}, quaffle=CHASER, chances=config(throw_success=0.5)
    )
    for target, expected in (((6, 5), 0.5), ((7, 5), 0.25), ((8, 5), 0.125)):
        hits = sum(
            bool(only(do(state, "quaffleThrow", target, seed=seed), "quaffleThrow").success)
            for seed in range(1000)
        )
        assert abs(hits / 1000 - expected) < 0.05


@pytest.mark.parametrize(
    ("interceptor", "bounces"),
    [
        ("rightChaser1", False),
        ("rightKeeper", False),
        ("rightSeeker", True),
        ("rightBeater2", True),
    ],
)
def test_an_opponent_on_the_way_intercepts(interceptor: str, bounces: bool) -> None:
    """'nicht erfolgreich, abgefangen durch Spieler auf Position 5,5'."""
    state = scene(
        CHASER, "action", {CHASER: (4, 4), interceptor: (5, 5)}, quaffle=CHASER, chances=CATCHING
    )
    progress = do(state, "quaffleThrow", (6, 6))
    assert told(progress) == ["quaffleThrow", *["foolAway"] * bounces, "turnUsed"]
    assert deltas(progress)[0] == Delta(
        DeltaType.QUAFFLE_THROW,
        success=False,
        old=Cell(4, 4),
        new=Cell(5, 5),
        active=Entity.LEFT_CHASER1,
        passive=Entity(interceptor),
    )
    assert end(progress).holder == (None if bounces else interceptor)


@pytest.mark.parametrize(
    ("players", "details"),
    [
        ({"leftChaser2": (6, 5)}, {}),
        ({"rightChaser2": (6, 5)}, {"banned": ["rightChaser2"]}),
        ({"rightChaser2": (6, 5)}, {"knockout": ["rightChaser2"]}),
        ({"rightChaser2": (6, 6)}, {}),
    ],
)
def test_who_does_not_intercept(players: dict[str, Pair], details: dict[str, list[str]]) -> None:
    state = scene(
        CHASER, "action", {CHASER: (5, 5), **players}, quaffle=CHASER, chances=CATCHING, **details
    )
    assert only(do(state, "quaffleThrow", (8, 5)), "quaffleThrow").success is True


def test_the_nearest_opponent_intercepts_first() -> None:
    players = {
        CHASER: (4, 5),
        "rightChaser1": (8, 5),
        "rightChaser2": (6, 5),
        "rightKeeper": (7, 5),
    }
    state = scene(CHASER, "action", players, quaffle=CHASER, chances=CATCHING)
    assert end(do(state, "quaffleThrow", (8, 5))).holder == "rightChaser2"


def test_an_opponent_on_the_target_intercepts_too() -> None:
    players = {CHASER: (4, 5), "rightChaser1": (8, 5)}
    state = scene(CHASER, "action", players, quaffle=CHASER, chances=config(catch_quaffle=1))
    progress = do(state, "quaffleThrow", (8, 5))
    assert only(progress, "quaffleThrow").success is False
    assert end(progress).holder == "rightChaser1"


@pytest.mark.parametrize(
    ("start", "goal", "counts"),
    [
        ((12, 6), (14, 6), True),
        ((16, 6), (14, 6), True),  # from behind
        ((11, 3), (14, 6), True),  # exactly diagonal: the corner belongs to the side
        ((13, 5), (14, 6), True),
        ((13, 3), (14, 6), False),  # too steep
        ((14, 3), (14, 6), False),  # from above
        ((8, 6), (14, 5), False),  # no goal at all
        ((6, 6), (2, 4), True),
    ],
)
def test_a_goal_is_scored_through_the_sides(start: Pair, goal: Pair, counts: bool) -> None:
    assert scores(Cell(*start), Cell(*goal)) is counts
    state = scene(CHASER, "action", {CHASER: start}, quaffle=CHASER, chances=SURE)
    assert ("goalPointsChange" in told(do(state, "quaffleThrow", goal))) is counts


@pytest.mark.parametrize(
    ("thrower", "goal", "points"),
    [
        ("leftChaser1", (14, 6), (10, 0)),
        ("rightChaser1", (2, 6), (0, 10)),
        ("leftChaser1", (2, 6), (0, 10)),  # an own goal
        ("rightChaser1", (14, 6), (10, 0)),
    ],
)
def test_points_go_to_the_team_that_attacks_the_goal(
    thrower: str, goal: Pair, points: Pair
) -> None:
    state = scene(thrower, "action", {thrower: (8, 6)}, quaffle=thrower, chances=SURE)
    progress = do(state, "quaffleThrow", goal)
    assert told(progress) == ["quaffleThrow", "goalPointsChange", "move", "turnUsed"]
    change = only(progress, "goalPointsChange")
    assert (change.left_points, change.right_points) == points
    assert end(progress).goal_was_thrown_this_round


def test_a_keeper_cannot_score() -> None:
    state = scene(KEEPER, "action", {KEEPER: (12, 6)}, quaffle=KEEPER, chances=SURE)
    progress = do(state, "quaffleThrow", (14, 6))
    assert told(progress) == ["quaffleThrow", "move", "turnUsed"]
    assert not end(progress).goal_was_thrown_this_round


def test_a_stray_throw_can_score_too() -> None:
    state = scene(CHASER, "action", {CHASER: (12, 6)}, quaffle=CHASER)
    stories = [do(state, "quaffleThrow", (13, 5), seed=seed) for seed in range(60)]
    goals = [story for story in stories if "goalPointsChange" in told(story)]
    assert {only(story, "quaffleThrow").new for story in goals} == {Cell(14, 6), Cell(14, 4)}
    assert all(only(story, "quaffleThrow").success is False for story in goals)


@pytest.mark.parametrize("blocker", ["rightKeeper", "rightChaser1", "rightSeeker"])
@pytest.mark.parametrize("knockout", [True, False])
def test_a_defender_blocks_his_goal(blocker: str, knockout: bool) -> None:
    """'An occupied ring': awake or not, the quaffle hops off, and nobody keeps it there."""
    state = scene(
        CHASER,
        "action",
        {CHASER: (10, 6), blocker: (14, 6)},
        quaffle=CHASER,
        knockout=[blocker] if knockout else [],
        chances=SURE,
    )
    progress = do(state, "quaffleThrow", (14, 6))
    assert told(progress) == ["quaffleThrow", "foolAway", "turnUsed"]
    thrown = only(progress, "quaffleThrow")
    assert (thrown.success, thrown.new, thrown.passive) == (False, Cell(14, 6), blocker)
    assert end(progress).holder is None


def test_an_attacker_in_the_goal_does_not_block_it() -> None:
    players = {CHASER: (10, 6), "leftChaser2": (14, 6)}
    state = scene(CHASER, "action", players, quaffle=CHASER, chances=SURE)
    progress = do(state, "quaffleThrow", (14, 6))
    assert told(progress) == ["quaffleThrow", "goalPointsChange", "move", "turnUsed"]
    assert only(progress, "quaffleThrow").passive is None


def test_nobody_intercepts_and_keeps_it_on_a_goal_cell() -> None:
    players = {CHASER: (10, 6), "rightKeeper": (14, 6)}
    state = scene(CHASER, "action", players, quaffle=CHASER, chances=CATCHING)
    assert told(do(state, "quaffleThrow", (16, 6))) == ["quaffleThrow", "foolAway", "turnUsed"]


@pytest.mark.parametrize(
    ("keeper", "details", "place"),
    [
        ((13, 4), {}, (13, 4)),
        ((13, 4), {"knockout": ["rightKeeper"]}, (13, 4)),
        ((13, 4), {"banned": ["rightKeeper"]}, (8, 6)),
        ((11, 4), {}, (8, 6)),  # outside his zone
        ((14, 8), {}, (8, 6)),  # himself on a goal cell
    ],
)
def test_where_the_quaffle_goes_after_a_goal(
    keeper: Pair, details: dict[str, list[str]], place: Pair
) -> None:
    """'Quaffle moves away to keeper or middle'."""
    players = {CHASER: (11, 6), "rightKeeper": keeper}
    state = scene(CHASER, "action", players, quaffle=CHASER, chances=SURE, **details)
    progress = do(state, "quaffleThrow", (14, 6))
    assert deltas(progress)[2] == Delta(
        DeltaType.MOVE, old=Cell(14, 6), new=Cell(*place), active=Entity.QUAFFLE
    )
    assert end(progress).holder == ("rightKeeper" if place == keeper else None)


def test_the_middle_may_be_taken() -> None:
    players = {CHASER: (11, 6), "leftSeeker": (8, 6)}
    state = scene(CHASER, "action", players, quaffle=CHASER, chances=SURE)
    places = {end(do(state, "quaffleThrow", (14, 6), seed=seed)).quaffle for seed in range(100)}
    assert places == {place for place in CELLS if distance(place, Cell(8, 6)) == 1}


@pytest.mark.parametrize(
    ("wrester", "victim", "allowed"),
    [
        (("leftChaser1", (5, 5)), ("rightChaser1", (6, 6)), True),
        (("leftChaser1", (5, 5)), ("rightChaser1", (7, 5)), False),  # too far
        (("leftChaser1", (5, 5)), ("leftChaser2", (6, 5)), False),  # his own team
        (("leftKeeper", (5, 5)), ("rightChaser1", (6, 5)), False),  # chasers only
        (("leftSeeker", (5, 5)), ("rightChaser1", (6, 5)), False),
        (("leftChaser1", (5, 5)), ("rightKeeper", (6, 5)), True),
        (("leftChaser1", (11, 5)), ("rightKeeper", (12, 5)), False),  # in his zone
        (("leftChaser1", (3, 5)), ("rightKeeper", (2, 5)), True),  # in the other zone
        (("leftChaser1", (11, 5)), ("rightChaser2", (12, 5)), True),
    ],
)
def test_who_can_wrest(wrester: tuple[str, Pair], victim: tuple[str, Pair], allowed: bool) -> None:
    state = scene(wrester[0], "action", dict([wrester, victim]), quaffle=victim[0])
    assert (refusal(state, request(state, "wrestQuaffle")) is None) is allowed
    moving = scene(wrester[0], "move", dict([wrester, victim]), quaffle=victim[0])
    turn = do(moving, "move", wrester[1]).state.turn
    assert turn is not None
    assert (turn.type == "action") is allowed


@pytest.mark.parametrize("success", [True, False])
def test_wresting(success: bool) -> None:
    state = scene(
        CHASER,
        "action",
        {CHASER: (5, 5), "rightChaser1": (6, 6)},
        quaffle="rightChaser1",
        chances=config(wrest_quaffle=float(success)),
    )
    progress = do(state, "wrestQuaffle")
    assert told(progress) == ["wrestQuaffle", "turnUsed"]
    assert only(progress, "wrestQuaffle") == Delta(
        DeltaType.WREST_QUAFFLE,
        success=success,
        old=Cell(6, 6),
        new=Cell(5, 5) if success else Cell(6, 6),
        active=Entity.LEFT_CHASER1,
        passive=Entity.RIGHT_CHASER1,
    )
    assert end(progress).holder == (CHASER if success else "rightChaser1")


def test_wresting_on_a_goal_cell_keeps_nothing() -> None:
    state = scene(
        CHASER,
        "action",
        {CHASER: (14, 6), "rightChaser1": (13, 6), "rightKeeper": (15, 8)},
        quaffle="rightChaser1",
        chances=config(wrest_quaffle=1),
    )
    progress = do(state, "wrestQuaffle")
    assert told(progress) == ["wrestQuaffle", "move", "turnUsed"]
    assert end(progress).holder == "rightKeeper"
    assert not end(progress).goal_was_thrown_this_round
