"""Ratings of all entrants of a tournament, with their errors."""

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import attrs

from ludothek.arena.stats import linear
from ludothek.arena.stats.elo import CONFIDENCE, NORMAL, POINTS, expected
from ludothek.arena.stats.linear import Matrix

# The mean rating of all entrants.
MEAN = 1500.0

# Each entrant is taken to have won and lost this many more pairs of games, spread over all whom it
# has met: whoever has won all games is not infinitely strong, and by how much is uncertain. More of
# them, as one for each opponent, would draw everybody to the mean by more than the errors say.
_DOUBT = 0.5

# Ties entrants together who are not connected by any games, ever so loosely.
_LOOSE = 1e-4

# Elo points by which ratings change at most in a step, and at which they are found.
_STRIDE, _CLOSE = 400.0, 1e-6


@attrs.frozen
class Encounter:
    """Games of two entrants that belong together: a pair with the same seed, or half of one."""

    one: int  # an entrant, by its place in the list
    two: int
    games: int
    points: float  # of the first


@attrs.frozen
class Ratings:
    """One rating per entrant, and how uncertain they are, together."""

    values: Sequence[float]
    errors: Sequence[float]  # of 95 %, against the mean of all entrants
    _covariance: Matrix  # in Elo points, squared
    _circles: Sequence[int]  # the same for all who are connected by games

    def superiority(self, one: int, two: int) -> float:
        """The likelihood that the first of the two is the better one; a half if nothing says so."""
        if self._circles[one] != self._circles[two]:
            return 0.5
        table = self._covariance
        variance = table[one][one] + table[two][two] - 2 * table[one][two]
        if variance <= 0:
            return 0.5
        return NORMAL.cdf((self.values[one] - self.values[two]) / math.sqrt(variance))


def rate(entrants: int, encounters: Iterable[Encounter]) -> Ratings:
    """Maximum likelihood ratings in the model of Bradley and Terry; a draw is half a win.

    Errors come from how much encounters scatter around what the ratings make expect. For two
    entrants this is the error of the pentanomial model.
    """
    pairings: dict[tuple[int, int], list[tuple[float, float]]] = defaultdict(list)
    for each in encounters:
        if each.one < each.two:
            pairings[each.one, each.two].append((each.games, each.points))
        else:
            pairings[each.two, each.one].append((each.games, each.games - each.points))
    opponents = Counter(entrant for pairing in pairings for entrant in pairing)
    sums = [
        _Sum(
            one,
            two,
            sum(games for games, _ in found),
            sum(points for _, points in found),
            _DOUBT / min(opponents[one], opponents[two]),
        )
        for (one, two), found in pairings.items()
    ]
    values = _likeliest(entrants, sums)
    bread = linear.inverse(_information(values, sums))
    scatter = [[0.0] * entrants for _ in range(entrants)]
    for one, two, _, _, weight in sums:
        hope = expected(values[one] - values[two])
        doubt = weight * ((2 * (1 - hope)) ** 2 + (2 * hope) ** 2)
        seen = sum((points - games * hope) ** 2 for games, points in pairings[one, two])
        _connect(scatter, one, two, seen + doubt)
    covariance = linear.product(linear.product(bread, scatter), bread)
    covariance = [[value * POINTS**2 for value in row] for row in covariance]
    errors = [CONFIDENCE * math.sqrt(max(0.0, covariance[i][i])) for i in range(entrants)]
    circles = _circles(entrants, pairings)
    return Ratings([MEAN + value for value in values], errors, covariance, circles)


def _circles(entrants: int, pairings: Iterable[tuple[int, int]]) -> list[int]:
    """A number for each entrant, the same for all who are connected by games."""
    circles = [*range(entrants)]
    for one, two in pairings:
        old, new = circles[two], circles[one]
        circles = [new if circle == old else circle for circle in circles]
    return circles


class _Sum(NamedTuple):
    """All games of two entrants."""

    one: int
    two: int
    games: float
    points: float  # of the first
    doubt: float  # pairs more that each of them has won


def _likeliest(entrants: int, sums: Sequence[_Sum]) -> list[float]:
    """Elo around zero, by Newton's method."""
    values = [0.0] * entrants
    for _ in range(200):
        slope = [-_LOOSE * value / POINTS for value in values]
        for one, two, games, points, doubt in sums:
            surplus = points + 2 * doubt
            surplus -= (games + 4 * doubt) * expected(values[one] - values[two])
            slope[one] += surplus
            slope[two] -= surplus
        steps = [
            POINTS * step
            for step in linear.times(linear.inverse(_information(values, sums)), slope)
        ]
        longest = max(map(abs, steps), default=0.0)
        shortened = min(1.0, _STRIDE / longest) if longest else 1.0
        values = [value + shortened * step for value, step in zip(values, steps, strict=True)]
        if longest < _CLOSE:
            break
    middle = sum(values) / entrants if entrants else 0.0
    return [value - middle for value in values]


def _information(values: Sequence[float], sums: Sequence[_Sum]) -> Matrix:
    """The second derivative of the likelihood; entrants are tied to their mean."""
    size = len(values)
    table = [[1.0 / size + (_LOOSE if i == j else 0.0) for j in range(size)] for i in range(size)]
    for one, two, games, _, doubt in sums:
        hope = expected(values[one] - values[two])
        _connect(table, one, two, (games + 4 * doubt) * hope * (1 - hope))
    return table


def _connect(table: Matrix, one: int, two: int, weight: float) -> None:
    table[one][one] += weight
    table[two][two] += weight
    table[one][two] -= weight
    table[two][one] -= weight
