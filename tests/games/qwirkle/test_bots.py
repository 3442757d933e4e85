"""How the computer players of Qwirkle think."""

import pickle
import random
import time
from collections.abc import Sequence

import attrs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.qwirkle import bots, rules
from games.qwirkle.rules import Placement, Tile, Variant

FORESIGHTED, GREEDY, RANDOM = range(3)


def frozen() -> float:
    """A clock that leaves unlimited time, so that only the caps end the thinking."""
    return 0.0


@attrs.define
class Ticking:
    """A clock that advances by a millisecond whenever it is read."""

    now: float = 0.0

    def __call__(self) -> float:
        self.now += 0.001
        return self.now


def row(kinds: Sequence[tuple[int, int]], y: int) -> list[Placement]:
    return [Placement(Tile(*kind, 100 * y + x), x, y) for x, kind in enumerate(kinds)]


def later(variant: Variant, players: int, turns: int, seed: int) -> rules.State:
    """A game after some random turns, or at its end."""
    rng = random.Random(seed)
    state = rules.start(variant, range(players), rng)
    for _ in range(turns):
        if state.end:
            break
        view = rules.view(state, state.active.player)
        state = rules.apply(state, bots.choose(view, RANDOM, rng, 1, frozen), rng)
    return state


def duel(variant: Variant, players: Sequence[int], seed: int) -> dict[int, int]:
    """The final scores of players named by their difficulty."""
    rng = random.Random(seed)
    state = rules.start(variant, players, rng)
    while not state.end:
        player = state.active.player
        action = bots.choose(rules.view(state, player), player, rng, 0.3, Ticking())
        state = rules.apply(state, action, rng)
    return state.scores


configurations = st.sampled_from(
    [
        Variant(1, 8, 2),
        Variant(2, 3, 2),
        Variant(3, 3, 4),
        Variant(6, 3, 6),
        Variant(12, 1, 12),
        Variant(4, 2, 3, refill=rules.Refill.AFTER_MOVE),
    ]
)


@settings(deadline=None, max_examples=60, derandomize=True)
@given(
    configurations, st.integers(2, 4), st.integers(0, 40), st.integers(0, 999), st.integers(0, 5)
)
def test_even_without_time_the_answer_is_legal(
    variant: Variant, players: int, turns: int, seed: int, difficulty: int
) -> None:
    state = later(variant, players, turns, seed)
    if not state.end:
        rng = random.Random(seed)
        action = bots.choose(rules.view(state, state.active.player), difficulty, rng, 0)
        rules.act(state, action, rng)


@pytest.mark.parametrize("difficulty", range(3))
def test_the_same_chance_gives_the_same_answer(difficulty: int) -> None:
    view = rules.view(later(Variant(), 2, 9, 4), 1)
    answers = [bots.choose(view, difficulty, random.Random(3), 1, frozen) for _ in range(2)]
    assert answers[0] == answers[1]


def test_a_question_survives_the_way_to_another_process() -> None:
    view = rules.view(later(Variant(), 2, 9, 4), 1)
    question = (view, GREEDY, random.Random(3), 1.0, time.monotonic)
    sent = pickle.loads(pickle.dumps(question))
    assert bots.choose(*sent) == bots.choose(view, GREEDY, random.Random(3), 1.0)


def test_difficulties_go_from_the_strongest_to_random() -> None:
    assert bots.DIFFICULTIES == ("foresighted", "greedy", "random")


def test_the_greedy_one_takes_the_most_points() -> None:
    for seed in range(5):
        state = later(Variant(), 2, 12, seed)
        view = rules.view(state, state.active.player)
        action = bots.choose(view, GREEDY, random.Random(seed), 1, frozen)
        assert isinstance(action, rules.Lay)
        best = max(move.score for move in rules.legal_moves(view.board, view.hand, 6))
        assert rules.score(view.board, action.placements, 6) == best


@pytest.mark.parametrize("seed", range(4))
def test_the_strongest_does_not_set_up_a_qwirkle_for_others(seed: int) -> None:
    """Two places earn the same, but only one of them can be completed with an unseen tile."""
    dangerous = row([(0, 0), (0, 1), (0, 2), (0, 3)], 0)
    safe = row([(1, 4), (2, 4), (3, 4), (5, 4)], 10)
    missing = row([(4, 4)], 30)
    board = rules.Board.of([*dangerous, *safe, *missing])
    view = rules.View(Variant(6, 1, 6), board, (Tile(0, 4, 1),), bag_count=20)
    action = bots.choose(view, FORESIGHTED, random.Random(seed), 1, frozen)
    assert isinstance(action, rules.Lay)
    assert [placement.y for placement in action.placements] == [10]


def test_the_strongest_goes_out_before_somebody_else_does() -> None:
    """One tile alone would earn 6, both together 4: but then nobody else gets the bonus."""
    cells = [(0, 0, 0, 0), (0, 1, 1, 0), (2, 0, 3, -1), (2, 1, 3, 1), (1, 0, -2, 0), (1, 1, 0, 30)]
    board = rules.Board.of(
        Placement(Tile(color, shape, index), x, y)
        for index, (color, shape, x, y) in enumerate(cells)
    )
    view = rules.View(Variant(3, 1, 2), board, (Tile(0, 2, 7), Tile(1, 2, 8)), bag_count=0)
    assert [laid(view, difficulty) for difficulty in (FORESIGHTED, GREEDY)] == [2, 1]


def laid(view: rules.View, difficulty: int) -> int:
    action = bots.choose(view, difficulty, random.Random(1), 1, frozen)
    assert isinstance(action, rules.Lay)
    return len(action.placements)


def test_without_a_move_the_odd_tiles_are_swapped() -> None:
    hand = (Tile(0, 0, 1), Tile(1, 1, 2), Tile(1, 2, 3))
    board = rules.Board.of(row([(3, 3)], 0))
    view = rules.View(Variant(4, 1, 3), board, hand, bag_count=5)
    for difficulty in range(3):
        action = bots.choose(view, difficulty, random.Random(1))
        assert action == rules.Swap(hand[:1])


def test_no_more_is_swapped_than_the_bag_holds() -> None:
    hand = (Tile(0, 0, 1), Tile(0, 0, 2), Tile(1, 1, 3))
    view = rules.View(Variant(4, 2, 3), rules.Board.of(row([(3, 3)], 0)), hand, bag_count=1)
    action = bots.choose(view, FORESIGHTED, random.Random(1))
    assert isinstance(action, rules.Swap)
    assert len(action.tiles) == 1


def test_who_can_do_nothing_passes() -> None:
    board = rules.Board.of(row([(0, 0)], 0))
    view = rules.View(Variant(2, 1, 1), board, (Tile(1, 1, 3),), bag_count=0)
    assert bots.choose(view, FORESIGHTED, random.Random(1)) == rules.Pass()


@pytest.mark.parametrize("turns", [10, 40])
def test_thinking_ends_when_the_time_is_up(turns: int) -> None:
    state = later(Variant(), 2, turns, 8)
    clock = Ticking()
    bots.choose(rules.view(state, state.active.player), FORESIGHTED, random.Random(1), 0.5, clock)
    assert 0.5 <= clock.now < 0.6


def test_a_huge_hand_does_not_take_for_ever() -> None:
    hand = tuple(Tile(0, shape, shape) for shape in range(12))
    view = rules.View(Variant(12, 3, 12), rules.EMPTY, hand, bag_count=408)
    began = time.process_time()
    bots.choose(view, FORESIGHTED, random.Random(1), 0.2)
    assert time.process_time() - began < 2


def test_the_strongest_beats_chance() -> None:
    for seed in range(4):
        players = [FORESIGHTED, RANDOM] if seed % 2 else [RANDOM, FORESIGHTED]
        points = duel(Variant(4, 3, 4), players, seed)
        assert points[FORESIGHTED] > points[RANDOM]


def test_three_players_can_be_bots() -> None:
    assert set(duel(Variant(3, 2, 3), [FORESIGHTED, GREEDY, RANDOM], 1)) == {0, 1, 2}
