"""Formats: who plays whom. Everything follows from the seed and the results."""

import random
from collections import Counter
from itertools import combinations
from math import comb

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludothek.arena.formats import groups
from ludothek.arena.formats.fixed import Fixed
from ludothek.arena.formats.knockout import Knockout
from ludothek.arena.formats.schedule import Fixture, Results, Schedule
from ludothek.arena.formats.sequential import Sequential
from ludothek.arena.formats.swiss import Swiss
from ludothek.arena.stats.sprt import Decision, Sprt
from ludothek.contract.chance import Chance

seeds = st.integers(0, 10**9)
few = settings(max_examples=15, deadline=None)


def result(fixture: Fixture, strength: int = 1) -> list[float]:
    """A made-up result: it depends on nothing but the game."""
    rng = random.Random(fixture.number * 7919 + fixture.seed)
    merits = [rng.gauss(-strength * entrant, 2) // 1 for entrant in fixture.seats]
    others = len(merits) - 1
    return [
        (sum(other < merit for other in merits) + (merits.count(merit) - 1) / 2) / others
        for merit in merits
    ]


def played(
    schedule: Schedule, rng: random.Random, slots: int = 1, strength: int = 1
) -> dict[int, list[float]]:
    """Play to the end; of those games that run at once, any may be over first."""
    results: dict[int, list[float]] = {}
    while due := [f for f in schedule.fixtures(results) if f.number not in results]:
        fixture = rng.choice(due[:slots])
        results[fixture.number] = result(fixture, strength)
    return results


def counted(schedule: Schedule, results: Results) -> list[Fixture]:
    return [*schedule.fixtures(results)]


def round_robin(entrants: int, players: int, games: int, seed: int) -> Fixed:
    return Fixed(groups.everybody(entrants, players), games, Chance(seed))


def make(name: str, seed: int) -> Schedule:
    chance = Chance(seed)
    match name:
        case "round robin":
            return round_robin(4, 2, 4, seed)
        case "gauntlet":
            return Fixed(groups.challenges(1, 5, 2), 4, chance)
        case "swiss":
            return Swiss(7, 2, 4, 2, chance)
        case "swiss of three":
            return Swiss(8, 3, 3, 3, chance)
        case "knockout":
            return Knockout([*range(6)], 2, 2, chance)
    return Sequential(Sprt(elo0=0, elo1=200), 60, chance)


NAMES = ["round robin", "gauntlet", "swiss", "swiss of three", "knockout", "sprt"]


@pytest.mark.parametrize("name", NAMES)
@few
@given(seed=seeds, slots=st.integers(2, 9), order=seeds)
def test_the_same_games_count_in_whatever_order_they_end(
    name: str, seed: int, slots: int, order: int
) -> None:
    straight = played(make(name, seed), random.Random(0))
    mixed = played(make(name, seed), random.Random(order), slots)
    assert counted(make(name, seed), mixed) == counted(make(name, seed), straight)
    assert make(name, seed).places(mixed) == make(name, seed).places(straight)


@pytest.mark.parametrize("name", NAMES)
@few
@given(seed=seeds)
def test_a_known_game_stays_the_same_game(name: str, seed: int) -> None:
    schedule = make(name, seed)
    results = played(schedule, random.Random(seed), 3)
    known: dict[int, Fixture] = {}
    partial: dict[int, list[float]] = {}
    for number, shares in results.items():
        for fixture in schedule.fixtures(partial):
            assert known.setdefault(fixture.number, fixture) == fixture
        partial[number] = shares
    assert schedule.size(results) == len(counted(schedule, results))


@pytest.mark.parametrize("name", NAMES)
@few
@given(seed=seeds)
def test_everybody_takes_each_seat_as_often_and_on_the_same_board(name: str, seed: int) -> None:
    schedule = make(name, seed)
    fixtures = counted(schedule, played(schedule, random.Random(1)))
    assert len({fixture.number for fixture in fixtures}) == len(fixtures)
    places = Counter((entrant, seat) for f in fixtures for seat, entrant in enumerate(f.seats))
    for entrant in {entrant for entrant, _ in places}:
        assert len({places[entrant, seat] for seat in range(len(fixtures[0].seats))}) == 1
    for rotation in {fixture.rotation for fixture in fixtures}:
        same = [fixture for fixture in fixtures if fixture.rotation == rotation]
        assert len({fixture.seed for fixture in same}) == 1
        assert len({frozenset(fixture.seats) for fixture in same}) == 1
    boards = {fixture.seed for fixture in fixtures}
    assert len(boards) == len({fixture.rotation for fixture in fixtures})


@few
@given(st.integers(2, 7), st.integers(2, 4), st.integers(1, 3), seeds)
def test_in_a_round_robin_every_group_meets_equally_often(
    entrants: int, players: int, cycles: int, seed: int
) -> None:
    fixtures = counted(round_robin(entrants, players, cycles * players, seed), {})
    met = Counter(frozenset(fixture.seats) for fixture in fixtures)
    assert len(met) == comb(entrants, players)
    assert set(met.values()) <= {cycles * players}
    assert [fixture.number for fixture in fixtures] == [*range(1, len(fixtures) + 1)]


@few
@given(st.integers(2, 6), seeds)
def test_more_games_per_pairing_begin_with_the_same_games(entrants: int, seed: int) -> None:
    few = counted(round_robin(entrants, 2, 4, seed), {})
    many = counted(round_robin(entrants, 2, 10, seed), {})
    assert many[: len(few)] == few


def test_in_a_gauntlet_one_meets_all_others() -> None:
    fixtures = counted(Fixed(groups.challenges(1, 5, 3), 3, Chance(4)), {})
    assert all(1 in fixture.seats for fixture in fixtures)
    assert len(fixtures) == 3 * comb(4, 2)


@few
@given(st.integers(3, 12), st.integers(3, 6), st.integers(1, 40), seeds)
def test_chosen_groups_are_balanced(entrants: int, players: int, count: int, seed: int) -> None:
    players = min(players, entrants)
    found = groups.balanced(entrants, players, count, random.Random(seed))
    assert len(found) == min(count, comb(entrants, players))
    played_by = Counter(entrant for group in found for entrant in group)
    counts = [played_by[entrant] for entrant in range(entrants)]
    assert max(counts) - min(counts) <= 1
    assert all(len(set(group)) == players for group in found)


def test_chosen_groups_let_many_meet() -> None:
    found = groups.balanced(9, 3, 12, random.Random(1))
    met = Counter(frozenset(pair) for group in found for pair in combinations(group, 2))
    assert len(met) >= 30  # of 36; twelve groups can have all of them
    assert max(met.values()) <= 2


@few
@given(st.integers(4, 12), seeds)
def test_in_a_swiss_tournament_nobody_meets_twice_while_there_are_others(
    entrants: int, seed: int
) -> None:
    schedule = Swiss(entrants, 2, 3, 2, Chance(seed))
    fixtures = counted(schedule, played(schedule, random.Random(seed)))
    met = Counter(frozenset(fixture.seats) for fixture in fixtures)
    if entrants >= 8:
        assert set(met.values()) == {2}
    assert max(fixture.round for fixture in fixtures) == 3


@pytest.mark.parametrize(("entrants", "rounds"), [(30, 15), (41, 15)])
def test_in_a_long_swiss_tournament_nobody_meets_twice(entrants: int, rounds: int) -> None:
    """As long as everybody has half of the others left, there are always opponents for all."""
    schedule = Swiss(entrants, 2, rounds, 2, Chance(3))
    fixtures = counted(schedule, played_in_rounds(schedule))
    met = Counter(frozenset(fixture.seats) for fixture in fixtures)
    assert set(met.values()) == {2}


def played_in_rounds(schedule: Schedule) -> dict[int, list[float]]:
    """Play to the end, all games that are known at once."""
    results: dict[int, list[float]] = {}
    while due := [f for f in schedule.fixtures(results) if f.number not in results]:
        results |= {fixture.number: result(fixture) for fixture in due}
    return results


@few
@given(st.sampled_from([5, 7, 9]), seeds)
def test_a_bye_goes_to_each_at_most_once_and_brings_full_points(entrants: int, seed: int) -> None:
    schedule = Swiss(entrants, 2, 4, 2, Chance(seed))
    results = played(schedule, random.Random(seed))
    byes = schedule.byes(results)
    assert len(byes) == 4
    assert set(byes.values()) == {2.0}


@few
@given(seeds)
def test_in_a_swiss_tournament_equals_meet(seed: int) -> None:
    schedule = Swiss(8, 2, 3, 2, Chance(seed))
    results = played(schedule, random.Random(seed), strength=50)
    second = {frozenset(f.seats) for f in schedule.fixtures(results) if f.round == 2}
    first = {min(f.seats) for f in schedule.fixtures(results) if f.round == 1}
    assert all(len(pair & first) in (0, 2) for pair in second)
    assert schedule.places(results)[0] == [0]


@few
@given(st.integers(2, 20), seeds)
def test_the_strongest_wins_a_knockout_and_the_second_reaches_the_final(
    entrants: int, seed: int
) -> None:
    schedule = Knockout([*range(entrants)], 2, 3, Chance(seed))
    results = played(schedule, random.Random(seed), slots=4, strength=100)
    places = schedule.places(results)
    assert places[:2] == [[0], [1]]
    assert sorted(entrant for group in places for entrant in group) == [*range(entrants)]
    byes = 2**schedule.rounds - entrants
    free = [duel for duel in schedule.bracket(results) if None in duel.entrants]
    assert sorted(duel.winner for duel in free if duel.winner is not None) == [*range(byes)]
    assert len(schedule.bracket(results)) == 2**schedule.rounds - 1


def test_a_drawn_duel_goes_on_and_then_the_better_seed_does() -> None:
    schedule = Knockout([1, 0], 2, 2, Chance(1))
    results: dict[int, list[float]] = {}
    lengths = []
    while due := [f for f in schedule.fixtures(results) if f.number not in results]:
        lengths.append(len(counted(schedule, results)))
        results[due[0].number] = [0.5, 0.5]
    assert lengths == [2, 2, 4, 4, 6, 6]
    assert schedule.places(results) == [[1], [0]]


def test_a_duel_ends_with_the_pair_that_decides_it() -> None:
    schedule = Knockout([0, 1], 2, 3, Chance(1))
    results: dict[int, list[float]] = {}
    for fixture in schedule.fixtures({}):
        results[fixture.number] = [1.0, 0.0]  # whoever begins wins
    pair = [f for f in schedule.fixtures(results) if f.number not in results]
    assert len(pair) == 2
    for fixture in pair:
        results[fixture.number] = [0.5 if fixture is pair[0] else float(e) for e in fixture.seats]
    assert len(counted(schedule, results)) == 4
    assert schedule.places(results)[0] == [1]


def test_a_sequential_test_ends_as_soon_as_the_pairs_in_order_say_so() -> None:
    schedule = Sequential(Sprt(elo0=0, elo1=200), 400, Chance(2))
    results = played(schedule, random.Random(3), slots=8, strength=3)
    pairs = schedule.pairs(results)
    assert schedule.test.verdict(pairs) is Decision.H1
    assert len(counted(schedule, results)) == 2 * pairs.total < 400
    assert len(results) >= 2 * pairs.total


def test_a_sequential_test_gives_up_at_its_limit() -> None:
    schedule = Sequential(Sprt(elo0=0, elo1=1), 20, Chance(2))
    results = played(schedule, random.Random(3))
    assert len(counted(schedule, results)) == 20
    assert schedule.test.verdict(schedule.pairs(results)) is Decision.OPEN
