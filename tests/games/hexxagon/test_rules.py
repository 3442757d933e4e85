"""The rules of Hexxagon: geometry, single moves, counted moves, whole games."""

import random
from collections import Counter
from collections.abc import Iterable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.hexxagon.rules import (
    BLOCKED,
    NEIGHBOURS,
    PLAYABLE,
    REACH,
    RING,
    Mistake,
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
from ludothek.contract.mistakes import RuleViolation

ONE, TWO = Side.PLAYERONE, Side.PLAYERTWO


def mask(numbers: Iterable[int]) -> int:
    return sum(map(bit, numbers))


def position(one: Iterable[int], two: Iterable[int], active: Side = ONE) -> State:
    return State(mask(one), mask(two), active)


def moved(state: State, *moves: str, stuck: Stuck = Stuck.PASS) -> State:
    for move in moves:
        origin, target = map(int, move.split("-"))
        state = apply(state, Move(origin, target), stuck)
    return state


def points(state: State) -> tuple[int, int]:
    return state.points(ONE), state.points(TWO)


def mistake(state: State, move: str) -> object:
    with pytest.raises(RuleViolation) as caught:
        moved(state, move)
    return caught.value.mistake


# Geometry


@pytest.mark.parametrize(
    ("tile", "expected"),
    [
        (1, {2, 6, 7}),
        (27, {19, 28, 36}),
        (31, {22, 23, 30, 32, 39, 40}),
        (61, {55, 56, 60}),
        (41, {32, 33, 40, 42, 48, 49}),
    ],
)
def test_neighbours_are_at_distance_one(tile: int, expected: set[int]) -> None:
    assert set(tiles(NEIGHBOURS[tile])) == expected


@pytest.mark.parametrize(
    ("tile", "expected"),
    [
        (1, {3, 8, 12, 13, 14}),
        (30, {13, 14, 15, 20, 23, 28, 32, 37, 40, 45, 46, 47}),
        (61, {48, 49, 50, 54, 59}),
    ],
)
def test_ring_is_at_distance_two(tile: int, expected: set[int]) -> None:
    assert set(tiles(RING[tile])) == expected


def test_numbers_of_neighbours_depend_on_corner_edge_and_inside() -> None:
    assert Counter(m.bit_count() for m in NEIGHBOURS[1:]) == {3: 6, 4: 18, 6: 37}
    assert Counter(m.bit_count() for m in RING[1:]) == {5: 6, 6: 12, 7: 12, 9: 12, 12: 19}


def test_reach_is_mutual() -> None:
    assert all(REACH[b] & bit(a) for a in range(1, 62) for b in tiles(REACH[a]))


def test_no_move_can_capture_more_than_five_stones() -> None:
    most = [n for n in tiles(PLAYABLE) if (NEIGHBOURS[n] & PLAYABLE).bit_count() == 5]
    assert most == [7, 10, 13, 17, 20, 25, 28, 34, 37, 42, 45, 49, 52, 55]
    assert all((NEIGHBOURS[n] & PLAYABLE).bit_count() <= 5 for n in tiles(PLAYABLE))


# The start


def test_start_has_six_stones_each_and_forty_free_tiles() -> None:
    state = start()
    assert list(tiles(state.one)) == [22, 23, 30, 32, 39, 40]
    assert list(tiles(state.two)) == [1, 5, 27, 35, 57, 61]
    assert list(tiles(BLOCKED)) == [3, 14, 16, 29, 31, 33, 46, 48, 59]
    assert (state.active, state.turn, state.last, state.over) == (ONE, 1, None, False)
    assert state.free.bit_count() == 40


def turned(numbers: int) -> int:
    return mask(62 - n for n in tiles(numbers))


def test_start_looks_the_same_when_turned_by_half() -> None:
    state = start()
    assert (turned(state.one), turned(state.two)) == (state.one, state.two)
    found = {(62 - m.origin, 62 - m.target) for m in legal_actions(state)}
    assert found == {(m.origin, m.target) for m in legal_actions(state)}


def mirrored(numbers: int) -> int:
    """Swap top and bottom in each of the nine columns."""
    ends = [5, 11, 18, 26, 35, 43, 50, 56, 61]
    firsts = [1, *(end + 1 for end in ends[:-1])]
    image = {
        n: first + end - n
        for first, end in zip(firsts, ends, strict=True)
        for n in range(first, end + 1)
    }
    return mask(image[n] for n in tiles(numbers))


def test_start_looks_the_same_upside_down() -> None:
    state = start()
    assert (mirrored(state.one), mirrored(state.two)) == (state.one, state.two)
    assert mirrored(BLOCKED) == BLOCKED


# Text


def test_text_of_the_start_is_read_back() -> None:
    text = "2.B.2........B.B.....11...2.B1B1B.2...11.....B.B........2.B.2"
    assert start().to_text() == text
    assert State.from_text(text, ONE) == start()


@pytest.mark.parametrize("text", ["", "." * 61, start().to_text()[:-1] + "3", "B" * 61])
def test_text_that_is_no_board_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="not a board"):
        State.from_text(text, ONE)


# Single moves


@pytest.mark.parametrize(
    ("move", "expected"),
    [
        ("30-38", (7, 6)),  # clone
        ("32-17", (6, 6)),  # jump
        ("30-28", (7, 5)),  # jump over a blocked tile
        ("22-38", (6, 6)),  # jump past one's own stone
        ("30-15", (6, 6)),
        ("39-53", (6, 6)),
        ("22-7", (7, 5)),
        ("23-10", (7, 5)),
        ("32-34", (7, 5)),
        ("39-52", (7, 5)),
        ("40-55", (7, 5)),
    ],
)
def test_points_after_a_first_move(move: str, expected: tuple[int, int]) -> None:
    after = moved(start(), move)
    assert points(after) == expected
    assert (after.active, after.turn, after.over) == (TWO, 2, False)


def test_last_is_the_move_just_made() -> None:
    assert moved(start(), "30-38").last == Move(30, 38)


def test_jump_over_a_blocked_tile_captures_the_corner() -> None:
    after = moved(start(), "30-28")
    assert list(tiles(after.one)) == [22, 23, 27, 28, 32, 39, 40]


def test_jump_over_an_own_stone_changes_only_origin_and_target() -> None:
    after = moved(start(), "22-24")
    assert list(tiles(after.one)) == [23, 24, 30, 32, 39, 40]
    assert points(after) == (6, 6)


def test_only_six_first_moves_capture() -> None:
    state = start()
    capturing = {m for m in legal_actions(state) if apply(state, m).points(TWO) < 6}
    pairs = [(22, 7), (23, 10), (30, 28), (32, 34), (39, 52), (40, 55)]
    assert capturing == {Move(origin, target) for origin, target in pairs}


def test_jump_of_player_two_captures_two_stones() -> None:
    state = position([22, 23, 27, 28, 30, 32, 39, 40], [1, 5, 34, 35, 57, 61], TWO)
    after = moved(state, "34-41")
    assert points(after) == (6, 8)
    assert set(tiles(after.two)) >= {32, 40, 41}
    assert after.active is ONE


def test_capturing_the_last_stones_wins_at_once_and_fills_nothing() -> None:
    ours = [1, 5, 7, 23, 24, 27, 28, 30, 32, 39, 40, 47, 52, 57]
    for stuck in Stuck:
        after = moved(position(ours, [56, 60, 61]), "47-55", stuck=stuck)
        assert points(after) == (17, 0)
        assert after.outcome == Outcome(ONE)
        assert after.active is TWO


def test_clone_keeps_and_jump_frees_the_origin() -> None:
    assert set(tiles(moved(start(), "22-21").one)) >= {21, 22}
    jumped = moved(start(), "22-20")
    assert jumped.free & bit(22)
    assert jumped.one & bit(20)


def test_capture_looks_only_around_the_target_and_starts_no_chain() -> None:
    after = moved(position([20], [13, 21, 28, 61]), "20-22")
    assert list(tiles(after.one)) == [21, 22]
    assert list(tiles(after.two)) == [13, 28, 61]
    assert points(after) == (2, 3)


def test_own_and_blocked_neighbours_of_the_target_stay() -> None:
    after = moved(position([22, 30], [1]), "22-21")
    assert list(tiles(after.one)) == [21, 22, 30]
    assert after.to_text().count("B") == 9


@pytest.mark.parametrize(
    ("move", "expected"),
    [
        ("30-29", Mistake.TARGET_BLOCKED),
        ("30-31", Mistake.TARGET_BLOCKED),
        ("30-22", Mistake.TARGET_OCCUPIED),
        ("30-32", Mistake.TARGET_OCCUPIED),
        ("30-23", Mistake.TARGET_OCCUPIED),
        ("30-30", Mistake.SAME_TILE),
        ("30-27", Mistake.TARGET_OCCUPIED),
        ("30-19", Mistake.TOO_FAR),
        ("22-47", Mistake.TOO_FAR),
        ("38-37", Mistake.NO_STONE),
        ("3-2", Mistake.NO_STONE),
        ("1-2", Mistake.NOT_YOUR_STONE),
        ("27-28", Mistake.NOT_YOUR_STONE),
    ],
)
def test_illegal_first_moves_are_refused(move: str, expected: Mistake) -> None:
    assert mistake(start(), move) is expected


@pytest.mark.parametrize("move", ["5-6", "11-12", "26-27", "35-36"])
def test_consecutive_numbers_in_different_columns_are_no_neighbours(move: str) -> None:
    origin = int(move.split("-")[0])
    assert mistake(position([origin], [61]), move) is Mistake.TOO_FAR


@pytest.mark.parametrize(
    "move", [Move(0, 1), Move(-5, 2), Move(62, 61), Move(22, 0), Move(22, 62), Move(22, -1)]
)
def test_tiles_that_do_not_exist_are_a_violation(move: Move) -> None:
    with pytest.raises(RuleViolation) as caught:
        apply(start(), move)
    assert caught.value.mistake is Mistake.NO_SUCH_TILE


# The end


def full_but_thirty(active: Side) -> State:
    playable = list(tiles(PLAYABLE))
    return position([n for n in playable if n < 30], [n for n in playable if n > 30], active)


def test_filling_the_board_ends_the_game() -> None:
    after = moved(full_but_thirty(ONE), "22-30")
    assert points(after) == (28, 24)
    assert (after.outcome, after.active, after.turn) == (Outcome(ONE), TWO, 2)


def test_player_two_may_fill_the_board_as_well() -> None:
    after = moved(full_but_thirty(TWO), "39-30")
    assert points(after) == (23, 29)
    assert (after.outcome, after.active) == (Outcome(TWO), ONE)


def test_nothing_is_legal_after_the_end() -> None:
    after = moved(full_but_thirty(ONE), "22-30")
    assert legal_actions(after) == []
    assert mistake(after, "22-30") is Mistake.GAME_OVER


def before_stuck() -> State:
    """Return a position in which 61-50 leaves only 61 free, out of reach of player two."""
    playable = list(tiles(PLAYABLE))
    theirs = [n for n in playable if n <= 30]
    return position([n for n in playable if n > 30 and n != 50], theirs)


def test_position_of_a_stuck_player_has_no_legal_actions() -> None:
    after = moved(before_stuck(), "61-50")
    assert legal_actions(State(after.one, after.two, TWO)) == []


def test_pass_skips_the_stuck_player_without_counting_a_turn() -> None:
    after = moved(before_stuck(), "61-50")
    assert points(after) == (25, 26)
    assert (after.active, after.turn, after.over) == (ONE, 2, False)


def test_pass_lets_the_other_player_go_on_to_a_tie() -> None:
    after = moved(before_stuck(), "61-50", "60-61")
    assert points(after) == (26, 26)
    assert (after.outcome, after.active, after.turn) == (Outcome(None), TWO, 3)


def test_pass_lasts_as_long_as_the_player_is_stuck() -> None:
    after = moved(before_stuck(), "61-50", "50-61")
    assert points(after) == (25, 26)
    assert after.free == bit(50)
    assert (after.active, after.over) == (ONE, False)


def test_end_closes_the_game_when_the_next_player_is_stuck() -> None:
    after = moved(before_stuck(), "61-50", stuck=Stuck.END)
    assert points(after) == (25, 26)
    assert (after.outcome, after.active) == (Outcome(TWO), TWO)


def test_fill_gives_the_rest_to_the_player_who_can_move() -> None:
    after = moved(before_stuck(), "61-50", stuck=Stuck.FILL)
    assert points(after) == (26, 26)
    assert (after.outcome, after.active, after.free) == (Outcome(None), TWO, 0)


def test_surrounded_corner_stays_stuck_until_a_neighbour_leaves() -> None:
    state = position([2, 6, 7, 8, 12, 13, 30], [1])
    skipped = moved(state, "30-38")
    assert (points(skipped), skipped.active) == ((8, 1), ONE)
    freed = moved(state, "8-22")
    assert (points(freed), freed.active) == ((7, 1), TWO)
    assert legal_actions(freed) == [Move(1, 8)]


def test_six_plies_can_eliminate_player_one() -> None:
    middle = moved(start(), "40-54", "61-60")
    assert middle.two & bit(54)
    end = moved(middle, "22-38", "54-40", "38-21", "39-22")
    assert end.one == 0
    assert list(tiles(end.two)) == [1, 5, 21, 22, 23, 27, 30, 32, 35, 40, 57, 60, 61]
    assert (end.outcome, end.turn, end.active) == (Outcome(TWO), 7, ONE)


FULL_TIE = """
22-15 1-2 15-8 1-6 2-7 5-4 6-12 4-9 6-13 4-10 12-19 5-11 12-20 10-17 13-21 11-18 19-28 17-24
27-36 17-25 28-37 18-26 30-38 25-34 36-44 32-41 37-45 34-42 39-47 34-43 44-51 41-49 45-52 42-50
47-53 49-55 47-54 49-56 52-58 55-60
"""


def test_forty_lowest_clones_end_in_a_tie() -> None:
    end = moved(start(), *FULL_TIE.split())
    assert end.to_text() == "11B2211222211B2B221111222211B1B2B221111122211B1B2211122211B22"
    assert (points(end), end.outcome, end.turn) == ((26, 26), Outcome(None), 41)


def test_forty_lowest_clones_are_the_first_clones_of_legal_actions() -> None:
    state = start()
    for move in FULL_TIE.split():
        clones = [m for m in legal_actions(state) if NEIGHBOURS[m.origin] & bit(m.target)]
        assert move == f"{clones[0].origin}-{clones[0].target}"
        state = apply(state, clones[0])


# Counted moves


def counted(layer: dict[State, int]) -> tuple[int, int, int, int]:
    """Count (clones, jumps, capturing moves, captured stones) of all moves out of a layer."""
    clones = jumps = capturing = captured = 0
    for state, times in layer.items():
        enemy = state.stones(state.active.other)
        for move in legal_actions(state):
            near = NEIGHBOURS[move.target]
            stones = (near & enemy).bit_count()
            clone = near & bit(move.origin) != 0
            clones += times * clone
            jumps += times * (not clone)
            capturing += times * (stones > 0)
            captured += times * stones
    return clones, jumps, capturing, captured


def advanced(layer: dict[State, int]) -> dict[State, int]:
    """Return the distinct positions after one more ply, with the number of ways to each."""
    found: Counter[State] = Counter()
    for state, times in layer.items():
        for move in legal_actions(state):
            after = apply(state, move)
            found[State(after.one, after.two, after.active)] += times
    return found


def test_counts_of_moves_and_positions_from_the_start() -> None:
    """Depth four is only counted in total: looking at its two million moves would take too long."""
    layer = {start(): 1}
    seen, distinct = [], []
    for _ in range(3):
        seen.append(counted(layer))
        layer = advanced(layer)
        distinct.append(len(layer))
    assert seen == [
        (12, 42, 6, 6),
        (954, 1036, 152, 152),
        (28572, 88012, 24504, 25588),
    ]
    assert distinct == [48, 1762, 55242]
    assert sum(times * len(legal_actions(state)) for state, times in layer.items()) == 4700130


def test_start_moves_by_stone() -> None:
    targets: dict[int, list[int]] = {}
    for move in legal_actions(start()):
        targets.setdefault(move.origin, []).append(move.target)
    assert targets == {
        22: [7, 8, 9, 13, 15, 20, 21, 24, 38],
        23: [8, 9, 10, 15, 17, 21, 24, 25, 41],
        30: [13, 15, 20, 21, 28, 37, 38, 45, 47],
        32: [15, 17, 24, 25, 34, 41, 42, 47, 49],
        39: [21, 37, 38, 41, 45, 47, 52, 53, 54],
        40: [24, 38, 41, 42, 47, 49, 53, 54, 55],
    }


def test_player_two_would_have_38_moves_at_the_start() -> None:
    moves = legal_actions(State(start().one, start().two, TWO))
    clones = [m for m in moves if NEIGHBOURS[m.origin] & bit(m.target)]
    assert (len(clones), len(moves)) == (18, 38)


@pytest.mark.parametrize(
    ("move", "replies", "below"),
    [
        ("22-7", 32, 2053),
        ("22-8", 37, 2127),
        ("22-13", 37, 2138),
        ("22-15", 38, 2224),
        ("22-20", 37, 2139),
        ("22-21", 38, 2258),
        ("22-24", 38, 2185),
        ("30-28", 31, 2048),
        ("30-15", 38, 2151),
        ("30-38", 38, 2258),
        ("32-17", 37, 2138),
        ("32-34", 31, 2048),
        ("39-52", 32, 2053),
        ("40-55", 32, 2053),
    ],
)
def test_sequences_below_a_first_move(move: str, replies: int, below: int) -> None:
    after = moved(start(), move)
    moves = legal_actions(after)
    assert len(moves) == replies
    assert sum(len(legal_actions(apply(after, m))) for m in moves) == below


# Whole games


def playout(seed: int, stuck: Stuck) -> tuple[list[str], int, State]:
    """Play the moves of a small congruential generator; count the passes, too."""
    state, x, passes = start(), seed, 0
    played = []
    while not state.over:
        x = (1103515245 * x + 12345) % 2**31
        moves = legal_actions(state)
        move = moves[x // 65536 % len(moves)]
        mover, state = state.active, apply(state, move, stuck)
        played.append(f"{move.origin}-{move.target}")
        passes += not state.over and state.active is mover
    return played, passes, state


@pytest.mark.parametrize("stuck", [Stuck.PASS, Stuck.END])
@pytest.mark.parametrize(
    ("seed", "first", "plies", "expected", "board"),
    [
        (
            1,
            "39-54 35-42 30-28 1-13",
            124,
            (34, 18),
            "22B2222112211B1B221111222111B1B1B111221111122B1B1121111111B11",
        ),
        (
            2,
            "39-54 35-50 32-24 1-6",
            101,
            (31, 21),
            "11B1111111111B1B111111221111B1B2B111122222211B1B2222222222B22",
        ),
        (
            4,
            "32-49 1-13 49-43 5-11",
            99,
            (27, 25),
            "22B2212222211B2B221112211111B2B2B111111121111B1B1122222122B21",
        ),
    ],
)
def test_random_games_end_as_recorded(
    seed: int, first: str, plies: int, expected: tuple[int, int], board: str, stuck: Stuck
) -> None:
    played, passes, end = playout(seed, stuck)
    assert " ".join(played[:4]) == first
    assert (len(played), passes, end.turn) == (plies, 0, plies + 1)
    assert (points(end), end.to_text(), end.outcome) == (expected, board, Outcome(ONE))


@pytest.mark.parametrize("stuck", list(Stuck))
def test_every_random_game_ends_by_the_points(stuck: Stuck) -> None:
    passes = 0
    for seed in range(5, 45):
        _, passed, end = playout(seed, stuck)
        passes += passed
        one, two = points(end)
        winner = None if one == two else (ONE if one > two else TWO)
        assert end.outcome == Outcome(winner)
        assert end.last is not None
        assert end.stones(end.active.other) & bit(end.last.target)
    assert (passes > 0) is (stuck is Stuck.PASS)


# Properties


@st.composite
def states(draw: st.DrawFn) -> State:
    """Return a position of a random game that is not over."""
    rng = random.Random(draw(st.integers(0, 2**32)))
    before = state = start()
    for _ in range(draw(st.integers(0, 90))):
        if state.over:
            break
        before, state = state, apply(state, rng.choice(legal_actions(state)))
    return before if state.over else state


@settings(max_examples=60, deadline=None)
@given(states())
def test_exactly_the_legal_actions_are_accepted(state: State) -> None:
    accepted = []
    for origin in range(1, 62):
        for target in range(1, 62):
            try:
                apply(state, Move(origin, target))
            except RuleViolation:
                continue
            accepted.append(Move(origin, target))
    assert accepted == legal_actions(state)
    assert accepted


@settings(max_examples=100, deadline=None)
@given(states(), st.data())
def test_a_move_changes_the_stones_by_the_rules(state: State, data: st.DataObject) -> None:
    move = data.draw(st.sampled_from(legal_actions(state)))
    copy = State(state.one, state.two, state.active, state.turn, state.last)
    after = apply(state, move)
    clone = NEIGHBOURS[move.origin] & bit(move.target) != 0
    assert state == copy
    assert after.one & after.two == 0
    assert (after.one | after.two) & BLOCKED == 0
    assert sum(points(after)) == sum(points(state)) + clone
    assert after.points(state.active) >= state.points(state.active)
    assert (after.turn, after.last) == (state.turn + 1, move)
    assert after.over or legal_actions(after)


@settings(max_examples=100, deadline=None)
@given(states(), st.data())
def test_turning_board_and_move_turns_the_result(state: State, data: st.DataObject) -> None:
    move = data.draw(st.sampled_from(legal_actions(state)))
    opposite = State(turned(state.one), turned(state.two), state.active)
    plain = apply(state, move)
    after = apply(opposite, Move(62 - move.origin, 62 - move.target))
    assert (after.one, after.two) == (turned(plain.one), turned(plain.two))
    assert (after.active, after.outcome) == (plain.active, plain.outcome)


@settings(max_examples=100, deadline=None)
@given(states())
def test_text_keeps_the_stones(state: State) -> None:
    again = State.from_text(state.to_text(), state.active)
    assert (again.one, again.two, again.active) == (state.one, state.two, state.active)
