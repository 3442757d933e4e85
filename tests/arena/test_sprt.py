"""The sequential test, compared with published figures and tried in simulations."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludothek.arena.stats.elo import difference
from ludothek.arena.stats.pairs import Pairs
from ludothek.arena.stats.sprt import Decision, Model, Sprt
from ludothek.settings.fields import SettingsError

LOGISTIC, NORMALIZED = Model.LOGISTIC, Model.NORMALIZED


@pytest.mark.parametrize(
    ("model", "elo0", "elo1", "counts", "ratio"),
    [  # of the tests of fastchess
        (NORMALIZED, 0, 2, (365, 16618, 36029 + 200, 16974, 390), 2.25),
        (NORMALIZED, -1.75, 0.25, (127, 4883, 10311 + 401, 5150, 104), 3.01),
        (LOGISTIC, 0.5, 2.5, (223, 9863, 20279 + 1000, 10037, 246), -3.07),
        (LOGISTIC, 0, 2, (871, 26175, 55003 + 980, 26678, 821), -4.98),
        # printed by fastchess after a match
        (NORMALIZED, 0, 20, (0, 0, 2, 0, 37), 2.96),
        # statistics page of a test of the engine Monty: «exact»
        (NORMALIZED, 0, 4, (13, 37, 50, 25, 3), -0.54912),
        (LOGISTIC, 0, 2.716, (13, 37, 50, 25, 3), -0.53772),
    ],
)
def test_the_ratio_is_the_published_one(
    model: Model, elo0: float, elo1: float, counts: tuple[int, ...], ratio: float
) -> None:
    sprt = Sprt(elo0=elo0, elo1=elo1, model=model)
    digits = 5e-3 if round(ratio, 2) == ratio else 1e-4
    assert sprt.ratio(Pairs.counted(counts)) == pytest.approx(ratio, abs=digits)


def test_the_bounds_follow_from_the_error_rates() -> None:
    assert Sprt().bounds == pytest.approx((-2.9444, 2.9444), abs=1e-4)
    assert Sprt(alpha=0.1, beta=0.01).bounds == pytest.approx((-4.4998, 2.2925), abs=1e-4)


def test_no_game_says_nothing() -> None:
    assert Sprt().ratio(Pairs((0, 0, 0, 0, 0))) == 0
    assert Sprt().verdict(Pairs((0, 0, 0, 0, 0))) is Decision.OPEN


@settings(max_examples=40, deadline=None)
@given(
    st.tuples(*[st.integers(0, 300)] * 5),
    st.floats(-50, 50),
    st.floats(1, 50),
    st.sampled_from(Model),
)
def test_the_opponent_sees_the_opposite(
    counts: tuple[int, ...], elo0: float, gap: float, model: Model
) -> None:
    mine = Sprt(elo0=elo0, elo1=elo0 + gap, model=model)
    yours = Sprt(elo0=-elo0 - gap, elo1=-elo0, model=model)
    ratio = mine.ratio(Pairs.counted(counts))
    assert yours.ratio(Pairs.counted(counts[::-1])) == pytest.approx(-ratio, rel=1e-4, abs=1e-5)


@settings(max_examples=40, deadline=None)
@given(st.tuples(*[st.integers(0, 100)] * 5), st.sampled_from(Model))
def test_a_win_never_speaks_against_the_first(counts: tuple[int, ...], model: Model) -> None:
    sprt = Sprt(elo0=0, elo1=10, model=Model.LOGISTIC)
    better = (*counts[:4], counts[4] + 1)
    if sum(counts) > 20 and counts[0] and counts[4]:
        assert sprt.ratio(Pairs.counted(better)) > sprt.ratio(Pairs.counted(counts))


@pytest.mark.parametrize(
    ("weights", "right"),
    [((0.1, 0.2, 0.4, 0.2, 0.1), Decision.H0), ((0.06, 0.16, 0.36, 0.26, 0.16), Decision.H1)],
)
def test_the_wrong_hypothesis_is_accepted_as_rarely_as_asked_for(
    weights: tuple[float, ...], right: Decision
) -> None:
    rng = random.Random(11)
    strong = difference(sum(w * r / 4 for r, w in enumerate((0.06, 0.16, 0.36, 0.26, 0.16))))
    sprt = Sprt(elo0=0, elo1=strong, alpha=0.05, beta=0.05)
    wrong = 0
    for _ in range(50):
        counts = [0] * 5
        while (verdict := sprt.verdict(Pairs.counted(counts))) is Decision.OPEN:
            counts[rng.choices(range(5), weights)[0]] += 1
        wrong += verdict is not right
    assert wrong <= 8  # two or three are expected; more than eight, once in a thousand times


def test_hypotheses_must_differ() -> None:
    with pytest.raises(SettingsError, match="elo1: must be above elo0, which is 5"):
        Sprt(elo0=5, elo1=5)
