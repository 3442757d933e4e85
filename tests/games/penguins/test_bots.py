"""How the Penguins bots choose: always legally, in time, and according to their difficulty."""

import pickle
import random
import time
from functools import cache
from itertools import count

import pytest

from games.penguins.bots import DIFFICULTIES, choose
from games.penguins.rules import (
    Board,
    Coordinates,
    Move,
    State,
    Team,
    apply,
    generate,
    legal_actions,
    position,
    start,
    winner,
)

SEARCH, GREEDY, RANDOM = range(3)
HOLES = "00000000"


class Ticks:
    """A clock that advances by 1 ms each time it is read, so that searches end at the same node."""

    def __init__(self) -> None:
        self._ticks = count()

    def __call__(self) -> float:
        return next(self._ticks) / 1000


def play(seed: int, one: int, two: int, seconds: float) -> State:
    rng = random.Random(seed)
    state = start(generate(seed))
    while not state.over:
        difficulty = one if state.team is Team.ONE else two
        move = choose(state, difficulty, rng, seconds, Ticks())
        assert move in legal_actions(state)
        state = apply(state, move)
    return state


def lead(state: State, team: Team) -> int:
    return state.fish[team.index] - state.fish[team.other.index]


@cache
def best_lead(state: State) -> int:
    """The final lead of the side to move with perfect play, by trying everything."""
    if state.over:
        return lead(state, state.team)
    return max(lead_after(state, move) for move in legal_actions(state))


def lead_after(state: State, move: Move) -> int:
    after = apply(state, move)
    return best_lead(after) * (1 if after.team is state.team else -1)


def late_states(floes: int) -> list[State]:
    """One state from each of some random games, when only so many floes are left."""
    states = []
    for seed in range(30):
        rng = random.Random(seed)
        state = start(generate(seed))
        while not state.over and state.board.floes.bit_count() > floes:
            state = apply(state, rng.choice(legal_actions(state)))
        states.append(state)
    return [state for state in states if len(legal_actions(state)) > 1]


def greedy_game(seed: int, turns: int) -> State:
    rng = random.Random(seed)
    state = start(generate(seed))
    while state.turn < turns:
        state = apply(state, choose(state, GREEDY, rng))
    return state


def fish_at(state: State, field: Coordinates) -> int:
    return int(state.board.rows()[field.y][field.x // 2])


def test_the_difficulties_go_from_search_to_random() -> None:
    assert DIFFICULTIES[SEARCH] == "search"
    assert DIFFICULTIES[GREEDY] == "greedy"
    assert DIFFICULTIES[RANDOM] == DIFFICULTIES[-1] == "random"


@pytest.mark.parametrize("difficulty", [SEARCH, GREEDY, RANDOM])
@pytest.mark.parametrize("seconds", [0.0, 0.01])
def test_whole_games_consist_of_legal_moves(difficulty: int, seconds: float) -> None:
    assert play(difficulty, difficulty, difficulty, seconds).over


@pytest.mark.parametrize("difficulty", [SEARCH, GREEDY, RANDOM])
def test_equal_chances_make_equal_games(difficulty: int) -> None:
    assert play(5, difficulty, difficulty, 0.02) == play(5, difficulty, difficulty, 0.02)


def test_a_difficulty_beyond_the_last_is_the_last() -> None:
    state = start(generate(1))
    moves = [choose(state, difficulty, random.Random(7)) for difficulty in (RANDOM, 3, 99)]
    assert moves == [moves[0]] * 3


def test_random_makes_every_move_sooner_or_later() -> None:
    state = start(generate(1))
    rng = random.Random(1)
    assert {choose(state, RANDOM, rng) for _ in range(1000)} == set(legal_actions(state))


def test_greedy_takes_the_most_fish() -> None:
    rng = random.Random(3)
    state = start(generate(3))
    while not state.over:
        move = choose(state, GREEDY, rng)
        assert fish_at(state, move.target) == max(
            fish_at(state, other.target) for other in legal_actions(state)
        )
        state = apply(state, move)


def test_greedy_breaks_ties_by_chance() -> None:
    state = start(generate(1))
    assert len({choose(state, GREEDY, random.Random(seed)) for seed in range(50)}) > 10


def test_search_prefers_the_larger_region_to_the_larger_fish() -> None:
    # To the left four floes in a row, to the right a dead end with three fish.
    board = Board.from_rows(["1211R300", *[HOLES] * 3, "R000R000", HOLES, "R0000000", "BBBB0000"])
    state = position(board, 8, (4, 4))
    right = Move(Coordinates(8, 0), Coordinates(10, 0))
    assert choose(state, GREEDY, random.Random(1)) == right
    assert choose(state, SEARCH, random.Random(1)) == Move(Coordinates(8, 0), Coordinates(6, 0))


def test_search_plays_small_endings_perfectly() -> None:
    states = late_states(floes=14)
    assert len(states) > 20
    for state in states:
        move = choose(state, SEARCH, random.Random(1), 60, time.process_time)
        assert lead_after(state, move) == best_lead(state)


@pytest.mark.parametrize("searcher", [Team.ONE, Team.TWO])
@pytest.mark.parametrize("seed", range(3))
def test_search_beats_greedy_even_in_a_hurry(searcher: Team, seed: int) -> None:
    one, two = (SEARCH, GREEDY) if searcher is Team.ONE else (GREEDY, SEARCH)
    assert winner(play(seed, one, two, 0.2)) is searcher


@pytest.mark.parametrize("seconds", [0.0, 0.02, 0.1])
def test_search_keeps_to_its_time(seconds: float) -> None:
    for turn in range(0, 40, 5):
        state = greedy_game(seed=9, turns=turn)
        # The best of three, in processor time: other programs on the machine hardly count.
        assert min(seconds_to_choose(state, seconds) for _ in range(3)) < seconds + 0.02


def seconds_to_choose(state: State, seconds: float) -> float:
    begin = time.process_time()
    choose(state, SEARCH, random.Random(1), seconds, time.process_time)
    return time.process_time() - begin


def test_thinking_can_be_sent_to_another_process() -> None:
    state = apply(start(generate(1)), Move(None, Coordinates(8, 0)))
    task = pickle.loads(pickle.dumps((choose, state, SEARCH, random.Random(1), 0.0)))
    assert task[0](*task[1:]) in legal_actions(state)
