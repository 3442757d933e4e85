"""SPRT: play until it is clear which of two hypotheses about a difference of strength holds.

This is the generalized sequential probability ratio test on pairs: all that the hypotheses leave
open is estimated with maximum likelihood, under each of them.
"""

import enum
import math
from collections.abc import Callable, Sequence

import attrs

from ludothek.arena.stats.elo import POINTS, expected
from ludothek.arena.stats.pairs import RESULTS, Pairs, mean_of, variance_of
from ludothek.settings.fields import SettingsError, between, setting

# Stands for results that have not occurred yet: they are rare, not impossible.
_RARE = 1e-3

# The estimate for normalized Elo is found by approximation, in a few steps.
_STEPS, _CLOSE = 20, 1e-9


class Model(enum.Enum):
    """What the numbers of the hypotheses mean."""

    LOGISTIC = "logistic"  # Elo as in ratings
    NORMALIZED = "normalized"  # in standard deviations of a game


class Decision(enum.StrEnum):
    """What the games so far say."""

    OPEN = "open"
    H0 = "H0"  # the difference is elo0 rather than elo1
    H1 = "H1"


def _is_chance(value: float) -> str | None:
    return None if 0 < value < 0.5 else "must be above 0 and below 0.5"


_ELO = between(-1000, 1000)


@attrs.frozen(kw_only=True)
class Sprt:
    """The two hypotheses, and how often either of them may be accepted wrongly."""

    elo0: float = setting(0.0, "difference of strength if H0 holds", check=_ELO)
    elo1: float = setting(20.0, "difference of strength if H1 holds", check=_ELO)
    alpha: float = setting(0.05, "chance to accept H1 although H0 holds", check=_is_chance)
    beta: float = setting(0.05, "chance to accept H0 although H1 holds", check=_is_chance)
    model: Model = setting(Model.LOGISTIC, "meaning of both: logistic or normalized Elo")

    def __attrs_post_init__(self) -> None:
        if self.elo0 >= self.elo1:
            raise SettingsError(f"elo1: must be above elo0, which is {self.elo0:g}")

    @property
    def bounds(self) -> tuple[float, float]:
        """The likelihood ratios at which H0 and H1 are accepted, as logarithms."""
        return (
            math.log(self.beta / (1 - self.alpha)),
            math.log((1 - self.beta) / self.alpha),
        )

    def ratio(self, pairs: Pairs) -> float:
        """How much better H1 explains the results than H0 does, as a logarithm."""
        if not pairs.total:
            return 0.0
        counts = [count or _RARE for count in pairs.counts]
        total = sum(counts)
        shares = [count / total for count in counts]
        estimate = self._estimate()
        under0, under1 = estimate(shares, self.elo0), estimate(shares, self.elo1)
        return total * sum(
            share * math.log(one / zero)
            for share, zero, one in zip(shares, under0, under1, strict=True)
        )

    def verdict(self, pairs: Pairs) -> Decision:
        low, high = self.bounds
        ratio = self.ratio(pairs)
        if ratio >= high:
            return Decision.H1
        return Decision.H0 if ratio <= low else Decision.OPEN

    def _estimate(self) -> Callable[[Sequence[float], float], Sequence[float]]:
        return _logistic if self.model is Model.LOGISTIC else _normalized


def _logistic(shares: Sequence[float], elo: float) -> Sequence[float]:
    """The likeliest distribution of results whose mean fits the difference."""
    mean = expected(elo)
    return _tilted(shares, [result - mean for result in RESULTS])


def _normalized(shares: Sequence[float], elo: float) -> Sequence[float]:
    """The likeliest one whose mean lies that many standard deviations above a half."""
    wanted = math.sqrt(2) * elo / (2 * POINTS)
    found: Sequence[float] = [1 / len(RESULTS)] * len(RESULTS)
    for _ in range(_STEPS):
        before = found
        mean, deviation = mean_of(found), math.sqrt(variance_of(found))
        # The constraint is not linear in the distribution; this is its slope at the last one.
        slopes = [
            result - 0.5 - wanted * deviation * (1 + ((result - mean) / deviation) ** 2) / 2
            for result in RESULTS
        ]
        found = _tilted(shares, slopes)
        if max(abs(new - old) for new, old in zip(found, before, strict=True)) < _CLOSE:
            break
    return found


def _tilted(shares: Sequence[float], values: Sequence[float]) -> Sequence[float]:
    """The distribution closest to `shares` under which the mean of the values is zero."""

    def mean(tilt: float) -> float:
        return sum(
            share * value / (1 + tilt * value) for share, value in zip(shares, values, strict=True)
        )

    # It falls steadily from plus to minus infinity between these two.
    low, high = -1 / max(values), -1 / min(values)
    for _ in range(200):
        middle = (low + high) / 2
        if middle in (low, high):
            break
        if mean(middle) > 0:
            low = middle
        else:
            high = middle
    tilt = (low + high) / 2
    return [share / (1 + tilt * value) for share, value in zip(shares, values, strict=True)]
