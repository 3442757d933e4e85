"""The Hexxagon bots: always legal, in time, and each level better than the next."""

import functools
import math
import pickle
import random

import attrs
import pytest

from games.hexxagon.bots import DIFFICULTIES, LONG_GAME, WIN, Search, choose
from games.hexxagon.rules import (
    NEIGHBOURS,
    PLAYABLE,
    Move,
    Outcome,
    Side,
    State,
    Stuck,
    apply,
    bit,
    legal_actions,
    start,
    tiles,
)

ONE, TWO = Side.PLAYERONE, Side.PLAYERTWO
SEARCH, SHALLOW, GREEDY, RANDOM = range(4)


@attrs.define
class Ticking:
    """A clock that advances by one tick whenever it is read."""

    tick: float
    now: float = 100.0

    def __call__(self) -> float:
        self.now += self.tick
        return self.now


def after(seed: int, plies: int) -> State:
    """Return a position of a random game that is not over."""
    rng = random.Random(seed)
    before = state = start()
    for _ in range(plies):
        if state.over:
            return before
        before, state = state, apply(state, rng.choice(legal_actions(state)))
    return before if state.over else state


def endgame(seed: int) -> State:
    """Return a position with five free tiles, reached by greedy play."""
    rng = random.Random(seed)
    state = after(seed, 2)
    while state.free.bit_count() > 5:
        state = apply(state, choose(state, GREEDY, rng))
    return state


def lead(state: State, side: Side) -> int:
    return state.points(side) - state.points(side.other)


def test_levels_go_from_search_to_random() -> None:
    assert DIFFICULTIES == ("search", "shallow", "greedy", "random")


@pytest.mark.parametrize("difficulty", range(len(DIFFICULTIES)))
@pytest.mark.parametrize("stuck", list(Stuck))
def test_every_level_plays_legally_without_any_time(difficulty: int, stuck: Stuck) -> None:
    for seed in range(60):
        state = after(seed, 2 * seed)
        move = choose(state, difficulty, random.Random(seed), seconds=0, stuck=stuck)
        assert move in legal_actions(state)


def test_search_plays_legally_when_time_runs_out_anywhere() -> None:
    for seed in range(40):
        state = after(seed, 2 * seed)
        move = choose(state, SEARCH, random.Random(0), seconds=seed, clock=Ticking(1.0))
        assert move in legal_actions(state)


@pytest.mark.parametrize("difficulty", [SEARCH, SHALLOW])
def test_winning_move_is_found(difficulty: int) -> None:
    ours = [1, 5, 7, 23, 24, 27, 28, 30, 32, 39, 40, 47, 52, 57]
    state = State(sum(map(bit, ours)), sum(map(bit, [56, 60, 61])), ONE)
    move = choose(state, difficulty, random.Random(0), clock=Ticking(0.001))
    assert apply(state, move).outcome == Outcome(ONE)


@pytest.mark.parametrize("stuck", list(Stuck))
def test_search_takes_a_tie_rather_than_a_loss(stuck: Stuck) -> None:
    theirs = sum(bit(n) for n in tiles(PLAYABLE) if n <= 30)
    state = State(PLAYABLE & ~theirs & ~bit(50), theirs, ONE)
    move = choose(state, SEARCH, random.Random(0), stuck=stuck, clock=Ticking(0.001))
    assert lead(apply(state, move, stuck), ONE) == 0


def test_loser_who_alone_can_move_ends_the_game() -> None:
    text = "22B11221111.2B1B112221111122B1B1B112221111122B1B1221122111B22"
    state = State.from_text(text, TWO)
    assert legal_actions(attrs.evolve(state, active=ONE)) == []
    move = choose(state, SEARCH, random.Random(0), clock=Ticking(0.001))
    assert apply(state, move).outcome == Outcome(ONE)


def test_search_prefers_clones_in_a_long_game() -> None:
    for seed in range(10):
        state = attrs.evolve(after(seed, 12), turn=LONG_GAME + 1)
        move = choose(state, SEARCH, random.Random(0), clock=Ticking(0.02))
        assert NEIGHBOURS[move.origin] & bit(move.target)


def value(state: State, depth: int, stuck: Stuck) -> int:
    """Return the value for the active player, by the rules alone and without any pruning."""
    ahead = lead(state, state.active)
    if state.over:
        return ahead and ahead + int(math.copysign(WIN, ahead))
    if not depth:
        return ahead
    results = (apply(state, move, stuck) for move in legal_actions(state))
    return max(-value(result, depth - 1, stuck) for result in results)


@pytest.mark.parametrize("stuck", [Stuck.END, Stuck.FILL])
def test_search_finds_the_best_move_of_an_endgame(stuck: Stuck) -> None:
    for seed in range(10):
        state = endgame(seed)
        search = Search(Ticking(0.0), math.inf, stuck)
        move = search.think(state, random.Random(seed), max_depth=3)
        result = apply(state, move, stuck)
        assert -value(result, search.depth - 1, stuck) == value(state, search.depth, stuck)


@pytest.mark.parametrize("difficulty", range(len(DIFFICULTIES)))
def test_same_chance_gives_the_same_move(difficulty: int) -> None:
    for seed in range(5):
        state = after(seed, 10 + seed)
        one, two = (
            choose(state, difficulty, random.Random(seed), clock=Ticking(0.01)) for _ in range(2)
        )
        assert one == two


def gain(state: State, move: Move) -> int:
    mover = state.active
    return lead(apply(state, move, Stuck.END), mover) - lead(state, mover)


def test_greedy_takes_the_most_and_leaves_ties_to_chance() -> None:
    state = after(3, 9)
    best = max(gain(state, move) for move in legal_actions(state))
    expected = {move for move in legal_actions(state) if gain(state, move) == best}
    found = {choose(state, GREEDY, random.Random(seed)) for seed in range(100)}
    assert found == expected


def test_random_plays_every_move_sometimes() -> None:
    found = {choose(start(), RANDOM, random.Random(seed)) for seed in range(1000)}
    assert found == set(legal_actions(start()))


@pytest.mark.parametrize("seconds", [0.0, 0.5, 2.0])
def test_search_stops_at_the_first_look_after_its_time(seconds: float) -> None:
    clock = Ticking(0.01)
    began = clock.now
    choose(start(), SEARCH, random.Random(0), seconds, clock=clock)
    assert clock.now - began <= seconds + 2.5 * clock.tick


def test_search_goes_deeper_with_more_time() -> None:
    depths = []
    for looks in (0, 100, 3000):
        search = Search(Ticking(1.0, now=0.0), looks, Stuck.PASS)
        search.think(start(), random.Random(0))
        depths.append(search.depth)
    assert depths == sorted(set(depths))
    assert depths[0] >= 1


def test_difficulty_beyond_the_last_is_the_last() -> None:
    for difficulty in (RANDOM + 1, 99):
        move = choose(start(), difficulty, random.Random(5))
        assert move == choose(start(), RANDOM, random.Random(5))


def test_difficulty_below_zero_is_the_strongest() -> None:
    one, two = (
        choose(start(), difficulty, random.Random(5), clock=Ticking(0.01)) for difficulty in (-1, 0)
    )
    assert one == two


def test_thinking_can_be_sent_to_another_process() -> None:
    call = functools.partial(choose, start(), GREEDY, random.Random(1), 0.5, Stuck.PASS)
    assert pickle.loads(pickle.dumps(call))() in legal_actions(start())


def won(better: int, worse: int, seed: int) -> bool:
    rng = random.Random(seed)
    state = after(seed, 2)
    side = (ONE, TWO)[seed % 2]
    while not state.over:
        level = better if state.active is side else worse
        state = apply(state, choose(state, level, rng, clock=Ticking(0.005)))
    return state.outcome == Outcome(side)


@pytest.mark.parametrize("difficulty", range(len(DIFFICULTIES) - 1))
def test_every_level_beats_the_next(difficulty: int) -> None:
    assert sum(won(difficulty, difficulty + 1, seed) for seed in range(4)) >= 3
