"""The course of a match: phases, turns, and who has them."""

import itertools
import random
from collections import Counter

import attrs
import pytest

from games.quidditch.rules import (
    ALL_GOALS,
    MIDDLE,
    PLAYERS,
    START_CELLS,
    Cell,
    Delta,
    DeltaType,
    Entity,
    FanKind,
    Mistake,
    Phase,
    Position,
    Progress,
    Request,
    Result,
    Side,
    State,
    Turn,
    TurnType,
    VictoryReason,
    answer,
    legal_requests,
    refusal,
    resume,
    skip,
    start,
)
from games.quidditch.rules.example import EXAMPLE_TEAM, LEFT_FORMATION, RIGHT_FORMATION
from ludothek.contract.mistakes import RuleViolation
from tests.games.quidditch.moments import (
    NEVER,
    Pair,
    cell,
    config,
    deltas,
    do,
    end,
    idle,
    only,
    request,
    scene,
    told,
)

TEAMS = (EXAMPLE_TEAM, EXAMPLE_TEAM)
FORMATIONS = (LEFT_FORMATION, RIGHT_FORMATION)


def begin(seed: int = 0) -> Progress:
    return start(NEVER, *TEAMS, *FORMATIONS, random.Random(seed))


def idle_round(state: State, seed: int = 0) -> list[Progress]:
    """Let everybody skip until the round is over."""
    rng = random.Random(seed)
    number, reports = state.snapshot.round, []
    while state.snapshot.round == number:
        reports.append(skip(state, rng))
        state = reports[-1].state
    return reports


def test_the_first_snapshot() -> None:
    """'Der erste Snapshot beinhaltet als lastDeltaBroadcast einen roundChange.'"""
    first = begin().steps[0].snapshot
    assert first.delta == Delta(DeltaType.ROUND_CHANGE, round=1)
    assert (first.round, first.phase) == (1, "ballPhase")
    assert first.quaffle == MIDDLE
    assert first.bludgers == (MIDDLE, MIDDLE)
    assert (first.snitch, first.holder, first.cubes) == (None, None, ())
    assert (first.left_points, first.right_points) == (0, 0)
    assert [player.entity for player in first.players] == list(PLAYERS)
    assert first.player(Entity.LEFT_KEEPER).cell == LEFT_FORMATION[Position.KEEPER]
    assert not any(p.banned or p.turn_used or p.knockout for p in first.players)
    kinds = Counter(fan.kind for fan in first.fans_of(Side.RIGHT))
    assert kinds == EXAMPLE_TEAM.fans
    assert not first.goal_was_thrown_this_round


def test_then_the_bludgers_fly_and_the_first_player_is_asked() -> None:
    progress = begin()
    assert told(progress) == ["roundChange", "move", "move", "phaseChange"]
    assert end(progress).phase == "playerPhase"
    assert progress.state.turn is not None
    assert progress.state.turn.type is TurnType.MOVE


def test_a_refused_formation_starts_nothing() -> None:
    with pytest.raises(ValueError, match="own half"):
        start(NEVER, *TEAMS, RIGHT_FORMATION, LEFT_FORMATION, random.Random(0))


def test_an_idle_round() -> None:
    state = begin().state
    reports = idle_round(state)
    asked = [state.turn, *(report.state.turn for report in reports[:-1])]
    players = [turn.entity for turn in asked if turn and turn.type is TurnType.MOVE]
    fans = [turn.entity for turn in asked if turn and turn.type is TurnType.FAN]
    assert sorted(players) == sorted(PLAYERS)
    assert len(fans) == 14
    for first, second in itertools.pairwise(players):
        assert first.side is not second.side  # the teams alternate
    for first, second in itertools.pairwise(fans):
        assert first.side is not second.side
    story = list(itertools.chain.from_iterable(told(report) for report in reports))
    assert story[: story.index("roundChange") + 1] == [
        *["skip", "turnUsed"] * 14,
        "phaseChange",
        "removePoo",
        *["skip", "turnUsed"] * 14,
        "phaseChange",
        "roundChange",
    ]


def test_a_round_change_resets_the_flags() -> None:
    last = idle_round(begin().state)[-1]
    change = next(step for step in last.steps if step.delta.type == "roundChange")
    before = last.steps[last.steps.index(change) - 1].snapshot
    assert before.phase == "unbanPhase"
    assert all(player.turn_used for player in before.players)
    assert all(fan.turn_used for fan in before.fans)
    after = change.snapshot
    assert (change.delta.round, after.round, after.phase) == (2, 2, "ballPhase")
    assert not any(player.turn_used for player in after.players)
    assert not any(fan.turn_used for fan in after.fans)


def test_order_and_beginning_team_are_drawn_anew() -> None:
    turns = [begin(seed).state.turn for seed in range(100)]
    beginners = {turn.entity for turn in turns if turn is not None}
    assert len(beginners) > 10
    assert {entity.side for entity in beginners} == set(Side)


def test_the_rest_of_the_larger_team_follows_in_succession() -> None:
    state = scene("leftSeeker", then=[], banned=[*PLAYERS[8:12], *PLAYERS[0:1]])
    fan_phase = idle(state)
    banned_fans = tuple(
        attrs.evolve(fan, banned=fan.entity.side is Side.LEFT and fan.kind is not FanKind.ELF)
        for fan in end(fan_phase).fans
    )
    assert not any(fan.banned for fan in end(fan_phase).fans)
    unequal = attrs.evolve(state, snapshot=attrs.evolve(state.snapshot, fans=banned_fans))
    queue = idle(unequal)
    order = [queue.state.turn.entity, *queue.state.queue] if queue.state.turn else []
    assert len(order) == 7 + 2
    assert [entity.side for entity in order[4:]] == [Side.RIGHT] * 5
    assert {entity for entity in order if entity.side is Side.LEFT} == {Entity.LEFT_ELF}


def test_banned_players_have_no_turn() -> None:
    state = scene("leftTroll", "fan", then=[], banned=["leftSeeker", "rightKeeper"])
    progress = idle(state)
    assert progress.state.snapshot.round == 2
    assert progress.state.turn is not None
    order = {progress.state.turn.entity, *progress.state.queue}
    assert order == set(PLAYERS) - {"leftSeeker", "rightKeeper"}


def test_a_knocked_out_player_misses_his_turn_and_is_himself_again() -> None:
    state = scene(
        "leftSeeker", then=["rightSeeker", "leftKeeper"], knockout=["rightSeeker", "rightKeeper"]
    )
    progress = idle(state)
    assert [(delta.type, delta.active) for delta in deltas(progress)] == [
        ("skip", "leftSeeker"),
        ("turnUsed", "leftSeeker"),
        ("turnUsed", "rightSeeker"),
    ]
    assert not end(progress).player(Entity.RIGHT_SEEKER).knockout
    assert end(progress).player(Entity.RIGHT_KEEPER).knockout
    assert progress.state.turn == Turn(Entity.LEFT_KEEPER, TurnType.MOVE)


def test_an_action_is_offered_after_a_skipped_move_too() -> None:
    state = scene("leftChaser1", players={"leftChaser1": (5, 5)}, quaffle="leftChaser1")
    asked = idle(state)
    assert told(asked) == ["skip"]
    assert asked.state.turn == Turn(Entity.LEFT_CHASER1, TurnType.ACTION)
    assert told(idle(asked.state)) == ["skip", "turnUsed"]


def test_no_action_is_offered_to_those_who_have_none() -> None:
    state = scene("leftChaser1", players={"leftChaser1": (5, 5)})
    assert told(do(state, "move", (5, 6))) == ["move", "turnUsed"]


@pytest.mark.parametrize("entity", ["leftBeater1", "leftChaser1"])
def test_a_bludger_gives_an_action_to_beaters_only(entity: str) -> None:
    state = scene(entity, players={entity: (5, 5)}, bludger1=(5, 6))
    turn = do(state, "move", (5, 6)).state.turn
    assert turn is not None
    assert (turn.type is TurnType.ACTION) is (entity == "leftBeater1")


@pytest.mark.parametrize(
    ("kind", "wrong", "mistake"),
    [
        ("move", "quaffleThrow", Mistake.MOVE_EXPECTED),
        ("move", "unban", Mistake.MOVE_EXPECTED),
        ("action", "move", Mistake.ACTION_EXPECTED),
        ("action", "ban", Mistake.ACTION_EXPECTED),
        ("removeBan", "move", Mistake.UNBAN_EXPECTED),
    ],
)
def test_the_answer_must_fit_the_question(kind: str, wrong: str, mistake: Mistake) -> None:
    state = scene("leftChaser1", kind, quaffle="leftChaser1", banned=["leftChaser1"])
    assert refusal(state, request(state, wrong, (5, 5))) is mistake
    with pytest.raises(RuleViolation):
        do(state, wrong, (5, 5))


def test_the_answer_must_name_the_entity_on_turn() -> None:
    state = scene("leftChaser1", players={"leftChaser1": (5, 5), "leftChaser2": (6, 5)})
    for entity in (Entity.LEFT_CHASER2, Entity.RIGHT_CHASER1, None):
        asked = Request(DeltaType.MOVE, Cell(5, 6), entity)
        assert refusal(state, asked) is Mistake.WRONG_ENTITY
    assert refusal(state, Request(DeltaType.SKIP)) is None
    assert refusal(state, Request(DeltaType.SKIP, active=Entity.LEFT_CHASER1)) is None
    other = Request(DeltaType.SKIP, active=Entity.LEFT_CHASER2)
    assert refusal(state, other) is Mistake.WRONG_ENTITY


def test_after_a_goal_every_banned_player_returns() -> None:
    banned = ["leftSeeker", "rightKeeper", "leftChaser1"]
    state = scene("leftTroll", "fan", then=[], goal=True, banned=banned)
    progress = idle(state)
    assert end(progress).phase is Phase.UNBAN
    asked = []
    while progress.state.turn is not None and progress.state.turn.type is TurnType.REMOVE_BAN:
        asked.append(progress.state.turn.entity)
        cells = {one.new for one in legal_requests(progress.state) if one.type == "unban"}
        progress = answer(
            progress.state,
            request(progress.state, "unban", sorted(c for c in cells if c)[0]),
            random.Random(1),
        )
    assert sorted(asked) == sorted(banned)
    sides = [entity.side for entity in asked]
    assert sides[1] is Side.RIGHT or sides[0] is Side.RIGHT  # the teams alternate
    assert not any(player.banned for player in end(progress).players)


def test_without_a_goal_nobody_returns() -> None:
    progress = idle(scene("leftTroll", "fan", then=[], banned=["leftSeeker"]))
    assert told(progress)[:4] == ["skip", "turnUsed", "phaseChange", "roundChange"]
    assert end(progress).player(Entity.LEFT_SEEKER).banned


@pytest.mark.parametrize(
    ("new", "mistake"),
    [
        ((5, 5), None),
        ((7, 6), None),  # the centre circle is allowed
        ((2, 4), Mistake.GOAL_CELL),
        ((8, 3), Mistake.NOT_OWN_HALF),
        ((9, 3), Mistake.NOT_OWN_HALF),
        ((4, 0), Mistake.CELL_TAKEN),
        ((6, 6), Mistake.CELL_TAKEN),  # the quaffle
        ((7, 7), Mistake.CUBE_IN_THE_WAY),
        ((0, 0), Mistake.OFF_PITCH),
        (None, Mistake.NO_CELL),
    ],
)
def test_where_a_banned_player_may_return(new: Pair | None, mistake: Mistake | None) -> None:
    state = scene(
        "leftSeeker",
        "removeBan",
        banned=["leftSeeker"],
        cubes=[(7, 7)],
        quaffle=(6, 6),
        goal=True,
    )
    assert refusal(state, request(state, "unban", new)) is mistake


def test_an_unban_has_no_turn_used() -> None:
    state = scene("leftSeeker", "removeBan", banned=["leftSeeker"], goal=True)
    progress = do(state, "unban", (5, 5))
    assert deltas(progress) == [Delta(DeltaType.UNBAN, new=Cell(5, 5), active=Entity.LEFT_SEEKER)]
    assert cell(progress, "leftSeeker") == Cell(5, 5)
    assert not end(progress).player(Entity.LEFT_SEEKER).banned


def test_whoever_does_not_decide_returns_somewhere() -> None:
    """'Falls keine Entscheidung getroffen wird ... setzt die Spielfigur zufällig'."""
    state = scene("leftSeeker", "removeBan", banned=["leftSeeker"], goal=True)
    places = set()
    for seed in range(200):
        progress = idle(state, seed)
        assert told(progress) == ["skip", "unban"]
        places.add(only(progress, "unban").new)
    assert places <= set(START_CELLS[Side.LEFT])
    assert len(places) > 60
    assert not places & ALL_GOALS


def test_nobody_is_put_onto_a_cube() -> None:
    cubes = [one for one in START_CELLS[Side.LEFT] if one != (5, 5)]
    state = scene("leftSeeker", "removeBan", banned=["leftSeeker"], goal=True, cubes=cubes)
    assert only(idle(state), "unban").new == Cell(5, 5)


def test_nothing_is_allowed_when_the_match_is_over() -> None:
    result = Result(Side.RIGHT, VictoryReason.VIOLATION_OF_PROTOCOL, end_round=7)
    over = attrs.evolve(scene("leftSeeker"), turn=None, result=result)
    asked = Request(DeltaType.SKIP, active=Entity.LEFT_SEEKER)
    assert refusal(over, asked) is Mistake.MATCH_OVER
    assert legal_requests(over) == []
    with pytest.raises(RuleViolation):
        skip(over, random.Random(0))


def test_a_client_can_go_on_from_what_it_sees() -> None:
    state = idle(begin().state).state
    assert state.turn is not None
    seen = resume(state.fixture, state.snapshot, state.turn, random.Random(5))
    assert (seen.turn, seen.snapshot) == (state.turn, state.snapshot)
    assert sorted(seen.queue) == sorted(state.queue)
    assert [len(idle_round(one)) for one in (seen, state)] == [13 + 14] * 2


@pytest.mark.parametrize(
    ("place", "number", "arrival"),
    [((9, 9), 34, None), ((8, 6), 33, None), ((8, 6), 34, 34), ((8, 6), 40, 40)],
)
def test_a_client_supposes_that_the_snitch_has_just_arrived(
    place: Pair, number: int, arrival: int | None
) -> None:
    state = scene("leftSeeker", snitch=place, number=number, chances=config(max_rounds=30))
    assert state.turn is not None
    seen = resume(state.fixture, state.snapshot, state.turn, random.Random(0))
    assert seen.snitch_arrival == arrival
