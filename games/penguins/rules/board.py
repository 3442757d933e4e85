"""The ice: its hexagonal fields as bits of one number, and the boards games start with."""

import enum
from collections.abc import Iterator, Sequence
from typing import Self

from ludothek.contract.frozen import frozen

SIZE = 8
PENGUINS = 4  # of each team
SEEDS = range(-(2**31), 2**31)  # of boards

# A set of fields is a number: the field in column c of row y is bit 8*y + c.
ALL = (1 << SIZE * SIZE) - 1
_LEFT = sum(1 << SIZE * y for y in range(SIZE))
_RIGHT = _LEFT << SIZE - 1
_EVEN = sum(0xFF << SIZE * y for y in range(0, SIZE, 2))
_ODD = _EVEN << SIZE

# Masks for steps that must neither leave the board sideways nor ignore that odd rows are
# shifted half a field to the right.
_NOT_LEFT, _NOT_RIGHT = ALL ^ _LEFT, ALL ^ _RIGHT
_EVEN_NOT_LEFT, _ODD_NOT_RIGHT = _EVEN & _NOT_LEFT, _ODD & _NOT_RIGHT

# One direction for each of the three straight lines through a field; the other is its negative.
_AXES = ((2, 0), (1, 1), (-1, 1))


class Team(enum.Enum):
    """One of the two sides; ONE ("Rot") begins."""

    ONE = "ONE"
    TWO = "TWO"

    @property
    def index(self) -> int:
        return 0 if self is Team.ONE else 1

    @property
    def other(self) -> "Team":
        return Team.TWO if self is Team.ONE else Team.ONE


@frozen
class Coordinates:
    """A place, possibly off the board, in doubled coordinates: a step along a row is 2 in x."""

    x: int
    y: int

    @property
    def bit(self) -> int:
        """The field as a set of one; empty (0) off the board, so that no rule allows it."""
        x, y = self.x, self.y
        if 0 <= y < SIZE and 0 <= x < 2 * SIZE and (x + y) % 2 == 0:
            return 1 << (y * SIZE + x // 2)
        return 0


@frozen
class Board:
    """Which fields hold 1, 2, 3 and 4 fish, and where the penguins of ONE and TWO stand."""

    fish: tuple[int, int, int, int]
    penguins: tuple[int, int] = (0, 0)

    @property
    def floes(self) -> int:
        """The fields a penguin may slide over: those with fish and without a penguin."""
        ones, twos, threes, fours = self.fish
        return ones | twos | threes | fours

    @classmethod
    def from_rows(cls, rows: Sequence[str]) -> Self:
        """Read 8 strings of digits (fish), R (penguin of ONE) and B (penguin of TWO)."""
        if [len(row) for row in rows] != [SIZE] * SIZE:
            raise ValueError("a board has 8 rows of 8 fields")
        fields = "".join(rows)
        if unknown := set(fields) - set("01234RB"):
            raise ValueError(f"no fields: {sorted(unknown)}")
        ones, twos, threes, fours, red, blue = (_where(fields, sign) for sign in "1234RB")
        return cls((ones, twos, threes, fours), (red, blue))

    def rows(self) -> tuple[str, ...]:
        """The inverse of `from_rows`."""
        fields = ["0"] * SIZE * SIZE
        for sign, mask in zip("1234RB", self.fish + self.penguins, strict=True):
            for bit in bits(mask):
                fields[bit.bit_length() - 1] = sign
        return tuple("".join(fields[start : start + SIZE]) for start in range(0, 64, SIZE))


def _where(fields: str, sign: str) -> int:
    return sum(1 << number for number, field in enumerate(fields) if field == sign)


def bits(mask: int) -> Iterator[int]:
    """Each field of the set as a set of one, from the top left."""
    while mask:
        bit = mask & -mask
        yield bit
        mask ^= bit


def coordinates(bit: int) -> Coordinates:
    """Where the only field of the set lies."""
    y, column = divmod(bit.bit_length() - 1, SIZE)
    return Coordinates(2 * column + y % 2, y)


def neighbours(mask: int) -> int:
    """Every field next to a field of the set."""
    even, odd = mask & _EVEN_NOT_LEFT, mask & _ODD_NOT_RIGHT
    sideways = (mask & _NOT_RIGHT) << 1 | (mask & _NOT_LEFT) >> 1
    return (sideways | mask << 8 | mask >> 8 | even << 7 | even >> 9 | odd << 9 | odd >> 7) & ALL


def slides(bit: int, floes: int) -> int:
    """Every field that a penguin on the given one reaches in one straight slide."""
    (a, along_a), (b, along_b), (c, along_c) = _LINES[bit]
    return along_a[floes & a] | along_b[floes & b] | along_c[floes & c]


# For one field: the other fields on one straight line, and for each set of floes among them
# those that can be reached. A lookup is several times faster than walking the line.
_Line = tuple[int, dict[int, int]]


def _lines(start: Coordinates) -> tuple[_Line, _Line, _Line]:
    a, b, c = (_line(start, dx, dy) for dx, dy in _AXES)
    return a, b, c


def _line(start: Coordinates, dx: int, dy: int) -> _Line:
    ahead, behind = _ray(start, dx, dy), _ray(start, -dx, -dy)
    reach = {
        one | two: reached_one | reached_two
        for one, reached_one in _reach(ahead).items()
        for two, reached_two in _reach(behind).items()
    }
    return sum(ahead + behind), reach


def _ray(start: Coordinates, dx: int, dy: int) -> list[int]:
    steps = (Coordinates(start.x + n * dx, start.y + n * dy).bit for n in range(1, SIZE))
    return [bit for bit in steps if bit]


def _reach(ray: list[int]) -> dict[int, int]:
    if not ray:
        return {0: 0}
    first, beyond = ray[0], _reach(ray[1:])
    blocked = dict.fromkeys(beyond, 0)
    return blocked | {first | floes: first | reached for floes, reached in beyond.items()}


_LINES = {bit: _lines(coordinates(bit)) for bit in bits(ALL)}


def generate(seed: int) -> Board:
    """The board the original server makes from this signed 32-bit seed.

    Only the upper half is drawn at random; the lower half is its reflection about the centre.
    """
    numbers = _Xorwow(seed)
    rest, holes, half = 64, 5, ""
    for _ in range(SIZE * SIZE // 2):
        number = numbers.below(rest)
        if number < holes:
            fish, holes = 0, holes - 1
        else:
            fish = (number - holes) // 20 + 1
        rest -= fish
        half += str(fish)
    fields = half + half[::-1]
    return Board.from_rows([fields[start : start + SIZE] for start in range(0, 64, SIZE)])


_WORD = 0xFFFFFFFF


class _Xorwow:
    """Marsaglia's xorwow as Kotlin seeds it, so that equal seeds mean equal boards."""

    def __init__(self, seed: int) -> None:
        low = seed & _WORD
        high = _WORD if low >> 31 else 0
        self._words = [low, high, 0, 0, low ^ _WORD]
        self._addend = (low << 10 ^ high >> 4) & _WORD
        for _ in range(64):
            self._next()

    def below(self, limit: int) -> int:
        if limit & (limit - 1) == 0:
            return self._next() >> (33 - limit.bit_length())
        while True:
            number = self._next() >> 1
            # Numbers from the incomplete last block would make small results more likely.
            if number - number % limit + limit <= 1 << 31:
                return number % limit

    def _next(self) -> int:
        x, y, z, w, v = self._words
        x ^= x >> 2
        new = (x ^ x << 1 ^ v ^ v << 4) & _WORD
        self._words = [y, z, w, v, new]
        self._addend = (self._addend + 362437) & _WORD
        return (new + self._addend) & _WORD
