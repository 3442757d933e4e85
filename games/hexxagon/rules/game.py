"""The rules of Hexxagon on bitboards: bit n - 1 of a mask stands for TILE_n."""

import enum
from collections.abc import Iterator

import attrs

from games.hexxagon.rules.mistakes import Mistake
from ludothek.contract.frozen import frozen
from ludothek.contract.mistakes import RuleViolation

RADIUS = 4

# TILE_1 .. TILE_61: 1 and 2 are stones, B is blocked, a dot is free.
START = "2.B.2........B.B.....11...2.B1B1B.2...11.....B.B........2.B.2"


class Side(enum.Enum):
    """One of the two colours; PLAYERONE begins."""

    PLAYERONE = "PLAYERONE"
    PLAYERTWO = "PLAYERTWO"

    # Dictionaries are keyed by this for every message; Enum's own hash is that of the name.
    __hash__ = object.__hash__

    @property
    def other(self) -> "Side":
        return TWO if self is ONE else ONE


# Looking up a member in its class takes longer than most of what is done with it.
ONE, TWO = Side


class Stuck(enum.Enum):
    """What happens when the next player cannot move although the other one can."""

    PASS = "pass"
    END = "end"
    FILL = "fill"


@frozen
class Move:
    """A stone on the tile `origin` goes to the tile `target`, or is cloned there."""

    origin: int
    target: int


@frozen
class Outcome:
    """How a game ended; no winner means a tie."""

    winner: Side | None


def bit(tile: int) -> int:
    return 1 << (tile - 1)


def tiles(mask: int) -> Iterator[int]:
    """Yield the tile numbers of a mask in ascending order."""
    while mask:
        yield (mask & -mask).bit_length()
        mask &= mask - 1


def coordinates() -> list[tuple[int, int]]:
    """Return the axial coordinates of TILE_1 to TILE_61: column by column, from top to bottom."""
    return [
        (q, r)
        for q in range(-RADIUS, RADIUS + 1)
        for r in range(max(-RADIUS, -RADIUS - q), min(RADIUS, RADIUS - q) + 1)
    ]


def _masks(distance: int) -> tuple[int, ...]:
    """Return for every tile number the mask of all tiles at exactly this distance."""
    places = coordinates()

    def mask(q: int, r: int) -> int:
        steps = [max(abs(x - q), abs(y - r), abs(x - q + y - r)) for x, y in places]
        return sum(1 << n for n, step in enumerate(steps) if step == distance)

    return (0, *(mask(q, r) for q, r in places))


def _mask_of(text: str, sign: str) -> int:
    digits = text.translate({ord(other): "0" for other in "12B."} | {ord(sign): "1"})
    return int(digits[::-1], 2)


# Indexed by tile number, so the entry 0 is empty and unused.
NEIGHBOURS = _masks(1)
RING = _masks(2)
REACH = tuple(near | ring for near, ring in zip(NEIGHBOURS, RING, strict=True))

TILES = len(START)
BIT = (0, *map(bit, range(1, TILES + 1)))
BLOCKED = _mask_of(START, "B")
PLAYABLE = (1 << TILES) - 1 - BLOCKED
_SIGNS = str.maketrans("03", ".B")

# The tiles that the mover's stone leaves or enters: where it jumps, both; where it is cloned, one.
_STEPS = tuple(
    {t: BIT[t] if BIT[t] & NEIGHBOURS[o] else BIT[t] | BIT[o] for t in tiles(REACH[o])}
    for o in range(TILES + 1)
)

# Moves are immutable, so every state shares these instead of building its own.
_MOVES = tuple({t: Move(o, t) for t in tiles(REACH[o])} for o in range(TILES + 1))


@frozen
class State:
    """A position and whose turn it is; `one` and `two` are the stones of the two players."""

    one: int
    two: int
    active: Side
    turn: int = 1
    last: Move | None = None
    outcome: Outcome | None = None

    @property
    def over(self) -> bool:
        return self.outcome is not None

    @property
    def free(self) -> int:
        return PLAYABLE & ~(self.one | self.two)

    def stones(self, side: Side) -> int:
        return self.one if side is ONE else self.two

    def points(self, side: Side) -> int:
        return self.stones(side).bit_count()

    def to_text(self) -> str:
        """Return the 61 characters of `from_text`."""
        # One hexadecimal digit per tile, the last tile first: far quicker than a loop.
        stones = int(f"{self.one:b}", 16) + 2 * int(f"{self.two:b}", 16)
        digits = stones + 3 * int(f"{BLOCKED:b}", 16)
        return f"{digits:0{TILES}x}".translate(_SIGNS)[::-1]

    @classmethod
    def from_text(cls, text: str, active: Side) -> "State":
        """Return a running game; raises ValueError for a text that is not a Hexxagon board."""
        if len(text) != TILES or set(text) - set("12B.") or _mask_of(text, "B") != BLOCKED:
            raise ValueError(f"not a board of Hexxagon: {text!r}")
        return cls(_mask_of(text, "1"), _mask_of(text, "2"), active)


def start() -> State:
    return State.from_text(START, ONE)


def legal_actions(state: State) -> list[Move]:
    """Return all moves of the active player, sorted by origin and target."""
    if state.over:
        return []
    free, stones = state.free, state.stones(state.active)
    return [_MOVES[o][t] for o in tiles(stones) for t in tiles(REACH[o] & free)]


def apply(state: State, move: Move, stuck: Stuck = Stuck.PASS) -> State:
    """Return the state after the move and its consequences, or raise RuleViolation."""
    first = state.active is ONE
    own, enemy = (state.one, state.two) if first else (state.two, state.one)
    free, origin, target = PLAYABLE ^ own ^ enemy, move.origin, move.target
    if (
        state.outcome is not None
        or not 0 < origin <= TILES
        or (step := _STEPS[origin].get(target)) is None
        or not own & BIT[origin]
        or not free & BIT[target]
    ):
        raise RuleViolation(_mistake(state, origin, target))
    captured = NEIGHBOURS[target] & enemy
    own, enemy, free = own ^ step ^ captured, enemy ^ captured, free ^ step
    if enemy and can_move(enemy, free):  # as nearly always
        active, over = TWO if first else ONE, False
    else:
        active, own, over = _go_on(own, enemy, free, state.active, stuck)
    one, two = (own, enemy) if first else (enemy, own)
    return State(one, two, active, state.turn + 1, move, _outcome(one, two) if over else None)


def adjudicate(state: State) -> State:
    """Return the state with the game ended as it stands: whoever has more stones wins."""
    return attrs.evolve(state, outcome=_outcome(state.one, state.two))


def award(state: State, winner: Side) -> State:
    """Return the state with the game ended by decree."""
    return attrs.evolve(state, outcome=Outcome(winner))


def _mistake(state: State, origin: int, target: int) -> Mistake:
    """What is wrong with a move that is not legal."""
    if state.outcome is not None:
        return Mistake.GAME_OVER
    if not (1 <= origin <= TILES and 1 <= target <= TILES):
        return Mistake.NO_SUCH_TILE
    if not state.stones(state.active) & BIT[origin]:
        theirs = state.stones(state.active.other) & BIT[origin]
        return Mistake.NOT_YOUR_STONE if theirs else Mistake.NO_STONE
    return _target_mistake(state, origin, target)


def _target_mistake(state: State, origin: int, target: int) -> Mistake:
    if origin == target:
        return Mistake.SAME_TILE
    if BLOCKED & BIT[target]:
        return Mistake.TARGET_BLOCKED
    return Mistake.TOO_FAR if state.free & BIT[target] else Mistake.TARGET_OCCUPIED


def _go_on(own: int, enemy: int, free: int, mover: Side, stuck: Stuck) -> tuple[Side, int, bool]:
    """Return what follows when the opponent cannot move: who is next, the mover's stones (FILL adds
    some) and whether the game is over."""
    if not enemy or stuck is Stuck.END or not can_move(own, free):
        return mover.other, own, True
    if stuck is Stuck.FILL:
        return mover.other, own | free, True
    return mover, own, False


def can_move(stones: int, free: int) -> bool:
    # Free tiles, not stones: late in the game, when the answer may be no, there are fewer of them.
    while free:
        low = free & -free
        if REACH[low.bit_length()] & stones:
            return True
        free ^= low
    return False


def _outcome(one: int, two: int) -> Outcome:
    lead = one.bit_count() - two.bit_count()
    if not lead:
        return Outcome(None)
    return Outcome(ONE if lead > 0 else TWO)
