"""The games of a tournament, as its format decides."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Protocol

import attrs

from ludothek.contract.chance import Chance

# What each seat has got of the games that are over, by the number of the game.
Results = Mapping[int, Sequence[float]]

# SQLite and JSON keep such numbers without loss.
_SEED_BITS = 63


@attrs.frozen(kw_only=True)
class Fixture:
    """A game that is to be played; entrants are numbered in the order of the file, from 0."""

    number: int  # from 1; a format may leave numbers out
    round: int
    # Games of the same entrants with the same seed, in which each of them takes each seat once.
    rotation: int
    seats: tuple[int, ...]  # entrants in the order of turns
    seed: int


class Schedule(Protocol):
    """Decides which games are played.

    It has no memory: the same results lead to the same games, in whatever order they have come in
    and however often the tournament was interrupted.
    """

    def fixtures(self, results: Results) -> Iterator[Fixture]:
        """All games that are known to be part of the tournament, in the order to play them."""

    def size(self, results: Results) -> int:
        """How many games there will probably be."""

    def byes(self, results: Results) -> Mapping[int, float]:
        """Points that entrants have got without playing."""

    def places(self, results: Results) -> Sequence[Sequence[int]] | None:
        """Entrants from the best to the worst, equal ones together, if results say nothing else.

        None: ratings and points decide.
        """


def rotations(
    entrants: Sequence[int], cycles: int, chance: Chance, *, first: int, round_: int
) -> Iterator[Fixture]:
    """Games of the same entrants: in each cycle, everybody takes each seat once.

    Who follows whom changes from cycle to cycle. Numbers begin with `first`.
    """
    group = tuple(entrants)
    for cycle in range(cycles):
        number = first + cycle * len(group)
        yield from rotation(group, chance.child("cycle", cycle), number, round_)


# Schedules have no memory, but are asked again after every game.
@lru_cache(maxsize=65536)
def rotation(
    entrants: tuple[int, ...], chance: Chance, first: int, round_: int
) -> tuple[Fixture, ...]:
    """Games with the same seed, in which each entrant takes each seat once."""
    rng = chance.random()
    seed = rng.getrandbits(_SEED_BITS)
    order = rng.sample(entrants, len(entrants))
    return tuple(
        Fixture(
            number=first + turn,
            round=round_,
            rotation=first,
            seats=(*order[turn:], *order[:turn]),
            seed=seed,
        )
        for turn in range(len(order))
    )


def points_of(fixtures: Iterable[Fixture], results: Results) -> dict[int, float] | None:
    """What each entrant has got in these games; None if some are not over."""
    points: dict[int, float] = {}
    for fixture in fixtures:
        if (shares := results.get(fixture.number)) is None:
            return None
        for entrant, share in zip(fixture.seats, shares, strict=True):
            points[entrant] = points.get(entrant, 0.0) + share
    return points
