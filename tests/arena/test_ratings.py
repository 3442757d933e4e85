"""Ratings of all entrants: from duels, and from games of many."""

import math
import random
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludothek.arena.stats import ratings, skills
from ludothek.arena.stats.elo import POINTS, expected
from ludothek.arena.stats.pairs import Pairs
from ludothek.arena.stats.ratings import MEAN, Encounter, Ratings, rate


def simulated(truth: list[float], pairs: int, seed: int) -> Ratings:
    rng = random.Random(seed)
    encounters = []
    for one, two in combinations(range(len(truth)), 2):
        chance = expected(truth[one] - truth[two])
        for _ in range(pairs):
            points = sum(rng.random() < chance for _ in range(2))
            encounters.append(Encounter(one, two, 2, points))
    return rate(len(truth), encounters)


def test_two_entrants_differ_as_their_pairs_say() -> None:
    pairs = Pairs((340, 540, 630, 640, 750))
    encounters = [
        Encounter(0, 1, 2, place / 2)
        for place, count in enumerate(pairs.counts)
        for _ in range(count)
    ]
    found = rate(2, encounters)
    assert found.values[0] - found.values[1] == pytest.approx(pairs.elo, abs=0.1)
    assert found.errors[0] + found.errors[1] == pytest.approx(pairs.error, abs=0.1)


def test_ratings_come_close_to_the_truth_as_often_as_they_claim() -> None:
    truth = [-200.0, -50.0, 0.0, 80.0, 170.0]
    inside = total = 0
    for seed in range(60):
        found = simulated(truth, 20, seed)
        for each, value, error in zip(truth, found.values, found.errors, strict=True):
            inside += abs(value - ratings.MEAN - each) <= error
            total += 1
    assert 0.91 <= inside / total <= 0.99


@pytest.mark.parametrize("pairs", [1, 3])
def test_few_games_of_many_entrants_do_not_make_errors_too_small(pairs: int) -> None:
    truth = [-400.0, -200.0, 0.0, 0.0, 200.0, 400.0]
    inside = total = 0
    for seed in range(60):
        found = simulated(truth, pairs, seed)
        for each, value, error in zip(truth, found.values, found.errors, strict=True):
            inside += abs(value - ratings.MEAN - each) <= error
            total += 1
    assert inside / total >= 0.92


def test_errors_shrink_with_the_square_root_of_games() -> None:
    truth = [-100.0, 0.0, 100.0]
    few = [sum(simulated(truth, 25, seed).errors) for seed in range(10)]
    many = [sum(simulated(truth, 100, seed).errors) for seed in range(10)]
    assert sum(few) / sum(many) == pytest.approx(2, rel=0.1)


def test_who_wins_everything_is_better_but_not_without_end() -> None:
    found = rate(2, [Encounter(0, 1, 2, 2.0)] * 20)
    assert 200 < found.values[0] - found.values[1] < 1000
    assert found.superiority(0, 1) > 0.99
    assert found.errors[0] > 100


def test_who_has_not_played_is_rated_as_the_mean() -> None:
    assert rate(3, []).values == [ratings.MEAN] * 3
    found = rate(4, [Encounter(0, 1, 2, 2.0)] * 3)
    assert found.values[2] == pytest.approx(ratings.MEAN)
    assert sum(found.values) / 4 == pytest.approx(ratings.MEAN)


def test_nobody_is_better_than_somebody_with_whom_no_games_connect_it() -> None:
    """As in the first round of a knock-out or a Swiss tournament."""
    found = rate(4, [*[Encounter(0, 1, 2, 2.0)] * 10, *[Encounter(2, 3, 2, 1.0)] * 10])
    assert found.superiority(0, 1) > 0.9
    assert found.superiority(0, 2) == found.superiority(3, 1) == 0.5
    found = rate(4, [*[Encounter(0, 1, 2, 2.0)] * 10, *[Encounter(1, 2, 2, 1.0)] * 10])
    assert found.superiority(0, 2) > 0.9


@settings(max_examples=25)
@given(
    st.lists(
        st.tuples(st.integers(0, 4), st.integers(0, 4), st.integers(0, 4)).filter(
            lambda drawn: drawn[0] != drawn[1]
        ),
        max_size=60,
    )
)
def test_names_and_sides_do_not_matter(drawn: list[tuple[int, int, int]]) -> None:
    found = rate(5, [Encounter(one, two, 2, half / 2) for one, two, half in drawn])
    turned = rate(5, [Encounter(4 - two, 4 - one, 2, 2 - half / 2) for one, two, half in drawn])
    assert turned.values[::-1] == pytest.approx(found.values, abs=1e-3)
    assert turned.errors[::-1] == pytest.approx(found.errors, abs=0.1, rel=1e-3)
    for one, two in combinations(range(5), 2):
        assert found.superiority(one, two) == pytest.approx(
            1 - found.superiority(two, one), abs=1e-4
        )


def test_the_order_of_strengths_comes_out_in_games_of_four() -> None:
    rng = random.Random(3)
    games = []
    for _ in range(300):
        seats = rng.sample(range(5), 4)
        merits = [rng.gauss(60 * entrant, 120) for entrant in seats]
        shares = [sum(other < merit for other in merits) / 3 for merit in merits]
        games.append((seats, shares))
    found = skills.rate(5, games)
    assert sorted(found.values) == [*found.values]
    assert found.superiority(4, 0) > 0.99
    assert all(error < 300 for error in found.errors)
    assert skills.rate(5, games[:50]).errors[2] > found.errors[2]


def gumbel(rng: random.Random) -> float:
    """What makes the order of results that of the model of Plackett and Luce."""
    return -math.log(-math.log(rng.random()))


@pytest.mark.parametrize(("entrants", "players"), [(5, 4), (8, 3)])
def test_ratings_in_games_of_many_are_on_the_scale_of_elo(entrants: int, players: int) -> None:
    rng = random.Random(7)
    truth = [100.0 * entrant for entrant in range(entrants)]
    middle = sum(truth) / entrants
    games = []
    for _ in range(1200):
        seats = rng.sample(range(entrants), players)
        merits = [truth[entrant] / POINTS + gumbel(rng) for entrant in seats]
        shares = [sum(other < merit for other in merits) / (players - 1) for merit in merits]
        games.append((seats, shares))
    found, earlier = skills.rate(entrants, games), skills.rate(entrants, games[:300])
    for entrant in range(entrants):
        off = found.values[entrant] - MEAN - (truth[entrant] - middle)
        assert abs(off) < 1.5 * found.errors[entrant]
        assert found.errors[entrant] == pytest.approx(earlier.errors[entrant] / 2, rel=0.25)
    assert max(found.errors) < 90


def test_equal_shares_are_equal_ranks() -> None:
    found = skills.rate(3, [((0, 1, 2), (1.0, 0.25, 0.25))])
    assert found.values[0] > found.values[1] == pytest.approx(found.values[2])
