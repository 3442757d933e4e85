"""The rules of Penguins against recorded games, known positions and invariants."""

import random
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.penguins.rules import (
    Board,
    Coordinates,
    Mistake,
    Move,
    State,
    Team,
    apply,
    generate,
    legal_actions,
    position,
    score,
    start,
    winner,
)
from games.penguins.rules.board import bits, coordinates, slides
from ludothek.contract import mistakes as violation
from ludothek.contract.mistakes import RuleViolation

DATA = Path(__file__).parents[2] / "data" / "penguins"
TEAMS = {"R": Team.ONE, "B": Team.TWO, "-": None}
DIRECTIONS = ((2, 0), (-2, 0), (1, 1), (-1, 1), (1, -1), (-1, -1))
FIELDS = [Coordinates(2 * column + y % 2, y) for y in range(8) for column in range(8)]
ONES = ("11111111",) * 8

seeds = st.integers(-(2**31), 2**31 - 1)


def board(text: str) -> Board:
    return Board.from_rows(text.replace(" ", "").split("/"))


def ones(*red: tuple[int, int]) -> Board:
    """A board of single fish with penguins of ONE."""
    rows = [list(row) for row in ONES]
    for x, y in red:
        rows[y][x // 2] = "R"
    return Board.from_rows(["".join(row) for row in rows])


def place(x: int, y: int) -> Move:
    return Move(None, Coordinates(x, y))


def slide(x: int, y: int, to_x: int, to_y: int) -> Move:
    return Move(Coordinates(x, y), Coordinates(to_x, to_y))


def read_fish(text: str) -> tuple[int, int]:
    one, two = text.split(":")
    return int(one), int(two)


def read_field(text: str) -> Coordinates:
    column, y = "abcdefgh".index(text[0]), int(text[1]) - 1
    return Coordinates(2 * column + y % 2, y)


def read_move(text: str) -> Move:
    return Move(read_field(text[:2]) if text[2:] else None, read_field(text[-2:]))


def records(name: str) -> list[list[str]]:
    return [line.split(" ") for line in (DATA / name).read_text().splitlines()]


def mistake_of(state: State, move: Move) -> violation.Mistake | None:
    try:
        apply(state, move)
    except RuleViolation as broken:
        return broken.mistake
    return None


def random_game(seed: int) -> Iterator[State]:
    rng = random.Random(seed)
    state = start(generate(seed))
    yield state
    while not state.over:
        state = apply(state, rng.choice(legal_actions(state)))
        yield state


def at_turn(seed: int, turn: int) -> State:
    """The state of a random game at that turn, or its last one."""
    for state in random_game(seed):
        if state.turn == turn:
            break
    return state


def fish_left(board: Board) -> int:
    return sum(int(field) for field in "".join(board.rows()) if field.isdigit())


def walked(board: Board, team: Team) -> set[Move]:
    """All slides of a team, found by walking step by step over the text of the board."""
    rows, sign = board.rows(), "RB"[team.index]
    at = {(field.x, field.y): rows[field.y][field.x // 2] for field in FIELDS}
    moves = set()
    for (x, y), (dx, dy) in product([place for place in at if at[place] == sign], DIRECTIONS):
        to_x, to_y = x + dx, y + dy
        while at.get((to_x, to_y), "0") in "1234":
            moves.add(slide(x, y, to_x, to_y))
            to_x, to_y = to_x + dx, to_y + dy
    return moves


@pytest.mark.parametrize(
    ("seed", "upper_half"),
    [
        (0, "22332112 12212122 11112010 11111111"),
        (1, "11131222 11212112 10110011 21121112"),
        (2, "31311122 11022220 12211111 21111111"),
        (42, "11313122 11210221 22112102 01111101"),
        (12345, "32112122 32210012 21112111 21011111"),
        (-1, "31321222 20222221 12121111 01111111"),
        (2147483647, "22123322 02120111 21121021 11112011"),
        (-2147483648, "33211011 21132212 21211201 10111011"),
    ],
)
def test_a_seed_makes_the_board_of_the_original_server(seed: int, upper_half: str) -> None:
    assert " ".join(generate(seed).rows()[:4]) == upper_half


@given(seeds)
def test_generated_boards_are_point_symmetric(seed: int) -> None:
    fields = "".join(generate(seed).rows())
    assert fields == fields[::-1]


@given(seeds)
def test_generated_boards_have_few_holes_and_room_for_all_placements(seed: int) -> None:
    fields = "".join(generate(seed).rows())
    assert set(fields) <= set("01234")
    assert fields.count("0") in range(0, 11, 2)
    assert fields.count("1") >= 10


@given(st.lists(st.text("01234RB", min_size=8, max_size=8), min_size=8, max_size=8))
def test_the_text_of_a_board_reads_back_as_the_same_board(rows: list[str]) -> None:
    assert Board.from_rows(rows).rows() == tuple(rows)


@pytest.mark.parametrize("rows", [ONES[:7], (*ONES[:7], "1111111"), (*ONES[:7], "1111x111")])
def test_other_texts_are_no_boards(rows: tuple[str, ...]) -> None:
    with pytest.raises(ValueError, match="field"):
        Board.from_rows(rows)


def test_off_board_coordinates_are_no_field() -> None:
    outside = [(-1, 1), (-2, 0), (-1, 3), (-1, 0), (0, 1), (1, 0), (16, 0), (17, 1), (0, 8)]
    assert [Coordinates(x, y).bit for x, y in outside] == [0] * len(outside)


def test_the_64_fields_have_64_bits() -> None:
    assert sum(field.bit for field in FIELDS) == 2**64 - 1


@pytest.mark.parametrize("record", records("games.txt"), ids=lambda record: f"seed {record[0]}")
def test_recorded_games_replay(record: list[str]) -> None:
    seed, rows, fish, won, *moves = record
    state = start(generate(int(seed)))
    assert state.board == board(rows)
    for text in moves:
        sign = "R" if "R" in text else "B"
        move, count = text.split(sign)
        assert not state.over
        assert state.team is TEAMS[sign]
        assert len(legal_actions(state)) == int(count)
        state = apply(state, read_move(move))
    assert state.over
    assert (state.turn, state.fish) == (len(moves), read_fish(fish))
    assert winner(state) is TEAMS[won]


@pytest.mark.parametrize("record", records("states.txt"))
def test_recorded_positions_have_exactly_the_recorded_moves(record: list[str]) -> None:
    _, rows, turn, fish, team, over, *moves = record
    state = position(board(rows), int(turn), read_fish(fish))
    assert state.team is TEAMS[team]
    assert state.over is (over == "over")
    assert set(legal_actions(state)) == {read_move(move) for move in moves}
    assert len(legal_actions(state)) == len(moves)


def test_one_begins_on_a_board_of_ones_with_64_placements() -> None:
    state = start(ones())
    assert (state.turn, state.team, state.fish) == (0, Team.ONE, (0, 0))
    assert (state.last_move, state.over) == (None, False)
    assert set(legal_actions(state)) == {Move(None, field) for field in FIELDS}


def test_a_placed_penguin_takes_the_fish_of_its_field() -> None:
    before = start(generate(1))
    after = apply(before, place(1, 1))
    assert after.board.rows()[1] == "R1212112"
    assert (after.turn, after.team, after.fish) == (1, Team.TWO, (1, 0))
    assert after.last_move == place(1, 1)


def test_a_slide_leaves_a_hole_and_credits_only_the_target() -> None:
    before = position(board("R1213000" + "/RRR00000" + "/00000000" * 5 + "/BBBB0000"), 8, (4, 4))
    after = apply(before, slide(0, 0, 8, 0))
    assert after.board.rows()[:2] == ("0121R000", "RRR00000")
    assert after.fish == (7, 4)
    assert after.turn == 9


def test_applying_leaves_the_old_state_untouched() -> None:
    before = start(generate(1))
    apply(before, place(1, 1))
    assert before == start(generate(1))


def slides_on_ones(origin: tuple[int, int], *others: tuple[int, int]) -> set[tuple[int, int]]:
    reached = slides(Coordinates(*origin).bit, ones(origin, *others).floes)
    return {(field.x, field.y) for field in map(coordinates, bits(reached))}


@pytest.mark.parametrize(
    ("origin", "count"),
    [((0, 0), 14), ((7, 3), 21), ((8, 4), 21), ((15, 7), 14), ((14, 0), 15), ((1, 7), 15)],
)
def test_a_lone_penguin_on_ones_has_so_many_slides(origin: tuple[int, int], count: int) -> None:
    assert len(slides_on_ones(origin)) == count


def test_a_penguin_slides_along_all_six_directions() -> None:
    row = {(x, 4) for x in (0, 2, 4, 6, 10, 12, 14)}
    upwards = {(7, 3), (6, 2), (5, 1), (4, 0), (9, 3), (10, 2), (11, 1), (12, 0)}
    downwards = {(7, 5), (6, 6), (5, 7), (9, 5), (10, 6), (11, 7)}
    assert slides_on_ones((8, 4)) == row | upwards | downwards


def test_own_penguins_stop_a_slide() -> None:
    assert len(slides_on_ones((0, 0), (1, 1))) == 7


def test_four_penguins_on_the_diagonal_have_44_slides() -> None:
    state = position(ones((0, 0), (1, 1), (2, 2), (3, 3)), 0, (0, 0))
    assert len(legal_actions(state)) == 44


@pytest.mark.parametrize("turn", [58, 59, 60])
def test_no_number_of_turns_ends_the_game(turn: int) -> None:
    assert not position(ones(), turn, (0, 0)).over


def test_two_teams_without_floes_have_no_moves() -> None:
    state = position(board("RRRR0000/BBBB0000" + "/00000000" * 6), 0, (0, 0))
    assert (state.team, state.over, legal_actions(state)) == (Team.TWO, True, ())


@pytest.mark.parametrize(
    ("rows", "turn", "team", "moves"),
    [
        (
            "00000000/0000000R/00000B00/0B000000/10R0R102/00010000/001000B0/1R0100B0",
            57,
            Team.ONE,
            {slide(8, 4, 10, 4), slide(8, 4, 7, 5), slide(3, 7, 4, 6), slide(3, 7, 1, 7)},
        ),
        (
            "21000000/0000R010/0B020000/0B00001R/00001000/B0000B01/00000000/0R000R00",
            55,
            Team.ONE,
            {slide(15, 3, 13, 3)},
        ),
        (
            "0B00R00R/00000R00/2000B000/010R0001/00000000/01000B00/00200000/230002B0",
            48,
            Team.TWO,
            {slide(13, 7, 11, 7)},
        ),
        (
            "20130000/0020R00B/000100B0/0R0000R0/01000000/0000100B/20020R00/1220B002",
            45,
            Team.ONE,
            {slide(3, 3, 2, 4), slide(10, 6, 9, 5)},
        ),
    ],
)
def test_a_stuck_side_is_skipped(rows: str, turn: int, team: Team, moves: set[Move]) -> None:
    state = position(board(rows), turn, (34, 34))
    assert (state.team, state.over) == (team, False)
    assert turn % 2 != team.index
    assert set(legal_actions(state)) == moves


def test_fish_left_on_the_board_count_for_nobody() -> None:
    rows = "100B0000/110000RR/10000000/2000000R/20000B00/10000B00/20000000/00R0B011"
    state = position(board(rows), 48, (34, 33))
    assert state.over
    assert winner(state) is Team.ONE
    assert score(state) == (2, 0)


def test_equal_fish_are_a_draw() -> None:
    state = position(board("RRRR0000/BBBB0000" + "/00000000" * 6), 50, (31, 31))
    assert winner(state) is None
    assert score(state) == (1, 1)


def test_more_fish_win_for_two() -> None:
    state = position(board("RRRR0000/BBBB0000" + "/00000000" * 6), 50, (31, 32))
    assert winner(state) is Team.TWO
    assert score(state) == (0, 2)


@pytest.mark.parametrize(
    ("turn", "move", "mistake"),
    [
        (0, place(6, 0), Mistake.NOT_SINGLE_FISH),  # three fish
        (0, place(2, 2), Mistake.NOT_SINGLE_FISH),  # a hole
        (0, place(0, 1), Mistake.NOT_SINGLE_FISH),  # between the fields
        (0, place(-1, -1), Mistake.NOT_SINGLE_FISH),
        (1, place(8, 0), Mistake.NOT_SINGLE_FISH),  # the other side's penguin
        (0, slide(0, 0, 2, 0), Mistake.NOT_OWN),
        (0, slide(-1, -1, 0, 0), Mistake.NOT_OWN),
        (1, slide(8, 0, 10, 0), Mistake.NOT_OWN),
        (2, slide(8, 0, 10, 0), Mistake.PLACE_FIRST),
        (2, slide(8, 0, 8, 0), Mistake.PLACE_FIRST),
        (8, place(0, 0), Mistake.ALL_PLACED),
        (8, place(-1, -1), Mistake.ALL_PLACED),
        (8, slide(12, 4, 10, 6), Mistake.NOT_OWN),
        (8, slide(0, 0, 2, 0), Mistake.NOT_OWN),  # nobody's floe
        (8, slide(8, 0, 8, 0), Mistake.NOT_POSSIBLE),
        (8, slide(8, 0, 12, 2), Mistake.NOT_POSSIBLE),  # not straight
        (8, slide(8, 0, 16, 0), Mistake.NOT_POSSIBLE),
        (8, slide(8, 0, 9, 0), Mistake.NOT_POSSIBLE),
        (8, slide(4, 6, 9, 1), Mistake.NOT_POSSIBLE),  # over a hole
    ],
)
def test_a_mistake_is_named_as_by_the_original_server(
    turn: int, move: Move, mistake: Mistake
) -> None:
    state = start(generate(1))
    for text in records("games.txt")[0][4 : 4 + turn]:
        state = apply(state, read_move(text[:2]))
    assert mistake_of(state, move) is mistake


def test_the_mistakes_have_the_texts_of_the_original_server() -> None:
    assert {mistake.value for mistake in Mistake} == {
        "Nur eigene Spielfiguren können gezogen werden",
        "Setze zuerst alle Pinguine",
        "Dieser Zug ist nicht möglich",
        "Bereits alle Pinguine gesetzt",
        "Pinguine können nur auf einzelne Fische gesetzt werden",
    }


@settings(max_examples=40, deadline=None)
@given(seeds)
def test_fish_are_never_lost(seed: int) -> None:
    for state in random_game(seed):
        assert sum(state.fish) + fish_left(state.board) == fish_left(generate(seed))


@settings(max_examples=40, deadline=None)
@given(seeds)
def test_a_game_ends_after_at_most_64_turns_when_nobody_can_move(seed: int) -> None:
    states = list(random_game(seed))
    assert len(states) - 1 == states[-1].turn <= 64
    assert all(legal_actions(state) for state in states[:-1])
    assert not legal_actions(states[-1])


@settings(max_examples=40, deadline=None)
@given(seeds)
def test_the_side_by_parity_moves_unless_it_is_stuck(seed: int) -> None:
    for state in random_game(seed):
        by_parity = Team.TWO if state.turn % 2 else Team.ONE
        stuck = state.turn >= 8 and not walked(state.board, by_parity)
        assert state.team is (by_parity.other if stuck else by_parity)


@settings(max_examples=40, deadline=None)
@given(seeds, st.integers(0, 60))
def test_slides_are_what_walking_step_by_step_finds(seed: int, turn: int) -> None:
    state = at_turn(seed, turn)
    singles = {Move(None, f) for f in FIELDS if state.board.rows()[f.y][f.x // 2] == "1"}
    assert set(legal_actions(state)) == (
        singles if state.turn < 8 else walked(state.board, state.team)
    )


@settings(max_examples=15, deadline=None)
@given(seeds, st.integers(0, 60))
def test_exactly_the_legal_moves_are_accepted(seed: int, turn: int) -> None:
    state = at_turn(seed, turn)
    places = [Coordinates(x, y) for x, y in product(range(-1, 17), range(-1, 9))]
    origins = [None, *places[::3], *(move.origin for move in legal_actions(state))]
    moves = {Move(origin, target) for origin, target in product(set(origins), places)}
    accepted = {move for move in moves if mistake_of(state, move) is None}
    assert accepted == set(legal_actions(state))
