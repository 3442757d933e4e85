"""Swiss: in every round, entrants meet others that have about as many points so far."""

import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

import attrs

from ludothek.arena.formats.groups import Group
from ludothek.arena.formats.schedule import Fixture, Results, points_of, rotations
from ludothek.contract.chance import Chance

# Attempts to find opponents for everybody who have not met before; then those exchange them who
# would meet again.
_PATIENCE = 2_000


@attrs.frozen
class Swiss:
    """Rounds of groups; whoever is left over has a bye, and gets the points of a win for it."""

    entrants: int
    players: int
    rounds: int
    games: int  # of each group
    chance: Chance

    def fixtures(self, results: Results) -> Iterator[Fixture]:
        for _, fixtures in self._rounds(results):
            yield from fixtures

    def size(self, results: Results) -> int:
        return self.rounds * (self.entrants // self.players) * self.games

    def byes(self, results: Results) -> Mapping[int, float]:
        counts: Counter[int] = Counter()
        for groups, _ in self._rounds(results):
            counts.update(self._left_over(groups))
        return {entrant: float(count * self.games) for entrant, count in counts.items()}

    def places(self, results: Results) -> Sequence[Sequence[int]]:
        """By points; among equals, by the points of those whom they have met."""
        byes = self.byes(results)
        points = {entrant: byes.get(entrant, 0.0) for entrant in range(self.entrants)}
        met: dict[int, set[int]] = {entrant: set() for entrant in range(self.entrants)}
        for fixture in self.fixtures(results):
            for entrant, share in zip(fixture.seats, results.get(fixture.number, ()), strict=False):
                points[entrant] += share
                met[entrant].update(set(fixture.seats) - {entrant})
        merits = {
            entrant: (points[entrant], sum(points[other] for other in met[entrant]))
            for entrant in range(self.entrants)
        }
        return [
            [entrant for entrant in range(self.entrants) if merits[entrant] == merit]
            for merit in sorted(set(merits.values()), reverse=True)
        ]

    def _rounds(self, results: Results) -> Iterator[tuple[list[Group], list[Fixture]]]:
        """The rounds that are known: one more than those that are over."""
        points = dict.fromkeys(range(self.entrants), 0.0)
        byes: Counter[int] = Counter()
        met: Counter[frozenset[int]] = Counter()
        number = 1
        for round_ in range(1, self.rounds + 1):
            chance = self.chance.child("round", round_)
            groups = self._groups(points, byes, met, chance.child("groups").random())
            fixtures: list[Fixture] = []
            for group in groups:
                cycles = self.games // self.players
                fixtures.extend(_encounter(group, cycles, chance.child(*group), number, round_))
                number += self.games
            yield groups, fixtures
            if (won := points_of(fixtures, results)) is None:
                return
            for entrant, more in won.items():
                points[entrant] += more
            for entrant in self._left_over(groups):
                points[entrant] += self.games
                byes[entrant] += 1
            met.update(frozenset((one, two)) for group in groups for one in group for two in group)

    def _left_over(self, groups: Sequence[Group]) -> list[int]:
        playing = {entrant for group in groups for entrant in group}
        return [entrant for entrant in range(self.entrants) if entrant not in playing]

    def _groups(
        self,
        points: Mapping[int, float],
        byes: Mapping[int, int],
        met: Mapping[frozenset[int], int],
        rng: random.Random,
    ) -> list[Group]:
        order = rng.sample(range(self.entrants), self.entrants)  # among equals
        order.sort(key=lambda entrant: -points[entrant])
        for _ in range(self.entrants % self.players):  # a bye goes to the last who had none
            order.remove(min(reversed(order), key=lambda entrant: byes.get(entrant, 0)))
        if self.players == 2 and (found := _strangers(order, met)):
            return found
        found = [*_neighbours(order, met, self.players)]
        if self.players == 2:
            _exchange(found, met)
        return found


# A round is asked for after each of its games.
@lru_cache(maxsize=4096)
def _encounter(
    group: Group, cycles: int, chance: Chance, first: int, round_: int
) -> tuple[Fixture, ...]:
    return tuple(rotations(group, cycles, chance, first=first, round_=round_))


def _neighbours(
    order: Sequence[int], met: Mapping[frozenset[int], int], players: int
) -> Iterator[Group]:
    """Groups from the top; if possible of such as have not met, otherwise as rarely as possible."""
    left = [*order]
    while left:
        group = [left.pop(0)]
        while len(group) < players:
            group.append(
                min(left, key=lambda other: sum(met.get(frozenset((other, x)), 0) for x in group))
            )
            left.remove(group[-1])
        yield tuple(group)


def _strangers(order: Sequence[int], met: Mapping[frozenset[int], int]) -> list[Group] | None:
    """Pairs of neighbours who have not met before, or None if that takes too long to find."""
    patience = _PATIENCE

    def pair(left: Sequence[int]) -> list[Group] | None:
        nonlocal patience
        if not left:
            return []
        first, *others = left
        for other in others:
            if patience <= 0:
                return None
            if met.get(frozenset((first, other))):
                continue
            patience -= 1
            rest = pair([entrant for entrant in others if entrant != other])
            if rest is not None:
                return [(first, other), *rest]
        return None

    return pair(order)


def _exchange(pairs: list[Group], met: Mapping[frozenset[int], int]) -> None:
    """Let pairs who have met before exchange their opponents with the nearest pair that helps."""
    for here, (one, two) in enumerate(pairs):
        if not met.get(frozenset((one, two))):
            continue
        for there in sorted(range(len(pairs)), key=lambda place: abs(place - here)):
            three, four = pairs[there]
            for others in ((one, three), (two, four)), ((one, four), (two, three)):
                if there != here and not any(met.get(frozenset(pair)) for pair in others):
                    pairs[here], pairs[there] = others
                    break
            else:
                continue
            break
