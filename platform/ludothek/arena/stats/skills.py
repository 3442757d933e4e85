"""Ratings in games of three and more players, which are not sums of duels."""

import math
from collections.abc import Iterable, Sequence

import attrs
from openskill.models import PlackettLuce

from ludothek.arena.stats.elo import CONFIDENCE, NORMAL, POINTS
from ludothek.arena.stats.ratings import MEAN

# What is thought of somebody unknown, in Elo points. If it were much more, the first games would
# drive ratings further apart than later ones can bring them together.
_SIGMA = POINTS


@attrs.frozen
class Skills:
    """One rating per entrant, each with its own uncertainty."""

    values: Sequence[float]
    errors: Sequence[float]  # of 95 %

    def superiority(self, one: int, two: int) -> float:
        """The likelihood that the first of the two is the better one."""
        deviation = math.hypot(self.errors[one], self.errors[two]) / CONFIDENCE
        return NORMAL.cdf((self.values[one] - self.values[two]) / deviation)


def rate(entrants: int, games: Iterable[tuple[Sequence[int], Sequence[float]]]) -> Skills:
    """Ratings from games, in this order: who played, and what share of it each has got.

    The model is that of Plackett and Luce. Programs do not change during a tournament, so no
    uncertainty is added from game to game.
    """
    games = [*games]
    players = len(games[0][0]) if games else 2
    # The uncertainties of all who play add up; together they are to be one unit of Elo's scale.
    model = PlackettLuce(mu=MEAN, sigma=_SIGMA, beta=POINTS / math.sqrt(players), tau=0.0)
    ratings = [model.rating() for _ in range(entrants)]
    for seats, shares in games:
        teams = [[ratings[entrant]] for entrant in seats]
        ranks = [1.0 + sum(other > share for other in shares) for share in shares]
        rated = model.rate(teams, ranks=ranks)
        for entrant, (rating,) in zip(seats, rated, strict=True):
            ratings[entrant] = rating
    return Skills(
        [rating.mu for rating in ratings], [CONFIDENCE * rating.sigma for rating in ratings]
    )
