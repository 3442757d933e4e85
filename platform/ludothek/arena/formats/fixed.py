"""Round robin and gauntlet: all games are known from the beginning."""

from collections.abc import Iterator, Mapping, Sequence

import attrs

from ludothek.arena.formats.groups import Group
from ludothek.arena.formats.schedule import Fixture, Results, rotation
from ludothek.contract.chance import Chance


@attrs.frozen
class Fixed:
    """Each group meets a number of times, everybody in each seat equally often.

    All groups meet before any of them meets again, so that a tournament which is given more games
    per pairing later begins with the same ones.
    """

    groups: Sequence[Group]
    games: int  # of each group
    chance: Chance
    _known: list[Fixture] = attrs.field(init=False, factory=list, repr=False, eq=False)

    def __attrs_post_init__(self) -> None:
        self._known.extend(self._all())

    def fixtures(self, results: Results) -> Iterator[Fixture]:
        return iter(self._known)

    def size(self, results: Results) -> int:
        return len(self._known)

    def byes(self, results: Results) -> Mapping[int, float]:
        return {}

    def places(self, results: Results) -> None:
        return None

    def _all(self) -> Iterator[Fixture]:
        if not self.groups:
            return
        players = len(self.groups[0])
        number = 1
        for cycle in range(self.games // players):
            chance = self.chance.child("cycle", cycle)
            order = chance.child("order").random().sample(self.groups, len(self.groups))
            for group in order:
                games = chance.child("group", *sorted(group))
                yield from rotation(tuple(sorted(group)), games, number, cycle + 1)
                number += players
