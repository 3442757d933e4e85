"""Computer players: from what a player can see to what it does."""

import random
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import islice

import attrs

from games.qwirkle import rules
from ludothek.kit.levels import level

Hand = tuple[rules.Tile, ...]

# A hand of six hardly ever has more moves; with larger hands a bot must not list them for ever.
MOST_MOVES = 50_000

# How many of the moves with the most points are looked at, and how many compared closely.
GLANCES = 40
CANDIDATES = 12

# What the rest of a hand is worth in the following turns, from a regression over games of greedy
# players: each tile kept is one fresh tile less, unless the rest has a good move already.
KEPT = -1.0
NEXT = 0.7
DOUBLE = -0.3

# How many hands of the next player are imagined for all candidates; the better half of them get
# twice as many, and so on.
WORLDS = 8

# With so few tiles in the bag, so many of the best moves are played out to the end of the game, in
# so many imagined worlds and for at most so many turns.
LATE_BAG = 8
FINALISTS = 8
PLAYOUTS = 6
LAST_TURNS = 30


@attrs.define
class Budget:
    """Time to think."""

    _deadline: float
    _clock: Callable[[], float]

    @property
    def is_spent(self) -> bool:
        """Whether it is time to answer."""
        return self._clock() >= self._deadline

    def within(self, moves: Iterable[rules.Move]) -> Iterator[rules.Move]:
        """The moves that there is time for: at least the first, if there is one."""
        for move in moves:
            yield move
            if self.is_spent:
                return


def choose(
    view: rules.View,
    difficulty: int,
    rng: random.Random,
    seconds: float = 1.0,
    clock: Callable[[], float] = time.monotonic,
) -> rules.Action:
    """A legal action for the player whose view this is, after roughly `seconds` at most.

    The difficulty is an index into DIFFICULTIES; larger ones play like the last.
    """
    think = level(_THINKERS, difficulty)
    moves = rules.legal_moves(view.board, view.hand, view.variant.color_shape_count)
    budget = Budget(clock() + seconds, clock)
    found = list(islice(budget.within(moves), MOST_MOVES))
    if not found:
        return _without_move(view)
    return rules.Lay(think(found, view, rng, budget).placements)


def _random(
    moves: list[rules.Move], view: rules.View, rng: random.Random, budget: Budget
) -> rules.Move:
    return rng.choice(moves)


def _greedy(
    moves: list[rules.Move], view: rules.View, rng: random.Random, budget: Budget
) -> rules.Move:
    most = max(move.score for move in moves)
    return rng.choice([move for move in moves if move.score == most])


def _foresighted(
    moves: list[rules.Move], view: rules.View, rng: random.Random, budget: Budget
) -> rules.Move:
    """Weighs what a move earns against what it leaves to the others and in its own hand."""
    moves.sort(key=lambda move: -move.score)
    plans = sorted(_plans(moves, view, budget), key=lambda plan: -plan.value)
    ranked = _ranked(plans[:CANDIDATES], view, rng, budget)
    if view.bag_count <= LATE_BAG:
        ranked = _played_out(ranked[:FINALISTS], view, rng, budget)
    return ranked[0].move


DIFFICULTIES = ("foresighted", "greedy", "random")
_THINKERS = (_foresighted, _greedy, _random)


def _without_move(view: rules.View) -> rules.Action:
    """Swap what does not go with the rest; pass if there is nothing to swap it for."""
    if not view.bag_count:
        return rules.Pass()
    kept = _matching(view.hand)
    surplus = tuple(tile for tile in view.hand if tile not in kept) or view.hand
    return rules.Swap(surplus[: view.bag_count])


def _matching(hand: Hand) -> list[rules.Tile]:
    """The most tiles of different kinds that share a colour or a shape."""
    kinds = list({(tile.color, tile.shape): tile for tile in hand}.values())
    by_color = [[tile for tile in kinds if tile.color == one.color] for one in kinds]
    by_shape = [[tile for tile in kinds if tile.shape == one.shape] for one in kinds]
    return max(by_color + by_shape, key=len, default=[])


@attrs.define
class Plan:
    """A move under consideration and the board it leaves."""

    move: rules.Move
    spaces: dict[rules.Cell, rules.Space]
    touched: set[rules.Cell]  # where the board looks different afterwards
    value: float = 0.0  # before any reply
    replies: list[int] = attrs.field(factory=list)  # what the next player earned, world by world

    @property
    def balance(self) -> float:
        """What the move is worth, less the average reply."""
        return self.value - sum(self.replies) / max(len(self.replies), 1)

    def best_of(self, hand: Hand, count: int, before: Iterable[rules.Move], budget: Budget) -> int:
        """The best score of a hand after this move; `before` are its moves without it, best first.

        Only what the move touched is listed anew: nothing else has changed.
        """
        as_before = (move.score for move in before if not self._touches(move))
        anew = budget.within(rules.moves_on(self.spaces, hand, count, self.touched))
        return max(next(as_before, 0), max((move.score for move in anew), default=0))

    def _touches(self, move: rules.Move) -> bool:
        return any((placement.x, placement.y) in self.touched for placement in move.placements)


def _plans(moves: list[rules.Move], view: rules.View, budget: Budget) -> Iterator[Plan]:
    """The moves with the most points, each valued with the hand it leaves."""
    spaces = view.board.spaces()
    for move in budget.within(moves[:GLANCES]):
        plan = _plan(move, view.board, spaces)
        plan.value = move.score + _worth(_rest(view, move), plan, moves, view, budget)
        yield plan


def _plan(move: rules.Move, board: rules.Board, before: dict[rules.Cell, rules.Space]) -> Plan:
    spaces = board.plus(move.placements).spaces()
    laid = {(placement.x, placement.y) for placement in move.placements}
    changed = {cell for cell, space in spaces.items() if before.get(cell) != space}
    return Plan(move, spaces, laid | changed)


def _rest(view: rules.View, move: rules.Move) -> Hand:
    gone = {placement.tile for placement in move.placements}
    return tuple(tile for tile in view.hand if tile not in gone)


def _worth(
    rest: Hand, plan: Plan, moves: list[rules.Move], view: rules.View, budget: Budget
) -> float:
    """What the tiles that stay in the hand promise for the next turns."""
    if not rest and not view.bag_count:
        return view.variant.end_bonus
    kept = {tile.unique_id for tile in rest}
    possible = (
        move
        for move in moves
        if all(placement.tile.unique_id in kept for placement in move.placements)
    )
    best = plan.best_of(rest, view.variant.color_shape_count, possible, budget)
    doubles = len(rest) - len({(tile.color, tile.shape) for tile in rest})
    return KEPT * len(rest) + NEXT * best + DOUBLE * doubles


def _ranked(plans: list[Plan], view: rules.View, rng: random.Random, budget: Budget) -> list[Plan]:
    """The plans, best first; each round halves the field and looks twice as closely."""
    worlds = WORLDS
    field = len(plans)
    while field > 1 and all(_reply(plans[:field], view, rng, budget) for _ in range(worlds)):
        plans[:field] = sorted(plans[:field], key=lambda plan: -plan.balance)
        field = (field + 1) // 2
        worlds *= 2
    return sorted(plans[:field], key=lambda plan: -plan.balance) + plans[field:]


def _reply(plans: list[Plan], view: rules.View, rng: random.Random, budget: Budget) -> bool:
    """Let the next player answer each plan in one imagined world; False if there was no time."""
    count = view.variant.color_shape_count
    hand = rules.advance(rules.end_turn(_imagined(view, rng))).active.hand
    moves = list(budget.within(rules.moves_on(view.board.spaces(), hand, count)))
    moves.sort(key=lambda move: -move.score)
    replies = [plan.best_of(hand, count, moves, budget) for plan in plans]
    # A world that was cut short would be unfair to some plans.
    if budget.is_spent:
        return False
    for plan, reply in zip(plans, replies, strict=True):
        plan.replies.append(reply)
    return True


def _played_out(
    plans: list[Plan], view: rules.View, rng: random.Random, budget: Budget
) -> list[Plan]:
    """The plans, best first, judged by games that everybody finishes greedily."""
    totals = [0.0] * len(plans)
    # With an empty bag and one opponent there is only one world left.
    for _ in range(PLAYOUTS if view.bag_count or len(view.others) > 1 else 1):
        world = _imagined(view, rng)
        outcomes = [_outcome(world, plan.move, rng, budget) for plan in plans]
        if budget.is_spent:
            break
        totals = [total + outcome for total, outcome in zip(totals, outcomes, strict=True)]
    order = sorted(range(len(plans)), key=lambda index: -totals[index])
    return [plans[index] for index in order]


def _outcome(world: rules.State, move: rules.Move, rng: random.Random, budget: Budget) -> float:
    """Our lead over the average of the others at the end of an imagined game."""
    state = rules.apply(world, rules.Lay(move.placements), rng)
    for _ in range(LAST_TURNS):
        if state.end or budget.is_spent:
            break
        state = rules.apply(state, _greediest(state, budget), rng)
    own, *others = state.scores.values()
    return own - sum(others) / len(others)


def _greediest(state: rules.State, budget: Budget) -> rules.Action:
    hand, count = state.active.hand, state.variant.color_shape_count
    moves = rules.legal_moves(state.board, hand, count)
    best = max(budget.within(moves), key=lambda move: move.score, default=None)
    return rules.Lay(best.placements) if best else next(rules.legal_actions(state))


def _imagined(view: rules.View, rng: random.Random) -> rules.State:
    """A game that looks like this to the player."""
    unseen = _unseen(view)
    rng.shuffle(unseen)
    hidden, bag = unseen[: view.hidden], unseen[view.hidden :]
    seats = [rules.Seat(0, view.hand, view.score)]
    for place, score in enumerate(view.others):
        seats.append(rules.Seat(place + 1, tuple(hidden[place :: len(view.others)]), score))
    return rules.State(view.variant, tuple(seats), tuple(bag), view.board)


def _unseen(view: rules.View) -> list[rules.Tile]:
    """The tiles in the bag and in other hands; only their kinds are known, so ids are made up."""
    on_board = [placement.tile for placement in view.board.placements()]
    seen = Counter((tile.color, tile.shape) for tile in (*on_board, *view.hand))
    numbers = range(view.variant.color_shape_count)
    kinds = [(color, shape) for color in numbers for shape in numbers]
    copies = view.variant.tile_count
    unseen = [kind for kind in kinds for _ in range(copies - seen[kind])]
    return [rules.Tile(*kind, -index) for index, kind in enumerate(unseen, start=1)]
