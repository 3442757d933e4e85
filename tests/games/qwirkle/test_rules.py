"""What the rules of Qwirkle allow, and what it earns."""

import random
import re
import time
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, islice, pairwise, permutations
from pathlib import Path

import attrs
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from games.qwirkle import rules
from games.qwirkle.rules import (
    End,
    Lay,
    Mistake,
    Pass,
    Placement,
    Refill,
    Swap,
    Tile,
    Variant,
)
from ludothek.contract.mistakes import RuleViolation

REPLAYS = Path(__file__).parents[2] / "data" / "qwirkle" / "replays.txt"

Kind = tuple[int, int]
Cells = dict[tuple[int, int], Kind]

relaxed = settings(
    deadline=None, max_examples=40, suppress_health_check=[HealthCheck.too_slow], derandomize=True
)


def placed(text: str, first_id: int = 0) -> tuple[Placement, ...]:
    """Reads "colour.shape@(x,y)" items; ids run upwards from the first."""
    found = re.findall(r"(\d+)\.(\d+)@\((-?\d+),(-?\d+)\)", text)
    return tuple(
        Placement(Tile(int(color), int(shape), first_id + index), int(x), int(y))
        for index, (color, shape, x, y) in enumerate(found)
    )


def tiles(text: str, first_id: int = 500) -> tuple[Tile, ...]:
    """Reads "colour.shape" items; ids run upwards from the first."""
    kinds = [item.split(".") for item in text.split()]
    return tuple(Tile(int(c), int(s), first_id + index) for index, (c, s) in enumerate(kinds))


def mistake_of(board: str, move: str, count: int) -> object:
    with pytest.raises(RuleViolation) as caught:
        rules.lay(rules.Board.of(placed(board)), placed(move, 900), count)
    return caught.value.mistake


L3 = "3.1@(7,-4) 4.1@(8,-4) 5.1@(9,-4)"
ROW = "0.0@(0,0) 0.1@(1,0) 0.2@(2,0)"
SIX = " ".join(f"{color}.2@({color},0)" for color in range(6))
CORNER = " ".join([f"{i}.0@({-i},0) 0.{i}@(0,{i})" for i in range(1, 6)])

LEGAL = [
    ("1 single first tile", 6, "", "0.0@(0,0)", 1),
    ("3 three at the start", 6, "", "0.0@(0,0) 0.1@(1,0) 0.2@(2,0)", 3),
    ("5 origin is any of the tiles", 6, "", "0.4@(-2,0) 1.4@(-1,0) 5.4@(0,0)", 3),
    ("6 first move is a qwirkle", 6, "", " ".join(f"{i}.2@(0,{i})" for i in range(6)), 12),
    ("7 qwirkle of seven", 7, "", " ".join(f"3.{i}@({i},0)" for i in range(7)), 14),
    ("13 qwirkle of two", 2, "", "1.0@(0,0) 0.0@(0,1)", 4),
    ("14 before the line", 6, L3, "2.1@(6,-4)", 4),
    ("14 after the line", 6, L3, "0.1@(10,-4)", 4),
    ("16 beside the line", 6, L3, "2.1@(9,-5)", 2),
    ("17 order in the list is irrelevant", 6, L3, "2.1@(11,-4) 0.1@(10,-4)", 5),
    ("18 across the end of the line", 6, L3, "2.0@(10,-5) 2.1@(10,-4) 2.2@(10,-3)", 7),
    ("21 both ends", 6, "0.0@(0,0) 0.1@(1,0)", "0.2@(-1,0) 0.3@(2,0)", 4),
    ("29 second listed makes the contact", 6, "0.0@(0,0)", "0.2@(2,0) 0.1@(1,0)", 3),
    (
        "30 fills a gap and extends",
        6,
        "0.0@(13,3) 0.1@(14,3) 0.2@(16,3) 0.3@(17,3)",
        "0.4@(15,3) 0.5@(18,3)",
        12,
    ),
    ("32 two qwirkles with one tile", 6, CORNER, "0.0@(0,0)", 24),
    ("33 closes a square", 6, "0.0@(0,0) 1.0@(1,0) 0.1@(0,1)", "1.1@(1,1)", 4),
    ("34 closes a square of two colours", 2, "0.0@(0,0) 0.1@(1,0) 1.0@(0,1)", "1.1@(1,1)", 8),
    ("35 parallel pair", 6, "0.0@(0,0) 0.1@(1,0)", "1.0@(0,1) 1.1@(1,1)", 6),
    (
        "36 runs through an old tile",
        6,
        "4.1@(2,0) 4.3@(2,1) 4.4@(2,2)",
        "2.4@(1,2) 3.4@(3,2)",
        3,
    ),
    ("37 lengthens a column", 6, "1.0@(0,0) 2.0@(1,0) 2.1@(1,1) 2.2@(1,2)", "2.3@(1,-1)", 4),
]

ILLEGAL = [
    ("2 nothing on the origin", 6, "", "0.0@(1,0)", Mistake.NOT_ON_ORIGIN),
    ("4 two beside the origin", 6, "", "0.0@(1,0) 0.1@(2,0)", Mistake.NOT_ON_ORIGIN),
    ("8 two copies", 6, "", "1.1@(0,0) 1.1@(1,0)", Mistake.MISMATCH),
    ("9 gap", 6, "", "1.1@(0,0) 1.2@(2,0)", Mistake.GAP),
    ("10 same cell", 6, "", "1.1@(0,0) 1.2@(0,0)", Mistake.CELL_TWICE),
    ("11 not one line", 6, "", "1.1@(0,0) 1.2@(1,1)", Mistake.NOT_ONE_LINE),
    ("12 mixed attribute", 6, "", "0.0@(0,0) 0.1@(1,0) 1.1@(2,0)", Mistake.MISMATCH),
    ("15 colour already in line", 6, L3, "3.1@(10,-4)", Mistake.MISMATCH),
    ("19 occupied", 6, "1.1@(0,0)", "1.2@(0,0)", Mistake.OCCUPIED),
    ("19 no contact", 6, "1.1@(0,0)", "1.2@(2,0)", Mistake.NO_CONTACT),
    ("19 diagonal", 6, "1.1@(0,0)", "1.2@(1,1)", Mistake.NO_CONTACT),
    ("20 identical neighbour", 6, "0.0@(0,0)", "0.0@(1,0)", Mistake.MISMATCH),
    ("21 colour line", 6, "0.0@(0,0) 0.1@(1,0)", "1.1@(2,0)", Mistake.MISMATCH),
    (
        "24 gap remains",
        6,
        "0.0@(-4,7) 0.1@(-3,7) 0.2@(-1,7) 0.3@(0,7)",
        "0.4@(1,7) 0.5@(-5,7)",
        Mistake.GAP,
    ),
    ("25 gap though both touch", 6, ROW, "1.0@(0,1) 1.2@(2,1)", Mistake.GAP),
    ("26 pair shares nothing", 6, "0.0@(0,0) 1.0@(0,1)", "0.1@(1,1)", Mistake.MISMATCH),
    ("28 seventh tile", 6, SIX, "0.2@(6,0)", Mistake.MISMATCH),
    ("33 shares nothing", 6, "0.0@(0,0) 1.0@(1,0) 0.1@(0,1)", "2.1@(1,1)", Mistake.MISMATCH),
    ("no tile at all", 6, ROW, "", Mistake.NO_TILES),
]


@pytest.mark.parametrize(
    ("count", "board", "move", "points"), [row[1:] for row in LEGAL], ids=[row[0] for row in LEGAL]
)
def test_legal_move_earns(count: int, board: str, move: str, points: int) -> None:
    assert rules.score(rules.Board.of(placed(board)), placed(move, 900), count) == points


@pytest.mark.parametrize(
    ("count", "board", "move", "mistake"),
    [row[1:] for row in ILLEGAL],
    ids=[row[0] for row in ILLEGAL],
)
def test_illegal_move_is_named(count: int, board: str, move: str, mistake: Mistake) -> None:
    assert mistake_of(board, move, count) is mistake


@pytest.mark.parametrize("x", [-1, 3])
def test_nothing_lengthens_a_complete_line(x: int) -> None:
    for color in range(3):
        for shape in range(3):
            assert mistake_of(ROW, f"{color}.{shape}@({x},0)", 3) is Mistake.MISMATCH


def test_sequence_of_moves_adds_up() -> None:
    board = rules.EMPTY
    for move, points in [
        ("0.1@(0,0) 1.1@(1,0) 4.1@(2,0) 3.1@(3,0)", 4),
        ("0.2@(0,1) 0.4@(0,2) 0.5@(0,3) 0.3@(0,4) 0.6@(0,5)", 6),
        ("4.3@(2,1) 4.4@(2,2)", 3),
        ("2.4@(1,2) 3.4@(3,2)", 4),
        ("1.6@(1,5)", 2),
        ("4.6@(2,5) 4.2@(2,4) 4.5@(2,3)", 9),
    ]:
        board, earned = rules.lay(board, placed(move), 7)
        assert earned == points


def test_a_board_can_be_built_in_any_order() -> None:
    placements = list(placed(CORNER))
    board = rules.Board.of(placements)
    random.Random(1).shuffle(placements)
    assert rules.Board.of(placements) == board
    assert set(board.placements()) == set(placements)


# --- recorded games ---------------------------------------------------------------------------


@attrs.frozen
class Turn:
    player: int
    points: int
    bag: int
    placements: tuple[Placement, ...]


@attrs.frozen
class Replay:
    variant: Variant
    final: tuple[int, ...]
    turns: tuple[Turn, ...]

    def bag(self) -> tuple[Tile, ...]:
        """A bag that deals the tiles to each player in the order in which they are laid."""
        size, players = self.variant.max_hand_tiles, len(self.final)
        queues = self._queues()
        hands = [size] * players
        chunks = [[queues[player].pop(0) for _ in range(size)] for player in range(players)]
        for turn in self.turns:
            missing = min(size - hands[turn.player], sum(map(len, queues)))
            chunks.append([queues[turn.player].pop(0) for _ in range(missing)])
            hands[turn.player] += missing - len(turn.placements)
        loser = (self.turns[-1].player + 1) % players
        chunks.append(queues[loser])
        return tuple(tile for chunk in reversed(chunks) for tile in chunk)

    def _queues(self) -> list[list[Tile]]:
        queues: list[list[Tile]] = [[] for _ in self.final]
        for turn in self.turns:
            queues[turn.player] += [placement.tile for placement in turn.placements]
        laid = {tile for queue in queues for tile in queue}
        # A player who did not go out ends with the tiles that nobody laid.
        loser = (self.turns[-1].player + 1) % len(queues)
        queues[loser] += [t for t in rules.all_tiles(self.variant) if t not in laid]
        return queues


def replays() -> Iterator[Replay]:
    for block in REPLAYS.read_text().split("game ")[1:]:
        head, *lines = block.splitlines()
        sizes, final = head.split(" final ")
        count, copies, hand = map(int, sizes.split())
        variant = Variant(count, copies, hand)
        turns = tuple(turn(line, rules.all_tiles(variant)) for line in lines)
        yield Replay(variant, tuple(map(int, final.split())), turns)


def turn(line: str, known: Sequence[Tile]) -> Turn:
    player, points, bag, *laid = line.split()
    numbers = [tuple(map(int, re.split("[@,]", item))) for item in laid]
    placements = tuple(Placement(known[unique_id], x, y) for unique_id, x, y in numbers)
    return Turn(int(player), int(points), int(bag), placements)


@pytest.mark.parametrize("replay", list(replays()), ids=lambda replay: str(replay.variant.total))
def test_recorded_game_is_replayed_to_the_last_point(replay: Replay) -> None:
    state = rules.deal(replay.variant, range(len(replay.final)), replay.bag())
    rng = random.Random(0)
    for turn in replay.turns:
        assert (state.end, state.active.player) == (None, turn.player)
        before = state.active.score
        state = rules.act(state, Lay(turn.placements), rng)
        assert (state.active.score - before, len(state.bag)) == (turn.points, turn.bag)
        state = rules.advance(state)
    assert state.end is End.OUT
    assert tuple(state.scores.values()) == replay.final


# --- an independent judge ---------------------------------------------------------------------


def run_through(cells: Cells, cell: tuple[int, int], step: tuple[int, int]) -> list[Kind]:
    (x, y), (dx, dy) = cell, step
    while (x - dx, y - dy) in cells:
        x, y = x - dx, y - dy
    run = []
    while (x, y) in cells:
        run.append(cells[x, y])
        x, y = x + dx, y + dy
    return run


def is_fine(run: list[Kind]) -> bool:
    colors, shapes = {color for color, _ in run}, {shape for _, shape in run}
    return sorted((len(colors), len(shapes))) == [1, len(run)]


def judged(cells: Cells, move: Iterable[tuple[int, int, Kind]], count: int) -> int | None:
    """Points by counting the whole board from scratch; None if the move is illegal."""
    move = list(move)
    new = {(x, y) for x, y, _ in move}
    rows, columns = {y for _, y in new}, {x for x, _ in new}
    if not move or len(new) < len(move) or new & cells.keys() or min(len(rows), len(columns)) > 1:
        return None
    after = cells | {(x, y): kind for x, y, kind in move}
    if any((x, y) not in after for x in span(columns) for y in span(rows)):
        return None
    near = {(x + dx, y + dy) for x, y in new for dx, dy in [(1, 0), (-1, 0), (0, 1), (0, -1)]}
    if not near & cells.keys() if cells else (0, 0) not in new:
        return None
    return recounted(after, new, count)


def span(numbers: set[int]) -> range:
    return range(min(numbers), max(numbers) + 1)


def recounted(after: Cells, new: set[tuple[int, int]], count: int) -> int | None:
    lines = set()
    for step in [(1, 0), (0, 1)]:
        for cell in new:
            run = run_through(after, cell, step)
            if len(run) > 1:
                # A line of a row is known by its row, a line of a column by its column.
                lines.add((step, cell[step[0]], tuple(run)))
    if not all(is_fine(list(run)) for _, _, run in lines):
        return None
    return sum(len(run) * (1 + (len(run) == count)) for _, _, run in lines) or 1


def kinds_of(board: rules.Board) -> Cells:
    return {(p.x, p.y): (p.tile.color, p.tile.shape) for p in board.placements()}


def bare(placements: Iterable[Placement]) -> frozenset[tuple[int, int, Kind]]:
    return frozenset((p.x, p.y, (p.tile.color, p.tile.shape)) for p in placements)


# --- properties -------------------------------------------------------------------------------

configurations = st.builds(
    Variant,
    color_shape_count=st.sampled_from([1, 2, 3, 4, 6, 12]),
    tile_count=st.integers(1, 4),
    max_hand_tiles=st.integers(1, 6),
    refill=st.sampled_from(Refill),
)


def some_action(state: rules.State, rng: random.Random) -> rules.Action:
    """Any of the first legal actions; sometimes a swap, so that bags get mixed."""
    bag = len(state.bag)
    swap = next(rules.swaps(state.active.hand, bag), None)
    if swap and rng.random() < 0.1:
        return Swap(swap)
    return rng.choice(list(islice(rules.legal_actions(state), 200)))


def course(variant: Variant, players: int, seed: int) -> Iterator[rules.State]:
    """The states of a random game, at most so many that a test stays short."""
    rng = random.Random(seed)
    players = min(players, variant.total // variant.max_hand_tiles)
    if players < 2:
        return
    state = rules.start(variant, range(players), rng)
    for _ in range(60):
        yield state
        if state.end:
            return
        state = rules.apply(state, some_action(state, rng), rng)


games = st.builds(course, configurations, st.integers(2, 5), st.integers(0, 10**6))
small_games = st.builds(
    course,
    st.builds(
        Variant,
        color_shape_count=st.integers(1, 4),
        tile_count=st.integers(1, 3),
        max_hand_tiles=st.integers(1, 3),
    ),
    st.just(2),
    st.integers(0, 10**6),
)


@relaxed
@given(games)
def test_no_tile_is_ever_lost_or_doubled(game: Iterator[rules.State]) -> None:
    for state in game:
        on_board = [placement.tile for placement in state.board.placements()]
        everywhere = [*on_board, *state.bag, *(t for hand in state.hands.values() for t in hand)]
        by_id = sorted(everywhere, key=lambda tile: tile.unique_id)
        assert tuple(by_id) == rules.all_tiles(state.variant)


@relaxed
@given(games)
def test_every_listed_move_is_accepted_and_earns_what_a_recount_of_the_board_says(
    game: Iterator[rules.State],
) -> None:
    for state in islice(game, 0, None, 3):
        count, cells = state.variant.color_shape_count, kinds_of(state.board)
        for move in islice(rules.legal_moves(state.board, state.active.hand, count), 0, 300, 3):
            board, earned = rules.lay(state.board, move.placements, count)
            assert earned == move.score == judged(cells, bare(move.placements), count)
            assert kinds_of(board) == cells | {(x, y): kind for x, y, kind in bare(move.placements)}


def tried(state: rules.State, reach: int) -> Iterator[frozenset[tuple[int, int, Kind]]]:
    """Every way to put tiles of the hand on one line near the board."""
    cells = kinds_of(state.board) or {(0, 0): (0, 0)}
    xs = [x for x, _ in cells]
    ys = [y for _, y in cells]
    columns = range(min(xs) - reach, max(xs) + reach + 1)
    rows = range(min(ys) - reach, max(ys) + reach + 1)
    lines = [[(x, y) for x in columns] for y in rows] + [[(x, y) for y in rows] for x in columns]
    kinds = [(tile.color, tile.shape) for tile in state.active.hand]
    for size in range(1, len(kinds) + 1):
        for order in set(permutations(kinds, size)):
            for line in lines:
                for places in combinations(line, size):
                    yield frozenset((*at, kind) for at, kind in zip(places, order, strict=True))


@settings(relaxed, max_examples=25)
@given(small_games, st.integers(0, 5))
def test_brute_force_finds_no_other_moves(game: Iterator[rules.State], turns: int) -> None:
    for state in islice(game, turns, turns + 1):
        count, cells = state.variant.color_shape_count, kinds_of(state.board)
        listed = [
            bare(m.placements) for m in rules.legal_moves(state.board, state.active.hand, count)
        ]
        found = {
            move for move in tried(state, len(state.active.hand)) if judged(cells, move, count)
        }
        assert len(listed) == len(set(listed))
        assert set(listed) == found


@settings(relaxed, max_examples=150)
@given(
    games,
    st.integers(0, 20),
    st.lists(
        st.tuples(st.integers(-3, 3), st.integers(-3, 3), st.integers(0, 5)), min_size=1, max_size=3
    ),
)
def test_a_move_is_accepted_exactly_if_the_judge_accepts_it(
    game: Iterator[rules.State], turns: int, wish: list[tuple[int, int, int]]
) -> None:
    for state in islice(game, turns, turns + 1):
        hand, count = state.active.hand, state.variant.color_shape_count
        move = [Placement(hand[i % len(hand)], x, y) for x, y, i in wish if hand]
        kinds = [(p.x, p.y, (p.tile.color, p.tile.shape)) for p in move]
        try:
            earned: int | None = rules.score(state.board, move, count)
        except RuleViolation:
            earned = None
        assert earned == judged(kinds_of(state.board), kinds, count)


@relaxed
@given(games)
def test_anchors_select_the_moves_that_cover_them(game: Iterator[rules.State]) -> None:
    for state in islice(game, 0, 30, 5):
        hand, count = state.active.hand[:4], state.variant.color_shape_count
        anchors = set(list(state.board.spaces())[::3])
        covering = {
            bare(move.placements): move.score
            for move in rules.legal_moves(state.board, hand, count)
            if any((p.x, p.y) in anchors for p in move.placements)
        }
        found = list(rules.moves_on(state.board.spaces(), hand, count, anchors))
        assert {bare(move.placements): move.score for move in found} == covering
        assert len(found) == len(covering)


@relaxed
@given(games)
def test_old_states_stay_as_they_were(game: Iterator[rules.State]) -> None:
    history = [(state, kinds_of(state.board), state.board.spaces()) for state in game]
    for state, cells, spaces in history:
        assert kinds_of(state.board) == cells
        assert state.board.spaces() == spaces


@relaxed
@given(games)
def test_points_only_come_from_moves_and_the_bonus(game: Iterator[rules.State]) -> None:
    states = list(game)
    for before, after in pairwise(states):
        gained = sum(after.scores.values()) - sum(before.scores.values())
        bonus = 6 * sum(not hand for hand in after.hands.values()) if after.end is End.OUT else 0
        new = kinds_of(after.board).keys() - kinds_of(before.board).keys()
        count = before.variant.color_shape_count
        earned = recounted(kinds_of(after.board), set(new), count) if new else 0
        assert gained == (earned or 0) + bonus


# --- the course of a game ---------------------------------------------------------------------


def state_with(
    board: str, hands: Sequence[str], bag: str = "", variant: Variant | None = None
) -> rules.State:
    """A game in progress with the first player to move."""
    seats = tuple(
        rules.Seat(player, tiles(hand, 500 + 100 * player)) for player, hand in enumerate(hands)
    )
    return rules.State(variant or Variant(), seats, tiles(bag, 300), rules.Board.of(placed(board)))


def lay_first(state: rules.State, x: int, y: int) -> Lay:
    return Lay((Placement(state.active.hand[0], x, y),))


RNG = random.Random(7)


def refused(state: rules.State, action: rules.Action) -> object:
    with pytest.raises(RuleViolation) as caught:
        rules.act(state, action, RNG)
    return caught.value.mistake


def test_a_start_deals_the_configured_hand_to_everybody() -> None:
    state = rules.start(Variant(), [7, 3, 9], random.Random(1))
    assert list(state.hands) == [7, 3, 9]
    assert [len(hand) for hand in state.hands.values()] == [6, 6, 6]
    assert len(state.bag) == 90
    assert (state.active.player, state.end) == (7, None)


def test_a_start_depends_on_nothing_but_the_seed() -> None:
    assert rules.start(Variant(), [1, 2], random.Random(5)) == rules.start(
        Variant(), [1, 2], random.Random(5)
    )


@pytest.mark.parametrize(
    ("players", "mistake"), [(1, Mistake.TOO_FEW_PLAYERS), (4, Mistake.TOO_FEW_TILES)]
)
def test_an_impossible_start_is_refused(players: int, mistake: Mistake) -> None:
    with pytest.raises(RuleViolation) as caught:
        rules.start(Variant(3, 2, 6), range(players), RNG)
    assert caught.value.mistake is mistake


@pytest.mark.parametrize("sizes", [(0, 3, 6), (6, 0, 6), (6, 3, 0)])
def test_sizes_below_one_are_no_configuration(sizes: tuple[int, int, int]) -> None:
    with pytest.raises(ValueError, match="at least 1"):
        Variant(*sizes)


def test_a_hand_is_refilled_when_its_owner_is_to_move_again() -> None:
    state = rules.start(Variant(), [1, 2, 3], random.Random(1))
    state = rules.act(state, lay_first(state, 0, 0), RNG)
    assert (len(state.bag), len(state.active.hand), state.drawn) == (90, 5, ())
    for expected in (2, 3):
        state = rules.advance(state)
        assert (state.active.player, len(state.bag), state.drawn) == (expected, 90, ())
        state = rules.end_turn(state)
    state = rules.advance(state)
    assert (state.active.player, len(state.bag), len(state.drawn)) == (1, 89, 1)
    assert state.active.hand[-1:] == state.drawn


def test_a_hand_is_refilled_at_once_if_so_configured() -> None:
    state = rules.start(Variant(refill=Refill.AFTER_MOVE), [1, 2], random.Random(1))
    state = rules.act(state, lay_first(state, 0, 0), RNG)
    assert (len(state.active.hand), len(state.drawn), len(state.bag)) == (6, 1, 95)


def test_a_swap_returns_none_of_the_given_tiles_and_keeps_the_bag_size() -> None:
    state = rules.start(Variant(), [1, 2], random.Random(1))
    given_away = state.active.hand[:2]
    after = rules.act(state, Swap(given_away), RNG)
    assert len(after.drawn) == 2
    assert not set(after.active.hand) & set(given_away)
    assert set(given_away) <= set(after.bag)
    assert len(after.bag) == len(state.bag)
    assert after.scores == {1: 0, 2: 0}


def test_only_as_many_tiles_as_the_bag_holds_can_be_swapped() -> None:
    state = state_with("", ["0.0 0.1 0.2", "1.1"], bag="2.2 3.3")
    assert refused(state, Swap(state.active.hand)) is Mistake.BAG_TOO_SMALL
    assert len(rules.act(state, Swap(state.active.hand[:2]), RNG).drawn) == 2


def test_tiles_must_come_once_each_from_the_own_hand() -> None:
    state = state_with("0.0@(0,0)", ["0.1 0.2", "0.3"], bag="2.2 3.3 4.4")
    mine, theirs = state.seats[0].hand, state.seats[1].hand
    disguised = attrs.evolve(mine[0], shape=4)
    for wrong, mistake in [
        ((), Mistake.NO_TILES),
        ((mine[0], mine[0]), Mistake.TILE_TWICE),
        (theirs, Mistake.NOT_IN_HAND),
        ((disguised,), Mistake.NOT_IN_HAND),
    ]:
        placements = tuple(Placement(tile, x, 0) for x, tile in enumerate(wrong, start=1))
        assert refused(state, Swap(wrong)) is mistake
        assert refused(state, Lay(placements)) is mistake


def test_only_tiles_of_the_game_exist() -> None:
    variant = Variant(3, 2, 3)
    assert all(rules.exists(variant, tile) for tile in rules.all_tiles(variant))
    for stranger in [Tile(0, 0, 18), Tile(0, 0, -1), Tile(0, 1, 0), Tile(3, 0, 9)]:
        assert not rules.exists(variant, stranger)


def test_going_out_counts_once_the_next_refill_empties_the_bag() -> None:
    state = state_with("0.0@(0,0)", ["0.1", "1.1"], "2.2", Variant(3, 1, 2))
    state = rules.apply(state, lay_first(state, 1, 0), RNG)
    assert state.end is End.OUT
    assert state.scores == {0: 2 + 6, 1: 0}
    assert (state.winner, state.leaders) == (0, (0,))


def test_going_out_does_not_count_while_the_bag_holds_tiles() -> None:
    state = state_with("0.0@(0,0)", ["0.1", "1.1"], "2.2 1.2", Variant(3, 1, 2))
    state = rules.apply(state, lay_first(state, 1, 0), RNG)
    assert state.end is None
    state = rules.advance(rules.end_turn(state))
    assert (len(state.active.hand), state.end) == (1, None)


@pytest.mark.parametrize("bonus", [0, 6, 12])
def test_the_bonus_is_configurable(bonus: int) -> None:
    variant = Variant(3, 1, 1, end_bonus=bonus)
    state = state_with("0.0@(0,0)", ["0.1", "1.1"], "", variant)
    assert rules.apply(state, lay_first(state, 1, 0), RNG).scores == {0: 2 + bonus, 1: 0}


SQUARE = "0.0@(0,0) 0.1@(1,0) 1.0@(0,1) 1.1@(1,1)"


@pytest.mark.parametrize("bag", ["", "1.1"])
def test_a_game_in_which_nothing_fits_any_more_ends_without_bonus(bag: str) -> None:
    state = state_with(SQUARE, ["0.0 1.0", "0.1"], bag, Variant(2, 2, 2))
    state = rules.advance(rules.end_turn(state))
    assert state.end is End.STUCK
    assert state.scores == {0: 0, 1: 0}


def test_with_one_kind_of_tile_the_first_move_is_the_last() -> None:
    state = rules.start(Variant(1, 5, 1), [1, 2], random.Random(1))
    state = rules.apply(state, lay_first(state, 0, 0), RNG)
    assert (state.end, state.scores) == (End.STUCK, {1: 1, 2: 0})


def test_twelve_colours_and_shapes_make_lines_of_twelve() -> None:
    line = " ".join(f"11.{shape}@({shape},0)" for shape in range(11))
    assert rules.score(rules.Board.of(placed(line)), placed("11.11@(11,0)", 50), 12) == 24


def test_who_can_neither_lay_nor_swap_may_only_pass() -> None:
    state = state_with("0.0@(0,0)", ["1.1", "0.1"], "", Variant(2, 2, 1))
    assert list(rules.legal_actions(state)) == [Pass()]
    state = rules.apply(state, Pass(), RNG)
    assert (state.active.player, state.end) == (1, None)
    assert refused(state, Pass()) is Mistake.CAN_MOVE
    assert all(isinstance(action, Lay) for action in rules.legal_actions(state))


def test_legal_actions_are_moves_and_swaps() -> None:
    state = state_with("", ["0.0 0.0", "1.1 1.0"], "0.1", Variant(2, 2, 2))
    first = state.active.hand[0]
    assert list(rules.legal_actions(state)) == [Lay((Placement(first, 0, 0),)), Swap((first,))]


def test_nothing_is_legal_between_turns_or_after_the_end() -> None:
    state = state_with("0.0@(0,0)", ["0.1 1.1", "1.1"], "", Variant(3, 1, 2))
    move = lay_first(state, 1, 0)
    between = rules.act(state, move, RNG)
    assert refused(between, move) is Mistake.TURN_OVER
    ended = attrs.evolve(state, end=End.ALONE)
    assert refused(ended, move) is Mistake.GAME_OVER
    assert not [*rules.legal_actions(between), *rules.legal_actions(ended)]
    assert rules.advance(ended) is ended


def test_penalties_may_lead_below_zero() -> None:
    state = rules.start(Variant(), [1, 2], random.Random(1))
    state = rules.advance(rules.end_turn(rules.penalise(state, 1, 2)))
    assert state.scores == {1: -2, 2: 0}
    assert (state.active.player, state.winner) == (2, 2)


def test_ties_go_to_the_first_in_turn_order() -> None:
    state = rules.start(Variant(), [4, 2, 3], random.Random(1))
    state = rules.penalise(state, 4, 1)
    assert (state.leaders, state.winner) == ((2, 3), 2)


@pytest.mark.parametrize(
    ("leaver", "turns", "then"), [(1, 0, 2), (2, 1, 3), (3, 2, 1), (1, 1, 2), (3, 0, 1), (1, 2, 3)]
)
def test_the_turn_goes_on_after_a_player_left(leaver: int, turns: int, then: int) -> None:
    state = rules.start(Variant(), [1, 2, 3], random.Random(1))
    for _ in range(turns):
        state = rules.advance(rules.end_turn(state))
    was_active = state.active.player == leaver
    state = rules.remove(state, leaver, RNG)
    assert state.turn_over is was_active
    assert rules.advance(state).active.player == then
    assert len(state.bag) == 96
    assert leaver not in state.scores


def test_a_leaver_between_turns_does_not_cost_anybody_a_turn() -> None:
    state = rules.end_turn(rules.start(Variant(), [1, 2, 3], random.Random(1)))
    assert rules.advance(rules.remove(state, 1, RNG)).active.player == 2
    assert rules.advance(rules.remove(state, 2, RNG)).active.player == 3
    assert rules.advance(rules.remove(state, 3, RNG)).active.player == 2


def test_the_last_player_wins_without_bonus() -> None:
    state = rules.start(Variant(), [1, 2], random.Random(1))
    state = rules.penalise(state, 2, 5)
    state = rules.remove(state, 1, RNG)
    assert (state.end, state.winner, state.scores) == (End.ALONE, 2, {2: -5})
    assert rules.remove(state, 2, RNG).winner is None


def test_the_shown_bag_does_not_tell_the_order_of_draws() -> None:
    state = rules.start(Variant(), [1, 2], random.Random(1))
    shown = state.bag_contents()
    assert set(shown) == set(state.bag)
    assert list(shown) == sorted(shown, key=lambda tile: tile.unique_id)


def test_a_view_shows_only_the_own_hand() -> None:
    state = rules.penalise(rules.start(Variant(), [1, 2, 3], random.Random(1)), 3, 4)
    seen = rules.view(state, 2)
    assert seen.hand == state.seat(2).hand
    assert (seen.bag_count, seen.hidden, seen.score, seen.others) == (90, 12, 0, (-4, 0))


# --- speed ------------------------------------------------------------------------------------


def crowded(total: int) -> rules.State:
    """A game of greedy players with at least so many tiles on the board."""
    rng = random.Random(3)
    variant = Variant(6, total // 18, 6)
    state = rules.start(variant, [1, 2], rng)
    while len(state.board.placements()) < total:
        moves = list(rules.legal_moves(state.board, state.active.hand, 6))
        best = max(moves, key=lambda move: move.score, default=None)
        action = Lay(best.placements) if best else next(rules.legal_actions(state))
        state = rules.apply(state, action, rng)
    return state


def seconds_to_list(state: rules.State, hand: Sequence[Tile]) -> float:
    """The best of a few tries, so that other load on the machine hardly counts."""
    times = []
    for _ in range(5):
        began = time.process_time()
        assert list(rules.legal_moves(state.board, hand, 6))
        times.append(time.process_time() - began)
    return min(times)


def test_all_moves_on_a_hundred_tiles_are_listed_well_within_50_milliseconds() -> None:
    state = crowded(100)
    assert seconds_to_list(state, state.active.hand) < 0.02
    assert seconds_to_list(state, tiles("0.0 1.1 2.2 2.3 2.4 5.5")) < 0.02


def test_even_a_whole_qwirkle_on_the_hand_is_listed_in_time() -> None:
    """Thousands of moves: the tiles may lie in any order wherever one of them fits."""
    assert seconds_to_list(crowded(100), tiles("0.0 0.1 0.2 0.3 0.4 0.5")) < 0.25


def test_a_move_on_a_huge_board_costs_as_much_as_on_a_small_one() -> None:
    small, huge = ROW, " ".join(f"{i % 2}.0@({i // 2 * 3 + i % 2},0)" for i in range(20_000))
    costs = [seconds_to_lay(rules.Board.of(placed(board))) for board in (small, huge)]
    assert costs[1] < 10 * costs[0]


def seconds_to_lay(board: rules.Board) -> float:
    move = placed("0.3@(0,1) 0.4@(0,2)", 900)
    times = []
    for _ in range(50):
        began = time.process_time()
        rules.lay(board, move, 6)
        times.append(time.process_time() - began)
    return min(times)
