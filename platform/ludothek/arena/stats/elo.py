"""Elo: differences of strength, and the results that are expected of them."""

import math
from statistics import NormalDist

# Elo points of one unit of the logistic scale.
POINTS = 400 / math.log(10)

NORMAL = NormalDist()

# Standard deviations to each side that hold 95 of 100 values.
CONFIDENCE = NORMAL.inv_cdf(0.975)


def expected(difference: float) -> float:
    """The mean result, from 0 to 1, of somebody who is that much stronger."""
    return 1 / (1 + 10 ** (-difference / 400))


def difference(mean: float) -> float:
    """How much stronger somebody is who gets that mean result; infinite for 0 and 1."""
    if mean <= 0:
        return -math.inf
    if mean >= 1:
        return math.inf
    return 400 * math.log10(mean / (1 - mean))
