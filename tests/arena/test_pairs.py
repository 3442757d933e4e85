"""Elo differences from pairs, compared with published figures."""

import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludothek.arena.stats.elo import difference, expected
from ludothek.arena.stats.pairs import Pairs

Counts = tuple[int, int, int, int, int]

counts = st.tuples(*[st.integers(0, 500)] * 5).filter(any)


@pytest.mark.parametrize(
    ("found", "elo", "error"),
    [  # of the tests of fastchess
        ((34, 54, 31 + 32, 64, 75), 55.58, 27.65),
        ((332, 433, 457 + 41, 333, 334), -8.64, 10.33),
        ((7895, 8757, 5485 + 200, 568, 9999), -21.04, 2.95),
    ],
)
def test_elo_and_its_error_are_those_of_fastchess(found: Counts, elo: float, error: float) -> None:
    pairs = Pairs(found)
    assert pairs.elo == pytest.approx(elo, abs=0.01)
    assert pairs.error == pytest.approx(error, abs=0.01)


def test_superiority_is_that_of_fastchess() -> None:
    assert Pairs((332, 433, 457 + 41, 333, 334)).superiority == pytest.approx(0.0505, abs=5e-5)
    assert Pairs((34, 54, 31 + 32, 64, 75)).superiority == pytest.approx(1, abs=5e-5)


def test_moments_are_those_of_a_published_test() -> None:
    pairs = Pairs((13, 37, 50, 25, 3))  # statistics page of a test of the engine Monty
    assert pairs.mean == pytest.approx(0.43750)
    assert pairs.variance == pytest.approx(0.05762, abs=5e-6)
    assert pairs.elo == pytest.approx(-43.6578, abs=5e-5)


def test_who_wins_everything_is_infinitely_stronger_as_far_as_one_knows() -> None:
    pairs = Pairs((0, 0, 0, 0, 7))
    assert (pairs.elo, pairs.superiority) == (math.inf, 1.0)
    equal = Pairs((0, 0, 7, 0, 0))
    assert (equal.superiority, str(equal.elo)) == (0.5, "0.0")


@given(counts)
def test_the_opponent_sees_the_opposite(found: Counts) -> None:
    pairs, opposite = Pairs(found), Pairs.counted(found[::-1])
    assert opposite.elo == pytest.approx(-pairs.elo)
    assert opposite.superiority == pytest.approx(1 - pairs.superiority)
    assert opposite.error == pytest.approx(pairs.error)


@given(counts)
def test_four_times_as_many_pairs_do_not_make_the_error_larger(found: Counts) -> None:
    pairs, more = Pairs(found), Pairs.counted([4 * count for count in found])
    if math.isfinite(pairs.error):
        assert more.error <= pairs.error


@given(st.floats(-800, 800))
def test_elo_and_results_are_inverse(elo: float) -> None:
    assert difference(expected(elo)) == pytest.approx(elo, abs=1e-6)


def test_the_interval_holds_the_truth_in_95_of_100_matches() -> None:
    rng = random.Random(5)
    truth, weights = 40.0, (0.09, 0.2, 0.4, 0.21, 0.1)
    mean = sum(
        weight * result for weight, result in zip(weights, (0, 0.25, 0.5, 0.75, 1), strict=True)
    )
    truth = difference(mean)
    inside = 0
    for _ in range(400):
        drawn = rng.choices((0, 0.5, 1, 1.5, 2), weights, k=150)
        low, high = Pairs.of(drawn).interval
        inside += low <= truth <= high
    assert 365 <= inside <= 395
