"""Pairs of games: the same two entrants and the same seed, each of them beginning once.

A pair brings 0, 0.5, 1, 1.5 or 2 points: five counts describe a match, the pentanomial model. Two
games of a pair are not independent, since the same board may favour whoever begins. Their sum is
less scattered than that of two unrelated games, and the error therefore smaller than the three
counts of wins, draws and losses suggest.
"""

import math
from collections.abc import Iterable, Sequence

import attrs

from ludothek.arena.stats.elo import CONFIDENCE, NORMAL, difference

# What a pair brings on average per game, by the place of its count.
RESULTS = (0.0, 0.25, 0.5, 0.75, 1.0)


@attrs.frozen
class Pairs:
    """How often each result of a pair has occurred, from two losses to two wins."""

    counts: tuple[int, int, int, int, int]

    @classmethod
    def of(cls, points: Iterable[float]) -> "Pairs":
        """From the points, 0 to 2, of each pair."""
        counts = [0] * len(RESULTS)
        for each in points:
            counts[round(2 * each)] += 1
        return cls.counted(counts)

    @classmethod
    def counted(cls, counts: Sequence[int]) -> "Pairs":
        two_losses, worse, equal, better, two_wins = counts
        return cls((two_losses, worse, equal, better, two_wins))

    @property
    def total(self) -> int:
        return sum(self.counts)

    @property
    def mean(self) -> float:
        return mean_of(self._shares())

    @property
    def variance(self) -> float:
        """Of the result of one pair, as a mean of its games."""
        return variance_of(self._shares())

    @property
    def elo(self) -> float:
        return difference(self.mean)

    @property
    def interval(self) -> tuple[float, float]:
        """Where the Elo difference lies with a probability of 95 %; may be infinite."""
        reach = CONFIDENCE * math.sqrt(self.variance / self.total)
        return difference(self.mean - reach), difference(self.mean + reach)

    @property
    def error(self) -> float:
        """Half of that interval."""
        low, high = self.interval
        return (high - low) / 2 if math.isfinite(low) and math.isfinite(high) else math.inf

    @property
    def superiority(self) -> float:
        """The likelihood that the first of the two is the better one."""
        if not self.variance:
            return 0.5 + math.copysign(0.5, self.mean - 0.5) if self.mean != 0.5 else 0.5
        return NORMAL.cdf((self.mean - 0.5) / math.sqrt(self.variance / self.total))

    def _shares(self) -> Sequence[float]:
        return [count / self.total for count in self.counts]


def mean_of(shares: Sequence[float]) -> float:
    return sum(share * result for share, result in zip(shares, RESULTS, strict=True))


def variance_of(shares: Sequence[float]) -> float:
    mean = mean_of(shares)
    return sum(share * (result - mean) ** 2 for share, result in zip(shares, RESULTS, strict=True))
