"""How the Hexxagon bots choose a move in a given state."""

import math
import random
import time
from collections.abc import Callable

import attrs

from games.hexxagon.rules import (
    NEIGHBOURS,
    PLAYABLE,
    REACH,
    RING,
    Move,
    State,
    Stuck,
    bit,
    can_move,
    legal_actions,
    tiles,
)
from ludothek.kit.levels import level

# The index is the difficulty; every level clearly beats the next one.
DIFFICULTIES: tuple[str, ...] = ("search", "shallow", "greedy", "random")

SHALLOW_DEPTH = 2
MAX_DEPTH = 64  # bounds the recursion
WIN = 1_000  # above every difference of stones
INFINITY = 1_000_000
MOST_CAPTURED = 5  # no tile has six playable neighbours

# With so few free tiles the search takes no shortcuts, so that endgames are exact.
ENDGAME = 8

# Two searches can trade the same stones for ever. After this turn, twice the length of a usual
# game, the bot prefers clones: they use up free tiles, which no move gives back.
LONG_GAME = 150

# About 30 MB. Freeing the table at the end takes up to 30 ms beyond the bot's time.
MAX_ENTRIES = 100_000

Clock = Callable[[], float]

# The gain in stones, the origin (0 for a clone), the target, and the stones of both sides after
# the move, the mover's first. All but the gain are bits. A plain tuple, because it is built most.
Child = tuple[int, int, int, int, int]

# What is known about a position: for searches up to a depth its value is at least `low` and at most
# `high`; then origin and target of the best move. Flat tuples of numbers give the garbage collector
# nothing to follow, so that it does not interrupt a long search for too long.
Entry = tuple[int, int, int, int, int]

_AROUND = {bit(n): (NEIGHBOURS[n], RING[n], REACH[n]) for n in tiles(PLAYABLE)}


def choose(
    state: State,
    difficulty: int,
    rng: random.Random,
    seconds: float = 1.0,
    stuck: Stuck = Stuck.PASS,
    clock: Clock = time.monotonic,
) -> Move:
    """Return a move for a game that is not over; only the strongest level uses up the time."""
    match level(DIFFICULTIES, difficulty):
        case "search":
            return Search(clock, clock() + seconds, stuck).think(state, rng)
        case "shallow":
            return Search(clock, math.inf, stuck).think(state, rng, SHALLOW_DEPTH)
        case "greedy":
            return _greediest(state, rng)
        case _:
            return rng.choice(legal_actions(state))


def _greediest(state: State, rng: random.Random) -> Move:
    enemy = state.stones(state.active.other)

    def gain(move: Move) -> int:
        near = NEIGHBOURS[move.target]
        return 2 * (near & enemy).bit_count() + (near & bit(move.origin) != 0)

    moves = legal_actions(state)
    most = max(map(gain, moves))
    return rng.choice([move for move in moves if gain(move) == most])


class TimeUp(Exception):
    """The search has used its time."""


@attrs.define
class Search:
    """A negamax with alpha-beta, iterative deepening and a transposition table.

    A position is seen by the player to move: own stones, enemy stones. Its value is the lead in
    stones, or beyond WIN when the game is decided. Terms for safe stones and for edge tiles cost
    more depth than they were worth in self-play.
    """

    clock: Clock
    deadline: float
    stuck: Stuck
    depth: int = 0  # of the last iteration that was finished
    _table: dict[tuple[int, int], Entry] = attrs.field(factory=dict, repr=False)

    def think(self, state: State, rng: random.Random, max_depth: int = MAX_DEPTH) -> Move:
        own = state.stones(state.active)
        moves = _candidates(own, state.stones(state.active.other), state.turn, rng)
        if len(moves) > 1:
            self._deepen(moves, max_depth)
        return _move(moves[0], own)

    def _deepen(self, moves: list[Child], max_depth: int) -> None:
        """Move the best move to the front, as far as time allows."""
        try:
            for depth in range(1, max_depth + 1):
                value = self._iterate(moves, depth)
                self.depth = depth
                if abs(value) >= WIN:
                    return
        except TimeUp:
            pass

    def _iterate(self, moves: list[Child], depth: int) -> int:
        # The first move is the best one of the previous iteration, so whatever an unfinished
        # iteration has put in its place is better still.
        alpha = -INFINITY
        for child in tuple(moves):
            value = self._child(child, depth, alpha, INFINITY)
            if value > alpha:
                alpha = value
                moves.remove(child)
                moves.insert(0, child)
        return alpha

    def _child(self, child: Child, depth: int, alpha: int, beta: int) -> int:
        # Most moves are no better than alpha, and asking just that is cheap.
        _, _, _, own, enemy = child
        if alpha > -INFINITY:
            value = -self._value(enemy, own, depth - 1, -alpha - 1, -alpha)
            if not alpha < value < beta:
                return value
        return -self._value(enemy, own, depth - 1, -beta, -alpha)

    def _value(self, own: int, enemy: int, depth: int, alpha: int, beta: int) -> int:
        free = PLAYABLE & ~(own | enemy)
        if not own or not free:
            return _final(own, enemy)
        late = free.bit_count() <= ENDGAME
        if depth == 0:
            if late and not can_move(own, free):
                return self._stuck_value(own, enemy, free)
            return own.bit_count() - enemy.bit_count()
        if depth == 1 and not late and enemy.bit_count() > MOST_CAPTURED:
            return _last_ply(own, enemy, free, beta)
        return self._node(own, enemy, free, depth, alpha, beta)

    def _node(self, own: int, enemy: int, free: int, depth: int, alpha: int, beta: int) -> int:
        if self.clock() >= self.deadline:
            raise TimeUp
        entry = self._table.get((own, enemy))
        if entry and entry[0] >= depth:
            _, low, high, _, _ = entry
            if low >= beta or low == high:
                return low
            if high <= alpha:
                return high
        children = _children(own, enemy, free)
        if not children:
            return self._stuck_value(own, enemy, free)
        children.sort(reverse=True)
        if entry:
            hint = entry[3:]
            children.sort(key=lambda child: child[1:3] != hint)
        value, best = self._best(own, enemy, children, depth, alpha, beta)
        self._store((own, enemy), depth, alpha, beta, value, best)
        return value

    def _best(
        self, own: int, enemy: int, children: list[Child], depth: int, alpha: int, beta: int
    ) -> tuple[int, Child]:
        lead = own.bit_count() - enemy.bit_count()
        free = (PLAYABLE & ~(own | enemy)).bit_count()
        # At best, the reply costs us no stones, so the gain bounds what a move is worth.
        bounded = depth == 2 and free > ENDGAME and enemy.bit_count() > MOST_CAPTURED
        value, best = -INFINITY, children[0]
        for child in children:
            if bounded and lead + child[0] <= alpha:
                found = lead + child[0]
            else:
                found = self._child(child, depth, alpha, beta)
            if found > value:
                value, best = found, child
                alpha = max(alpha, value)
                if value >= beta:
                    break
        return value, best

    def _stuck_value(self, own: int, enemy: int, free: int) -> int:
        """Return the value for a player without a move.

        Under PASS, too, the opponent gets the remaining tiles: cloning never frees the stuck
        player. Treating it as the end keeps a losing bot from jumping to and fro for ever.
        """
        if self.stuck is Stuck.END or not can_move(enemy, free):
            return _final(own, enemy)
        return _final(own, enemy | free)

    def _store(
        self, key: tuple[int, int], depth: int, alpha: int, beta: int, value: int, best: Child
    ) -> None:
        if len(self._table) >= MAX_ENTRIES:
            self._table.clear()
        low = value if value > alpha else -INFINITY
        high = value if value < beta else INFINITY
        self._table[key] = (depth, low, high, best[1], best[2])


def _final(own: int, enemy: int) -> int:
    lead = own.bit_count() - enemy.bit_count()
    return lead and lead + (WIN if lead > 0 else -WIN)


def _last_ply(own: int, enemy: int, free: int, beta: int) -> int:
    """Return the lead after the move that gains most, without building the positions."""
    lead = own.bit_count() - enemy.bit_count()
    most = 0
    while free:
        target = free & -free
        free ^= target
        near, _, reach = _AROUND[target]
        if reach & own:
            gain = 2 * (near & enemy).bit_count() + (1 if near & own else 0)
            if gain > most:
                most = gain
                if lead + most >= beta:
                    break
    return lead + most


def _candidates(own: int, enemy: int, turn: int, rng: random.Random) -> list[Child]:
    """Return the moves of the root, those that gain most first, equal ones in random order."""
    children = _children(own, enemy, PLAYABLE & ~(own | enemy))
    if turn > LONG_GAME:
        children = [child for child in children if not child[1]] or children
    rng.shuffle(children)
    children.sort(key=lambda child: -child[0])
    return children


def _children(own: int, enemy: int, free: int) -> list[Child]:
    """Return the moves, one clone for each target: all of them lead to the same position.

    A jump to where a clone is possible only gives a stone away; it is skipped before the endgame.
    """
    thorough = free.bit_count() <= ENDGAME
    children = []
    while free:
        target = free & -free
        free ^= target
        near, ring, reach = _AROUND[target]
        if not reach & own:
            continue
        captured = near & enemy
        gain = 2 * captured.bit_count()
        stones, others = own | target | captured, enemy ^ captured
        if near & own:
            children.append((gain + 1, 0, target, stones, others))
            if not thorough:
                continue
        origins = ring & own
        while origins:
            origin = origins & -origins
            origins ^= origin
            children.append((gain, origin, target, stones ^ origin, others))
    return children


def _move(child: Child, own: int) -> Move:
    _, origin, target, _, _ = child
    number = target.bit_length()
    return Move(origin.bit_length() or next(tiles(NEIGHBOURS[number] & own)), number)
