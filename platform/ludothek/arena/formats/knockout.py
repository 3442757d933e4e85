"""Knock-out: the winner of each encounter goes on, until one is left."""

from collections.abc import Iterator, Mapping, Sequence

import attrs

from ludothek.arena.formats.schedule import Fixture, Results, points_of, rotations
from ludothek.contract.chance import Chance


@attrs.frozen(kw_only=True)
class Duel:
    """An encounter of the bracket: two entrants, or one who goes on without playing."""

    round: int  # from 1
    place: int  # within the round, from 0
    entrants: tuple[int | None, int | None]  # None: not known yet, or nobody
    points: tuple[float, float] = (0.0, 0.0)
    winner: int | None = None


@attrs.frozen
class Knockout:
    """A bracket. The seeding says who can meet when: the first two only in the final.

    A draw is followed by more pairs of games, up to a number; then the better seed goes on.
    Each duel has numbers for all games that it may need, so that none depends on other duels.
    """

    seeding: Sequence[int]  # entrants, from the best one
    games: int  # of each duel
    extra_pairs: int
    chance: Chance

    @property
    def rounds(self) -> int:
        return (len(self.seeding) - 1).bit_length()

    def fixtures(self, results: Results) -> Iterator[Fixture]:
        for duel in self.bracket(results):
            one, other = duel.entrants
            if one is not None and other is not None:
                yield from self._games(duel.round, duel.place, one, other, results)

    def size(self, results: Results) -> int:
        known = sum(1 for _ in self.fixtures(results))
        duels = self.bracket(results)
        unknown = [d for d in duels if None in d.entrants and not self._is_bye(d)]
        return known + self.games * len(unknown)

    def byes(self, results: Results) -> Mapping[int, float]:
        return {}

    def places(self, results: Results) -> Sequence[Sequence[int]]:
        """The winner of the final, then who was beaten in it, in the round before, and so on.

        Those who are still in share the best place that is left.
        """
        out: dict[int, int] = {}
        for duel in self.bracket(results):
            if duel.winner is not None:
                for entrant in duel.entrants:
                    if entrant is not None and entrant != duel.winner:
                        out[entrant] = duel.round
        rounds = [*range(self.rounds, 0, -1)]
        still_in = [entrant for entrant in self.seeding if entrant not in out]
        beaten = [[entrant for entrant in self.seeding if out.get(entrant) == n] for n in rounds]
        return [group for group in (still_in, *beaten) if group]

    def bracket(self, results: Results) -> list[Duel]:
        """All duels, round by round, as far as they are known."""
        size = 2**self.rounds
        seeds = [*self.seeding, *[None] * (size - len(self.seeding))]
        entering: list[int | None] = [seeds[place] for place in _positions(self.rounds)]
        duels: list[Duel] = []
        for round_ in range(1, self.rounds + 1):
            winners: list[int | None] = []
            for place in range(len(entering) // 2):
                two = entering[2 * place], entering[2 * place + 1]
                duel = self._duel(round_, place, two, results)
                duels.append(duel)
                winners.append(duel.winner)
            entering = winners
        return duels

    def _is_bye(self, duel: Duel) -> bool:
        return duel.round == 1 and None in duel.entrants

    def _duel(
        self, round_: int, place: int, two: tuple[int | None, int | None], results: Results
    ) -> Duel:
        one, other = two
        if one is None or other is None:
            winner = (one if one is not None else other) if round_ == 1 else None
            return Duel(round=round_, place=place, entrants=two, winner=winner)
        points = {one: 0.0, other: 0.0}
        over = True
        for fixture in self._games(round_, place, one, other, results):
            if (shares := results.get(fixture.number)) is None:
                over = False
                continue
            for entrant, share in zip(fixture.seats, shares, strict=True):
                points[entrant] += share
        better = max(one, other, key=lambda each: (points[each], -self.seeding.index(each)))
        return Duel(
            round=round_,
            place=place,
            entrants=two,
            points=(points[one], points[other]),
            winner=better if over else None,
        )

    def _games(
        self, round_: int, place: int, one: int, other: int, results: Results
    ) -> Iterator[Fixture]:
        """The games of a duel: those that are always played, and pairs as long as it is a draw."""
        most = self.games + 2 * self.extra_pairs
        before = 2**self.rounds - 2 ** (self.rounds - round_ + 1)  # duels of earlier rounds
        chance = self.chance.child("duel", round_, place, one, other)
        first = 1 + (before + place) * most
        games = [*rotations((one, other), most // 2, chance, first=first, round_=round_)]
        regular, extra = games[: self.games], games[self.games :]
        yield from regular
        points = points_of(regular, results)
        while extra and points is not None and points[one] == points[other]:
            pair, extra = extra[:2], extra[2:]
            yield from pair
            points = points_of(pair, results)


def _positions(rounds: int) -> list[int]:
    """Seeds in the order of the bracket: 1 and 2 meet in the final, 1 and 4, 2 and 3 before."""
    order = [0]
    for round_ in range(rounds):
        last = 2 ** (round_ + 1) - 1
        order = [place for seed in order for place in (seed, last - seed)]
    return order
