"""SPRT as a format: pairs of games of two entrants, until one hypothesis is accepted."""

from collections.abc import Iterator, Mapping
from functools import lru_cache

import attrs

from ludothek.arena.formats.schedule import Fixture, Results, points_of, rotation
from ludothek.arena.stats.pairs import Pairs
from ludothek.arena.stats.sprt import Decision, Sprt
from ludothek.contract.chance import Chance


@attrs.frozen
class Sequential:
    """Two entrants. Pairs count in the order of their numbers, whichever are over first.

    The verdict is that after the first pair at which one is possible. Games that were played at
    the same time and come later in this order do not count, and nothing depends on how many there
    are.
    """

    test: Sprt
    most: int  # games
    chance: Chance

    def fixtures(self, results: Results) -> Iterator[Fixture]:
        counted = self.pairs(results)
        decided = _verdict(self.test, counted) is not Decision.OPEN
        for index in range(counted.total if decided else self.most // 2):
            yield from self._pair(index)

    def size(self, results: Results) -> int:
        counted = self.pairs(results)
        decided = _verdict(self.test, counted) is not Decision.OPEN
        return 2 * counted.total if decided else self.most

    def byes(self, results: Results) -> Mapping[int, float]:
        return {}

    def places(self, results: Results) -> None:
        return None

    def pairs(self, results: Results) -> Pairs:
        """The pairs that count, as the first entrant sees them."""
        counts = [0] * 5
        for index in range(self.most // 2):
            if (points := points_of(self._pair(index), results)) is None:
                break
            counts[round(2 * points[0])] += 1
            if _verdict(self.test, Pairs.counted(counts)) is not Decision.OPEN:
                break
        return Pairs.counted(counts)

    def _pair(self, index: int) -> tuple[Fixture, ...]:
        return _pair(self.chance, index)


# All that come before are looked at again after every game.
@lru_cache(maxsize=65536)
def _verdict(test: Sprt, pairs: Pairs) -> Decision:
    return test.verdict(pairs)


@lru_cache(maxsize=65536)
def _pair(chance: Chance, index: int) -> tuple[Fixture, ...]:
    return rotation((0, 1), chance.child("pair", index), 1 + 2 * index, 1)
