"""Groups of entrants who meet in a game."""

import random
from collections.abc import Sequence
from itertools import combinations, islice
from math import comb

Group = tuple[int, ...]

# More groups than this are not listed in order to choose some of them.
MOST_GROUPS = 100_000


def everybody(entrants: int, players: int) -> list[Group]:
    """All groups of that many entrants: for two players, everybody meets everybody."""
    return [*islice(combinations(range(entrants), players), MOST_GROUPS)]


def challenges(challenger: int, entrants: int, players: int) -> list[Group]:
    """All groups with the challenger in them."""
    others = [entrant for entrant in range(entrants) if entrant != challenger]
    found = combinations(others, players - 1)
    return [(challenger, *group) for group in islice(found, MOST_GROUPS)]


def balanced(entrants: int, players: int, count: int, rng: random.Random) -> list[Group]:
    """Some groups, in which everybody plays as often as the others, against as many as possible.

    Nobody is ever more than one group ahead of anybody else.
    """
    if count >= comb(entrants, players):
        return everybody(entrants, players)
    played = [0] * entrants
    met = [[0] * entrants for _ in range(entrants)]
    found: list[Group] = []
    for _ in range(count):
        group: list[int] = []
        order = rng.sample(range(entrants), entrants)
        for _ in range(players):
            group.append(
                min(
                    (entrant for entrant in order if entrant not in group),
                    key=lambda entrant: (played[entrant], _meetings(met[entrant], group)),
                )
            )
        for one in group:
            played[one] += 1
            for two in group:
                met[one][two] += 1
        found.append(tuple(group))
    return found


def _meetings(met: Sequence[int], group: Sequence[int]) -> tuple[int, int]:
    """How often somebody has met others: the most frequent one first."""
    return max((met[other] for other in group), default=0), sum(met[other] for other in group)
