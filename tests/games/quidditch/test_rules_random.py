"""Whole matches: whatever players do, the match stays sound, can be followed, and ends."""

import itertools
import random
from collections.abc import Iterator

import attrs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.quidditch.rules import (
    CELLS,
    Cell,
    DeltaType,
    Entity,
    MatchConfig,
    Phase,
    Progress,
    Request,
    Role,
    State,
    Step,
    answer,
    example,
    legal_requests,
    refusal,
    start,
)
from games.quidditch.rules.example import (
    EXAMPLE_CONFIG,
    EXAMPLE_TEAM,
    LEFT_FORMATION,
    RIGHT_FORMATION,
)
from ludothek.contract.mistakes import RuleViolation
from tests.games.quidditch.audit import Follower, audit, play, watch

CHANCES = st.sampled_from([0.0, 0.05, 0.5, 1.0])
LENIENT = attrs.evolve(
    EXAMPLE_CONFIG,
    catch_snitch=0.02,
    foul_detection=dict.fromkeys(EXAMPLE_CONFIG.foul_detection, 0.03),
    fan_foul_detection=dict.fromkeys(EXAMPLE_CONFIG.fan_foul_detection, 0.03),
)


@st.composite
def configs(draw: st.DrawFn) -> MatchConfig:
    return MatchConfig(
        max_rounds=draw(st.integers(13, 20)),
        throw_success=draw(CHANCES),
        knock_out=draw(CHANCES),
        catch_snitch=draw(CHANCES),
        catch_quaffle=draw(CHANCES),
        wrest_quaffle=draw(CHANCES),
        extra_move={broom: draw(CHANCES) for broom in EXAMPLE_CONFIG.extra_move},
        foul_detection={foul: draw(CHANCES) for foul in EXAMPLE_CONFIG.foul_detection},
        fan_foul_detection={foul: draw(CHANCES) for foul in EXAMPLE_CONFIG.fan_foul_detection},
        carries_bludgers=draw(st.booleans()),
    )


def begin(config: MatchConfig, rng: random.Random) -> Progress:
    teams = (EXAMPLE_TEAM, EXAMPLE_TEAM)
    return start(config, *teams, LEFT_FORMATION, RIGHT_FORMATION, rng)


def sound_match(config: MatchConfig, seed: int) -> Iterator[Step]:
    """Play a match, checking every snapshot; yield its steps."""
    rng = random.Random(seed)
    beginning = begin(config, rng)
    first, *rest = beginning.steps
    audit(first.snapshot)
    yield first
    follower = Follower(first.snapshot, carries_bludgers=config.carries_bludgers)
    for progress in itertools.chain([Progress(beginning.state, tuple(rest))], play(beginning, rng)):
        watch(progress, follower)
        yield from progress.steps
    assert progress.state.snapshot.phase is Phase.FINISH
    assert progress.state.result is not None


@settings(max_examples=12, deadline=None, derandomize=True)
@given(configs(), st.integers(0, 1000))
def test_every_match_is_sound_and_ends(config: MatchConfig, seed: int) -> None:
    """'Die Deltas sollten jeden Zustandsuebergang abdecken.'"""
    *_, last = sound_match(config, seed)
    # Fifteen rounds of overtime; or fifty more if no seeker is there to catch the snitch.
    assert last.snapshot.round <= config.max_rounds + 15 + 51


def test_in_a_few_matches_everything_happens() -> None:
    types: set[DeltaType] = set()
    pushes: set[Role] = set()
    for seed in range(8):
        for step in sound_match(LENIENT, seed):
            types.add(step.delta.type)
            if step.displaced is not None:
                pushes.add(step.displaced.entity.role)
    assert types == set(DeltaType)
    assert pushes == set(Role)


def test_the_same_seed_gives_the_same_match() -> None:
    def story(seed: int) -> list[Step]:
        rng = random.Random(seed)
        progress = begin(EXAMPLE_CONFIG, rng)
        return [*progress.steps, *(step for one in play(progress, rng) for step in one.steps)]

    assert story(1) == story(1) != story(2)


def states(seed: int, every: int) -> Iterator[State]:
    rng = random.Random(seed)
    for number, progress in enumerate(play(begin(LENIENT, rng), rng)):
        if number % every == 0 and not progress.state.over:
            yield progress.state


def nonsense(rng: random.Random) -> Request:
    """Return any request at all."""
    anywhere = Cell(rng.randrange(-1, 18), rng.randrange(-1, 14))
    return Request(
        rng.choice(list(DeltaType)),
        rng.choice([None, anywhere, rng.choice(CELLS)]),
        rng.choice([None, *Entity]),
        rng.choice([None, *Entity]),
    )


@pytest.mark.parametrize("seed", range(2))
def test_what_is_not_listed_as_legal_is_refused(seed: int) -> None:
    rng = random.Random(seed)
    for state in states(seed, every=7):
        assert state.turn is not None
        legal = legal_requests(state)
        assert all(refusal(state, request) is None for request in legal)
        for _ in range(60):
            request = attrs.evolve(nonsense(rng), active=rng.choice([None, state.turn.entity]))
            if refusal(state, request) is None:
                assert _plain(request, state) in legal
            else:
                with pytest.raises(RuleViolation):
                    answer(state, request, rng)


def _plain(request: Request, state: State) -> Request:
    """The request as it is listed: without fields that it does not need."""
    assert state.turn is not None
    with_cell = ("move", "quaffleThrow", "bludgerBeating", "unban", "wombatPoo")
    with_target = ("bludgerBeating", "elfTeleportation", "goblinShock")
    anonymous = state.turn.entity.is_fan and request.type != "skip"
    return Request(
        request.type,
        request.new if request.type in with_cell else None,
        None if anonymous else state.turn.entity,
        request.passive if request.type in with_target else None,
    )


def test_an_answer_leaves_the_old_state_as_it_was() -> None:
    for state in states(3, every=40):
        copy = attrs.evolve(state)
        before = repr(state)
        for request in legal_requests(state)[:3]:
            answer(state, request, random.Random(0))
        assert state == copy
        assert repr(state) == before


def test_the_example_is_a_match() -> None:
    state = example(random.Random(0))
    assert state.turn is not None
    assert state.snapshot.round == 1
