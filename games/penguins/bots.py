"""How computer players choose a move in a given state."""

import contextlib
import random
import time
from collections.abc import Callable

import attrs

from games.penguins.rules import Move, State, legal_actions
from games.penguins.rules.board import PENGUINS, bits, coordinates, neighbours, slides
from ludothek.kit.levels import level

DIFFICULTIES: tuple[str, ...] = ("search", "greedy", "random")

# Values are in hundredths of a fish. The shares of fish not yet caught come from many games
# between searches that differed only in them.
FISH = 100
SURE = 75  # of a fish that only one side can reach: seldom can all of them be collected
NEAR = 65  # of a fish that both can reach, for the side that is nearer to it
REACH = 10  # for each field that is one slide away
SMALL = 11  # floes of a region that is solved exactly once only one side can reach it
SOLVED = 64  # the depth of a search that went to the end of the game
INFINITE = 1_000_000

_Step = tuple[int, int]  # origin (0 for a placement) and target, each a set of one field
_Position = tuple[int, int, int]  # penguins of the side to move, of the other side, floes


def is_quick(difficulty: int) -> bool:
    """Whether a choice takes no time worth mentioning."""
    return level(DIFFICULTIES, difficulty) != "search"


def wake_up() -> None:
    """Does nothing; but a process that has run this has loaded everything it needs to decide."""


def choose(
    state: State,
    difficulty: int,
    rng: random.Random,
    seconds: float = 1.0,
    clock: Callable[[], float] = time.monotonic,
) -> Move:
    """A legal move; smaller difficulties play stronger, none takes (much) longer than `seconds`."""
    deadline = clock() + seconds
    match level(DIFFICULTIES, difficulty):
        case "search":
            return _search(state, rng, deadline, clock)
        case "greedy":
            return _greedy(state, rng)
        case _:
            return rng.choice(legal_actions(state))


def _greedy(state: State, rng: random.Random) -> Move:
    moves = legal_actions(state)
    catches = [_count(state.board.fish, move.target.bit) for move in moves]
    most = max(catches)
    return rng.choice([move for move, fish in zip(moves, catches, strict=True) if fish == most])


def _search(state: State, rng: random.Random, deadline: float, clock: Callable[[], float]) -> Move:
    own, foe = state.board.penguins[:: -1 if state.team.index else 1]
    search = _Search(state.board.fish, deadline, clock)
    origin, target = search.best((own, foe, state.board.floes), rng)
    return Move(coordinates(origin) if origin else None, coordinates(target))


def _count(fish: tuple[int, int, int, int], area: int) -> int:
    ones, twos, threes, fours = fish
    return (
        (area & ones).bit_count()
        + 2 * (area & twos).bit_count()
        + 3 * (area & threes).bit_count()
        + 4 * (area & fours).bit_count()
    )


def _flood(start: int, area: int) -> int:
    """All fields of the area that are connected to the start."""
    flooded = 0
    while start := neighbours(start) & area & ~flooded:
        flooded |= start
    return flooded


class _TimeUpError(Exception):
    """The search must stop here; the results of finished depths still count."""


@attrs.frozen
class _Entry:
    """What is known about a position: a value, and whether the real one may be higher or lower."""

    depth: int
    value: int
    step: _Step
    lower: bool
    upper: bool

    def decides(self, alpha: int, beta: int) -> bool:
        """Whether a new search with this window would yield the same."""
        if self.lower and self.upper:
            return True
        return self.value >= beta if self.lower else self.value <= alpha


@attrs.define
class _Search:
    """Alpha-beta search with iterative deepening.

    Values count only what is still to come, so they hold whatever has been collected before.
    """

    fish: tuple[int, int, int, int]
    deadline: float
    clock: Callable[[], float]
    table: dict[_Position, _Entry] = attrs.field(factory=dict)
    catches: dict[tuple[int, int], int] = attrs.field(factory=dict)  # of `most`
    history: dict[_Step, int] = attrs.field(factory=dict)  # how often a step refuted another
    guesses: int = 0  # estimates that contributed to the current depth's result

    def best(self, position: _Position, rng: random.Random) -> _Step:
        """The best move found in time; the one with the largest catch if there was none."""
        own, foe, floes = position
        near, _, shared = _areas(own, foe, floes)
        if _all_placed(own, foe) and not shared:
            # Nobody can interfere any more: ignore the other side.
            position = own, foe, near
        steps = self.steps(position)
        rng.shuffle(steps)
        steps.sort(key=self.catch, reverse=True)
        with contextlib.suppress(_TimeUpError):
            for depth in range(1, SOLVED):
                self.guesses = 0
                self.rank(steps, position, depth)
                if not self.guesses:
                    break
        return steps[0]

    def rank(self, steps: list[_Step], position: _Position, depth: int) -> None:
        """Move the best step to the front, at any moment the best one known so far."""
        alpha = -INFINITE
        for step in steps.copy():
            value = self.after(step, position, depth, alpha, INFINITE)
            if value > alpha:
                alpha = value
                steps.remove(step)
                steps.insert(0, step)

    def value(self, position: _Position, depth: int, alpha: int, beta: int) -> int:
        """What the side to move will gain over the other, exact between alpha and beta."""
        self.check_time()
        entry = self.table.get(position)
        if entry and entry.depth >= depth and entry.decides(alpha, beta):
            self.guesses += entry.depth < SOLVED
            return entry.value
        if (end := self.leaf(position, depth)) is not None:
            return end
        steps = self.steps(position)
        if not steps:
            own, foe, floes = position
            return -self.value((foe, own, floes), depth, -beta, -alpha)
        steps.sort(key=self.promise, reverse=True)
        if entry:
            steps.insert(0, entry.step)
        return self.deepen(steps, position, depth, alpha, beta)

    def deepen(
        self, steps: list[_Step], position: _Position, depth: int, alpha: int, beta: int
    ) -> int:
        guesses, floor, best, choice = self.guesses, alpha, -INFINITE, steps[0]
        for step in steps:
            value = self.after(step, position, depth, alpha, beta)
            if value > best:
                best, choice = value, step
                alpha = max(alpha, value)
            if alpha >= beta:
                self.history[step] = self.history.get(step, 0) + depth * depth
                break
        known = SOLVED if guesses == self.guesses else depth
        self.table[position] = _Entry(known, best, choice, lower=best > floor, upper=best < beta)
        return best

    def after(self, step: _Step, position: _Position, depth: int, alpha: int, beta: int) -> int:
        """What the step gains, minus what the other side gains afterwards."""
        origin, target = step
        own, foe, floes = position
        gain = FISH * self.catch(step)
        answered = foe, own & ~origin | target, floes & ~target
        return gain - self.value(answered, depth - 1, gain - beta, gain - alpha)

    def steps(self, position: _Position) -> list[_Step]:
        own, _, floes = position
        if own.bit_count() < PENGUINS:
            return [(0, target) for target in bits(self.fish[0] & floes)]
        return _slides(own, floes)

    def catch(self, step: _Step) -> int:
        return _count(self.fish, step[1])

    def promise(self, step: _Step) -> tuple[int, int]:
        return self.history.get(step, 0), self.catch(step)

    def check_time(self) -> None:
        if self.clock() >= self.deadline:
            raise _TimeUpError

    def leaf(self, position: _Position, depth: int) -> int | None:
        """The value where the search ends: exact when the rest is easy, else a guess at depth 0."""
        own, foe, floes = position
        near, far, shared = _areas(own, foe, floes)
        if _all_placed(own, foe) and not shared:
            mine, theirs = self.alone(own, near), self.alone(foe, far)
            if mine is not None and theirs is not None:
                return FISH * (mine - theirs)
        if depth > 0:
            return None
        self.guesses += 1
        reach = _reach(own, floes) - _reach(foe, floes)
        return (
            SURE * self.ahead(near, far, ~shared)
            + NEAR * self.ahead(near, far, shared)
            + REACH * reach
        )

    def ahead(self, near: int, far: int, area: int) -> int:
        return _count(self.fish, near & area) - _count(self.fish, far & area)

    def alone(self, own: int, floes: int) -> int | None:
        """The most fish that penguins can collect undisturbed; None if that is too hard to tell."""
        total = 0
        while own:
            first = own & -own
            region = first | _flood(first, floes | own)
            group, rest = own & region, floes & region
            if rest.bit_count() > SMALL:
                return None
            total += self.most(group, rest)
            own &= ~group
        return total

    def most(self, group: int, floes: int) -> int:
        """The most fish in one region, by trying all paths until one takes everything."""
        if not floes:
            return 0
        known = self.catches.get((group, floes))
        if known is not None:
            return known
        self.check_time()
        best, everything = 0, _count(self.fish, floes)
        for origin, target in _slides(group, floes):
            rest = self.alone(group & ~origin | target, floes & ~target) or 0
            best = max(best, _count(self.fish, target) + rest)
            if best == everything:
                break
        self.catches[group, floes] = best
        return best


def _all_placed(own: int, foe: int) -> bool:
    return own.bit_count() == foe.bit_count() == PENGUINS


def _slides(penguins: int, floes: int) -> list[_Step]:
    return [(origin, to) for origin in bits(penguins) for to in bits(slides(origin, floes))]


def _areas(own: int, foe: int, floes: int) -> tuple[int, int, int]:
    """The floes nearer to our side, those nearer to the other, and all that both can reach."""
    near = far = contact = 0
    free, ours, theirs = floes, own, foe
    while free:
        ours, theirs = neighbours(ours) & free, neighbours(theirs) & free
        if not ours | theirs:
            break
        contact |= ours & theirs
        near |= ours & ~theirs
        far |= theirs & ~ours
        free &= ~(ours | theirs)
    contact |= neighbours(near) & far
    return near, far, contact | _flood(contact, floes)


def _reach(penguins: int, floes: int) -> int:
    reached = 0
    for bit in bits(penguins):
        reached |= slides(bit, floes)
    return reached.bit_count()
