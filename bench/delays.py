"""What players notice of people who watch: many short stretches with viewers and without, in turns.

On a machine that others use as well, the 99th percentile of a few seconds tells more about the
others than about viewers. So stretches are short, and those with and without viewers alternate in
random order. All times of each kind are put together, and the percentiles of these two are
compared. How much the ratio is worth is found by bootstrap: it is computed again and again for as
many pairs of stretches, drawn from all of them with replacement. A single pause of the machine
decides what the percentile of all times is; the 99th percentile of the median stretch shows what is
usual.
"""

import random
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from functools import partial
from statistics import mean, median

import attrs

from bench.audience import Audience, watched
from bench.connections import WebSocketConnection
from bench.disturbance import Interval, watching
from bench.hexxagon_load import HexxagonLoad
from bench.measure import percentile
from bench.theatre import Scene, Stage, Theatre
from bench.trial import under_load, warm_up

# Matches that keep the daemon at half load, and moves before anything counts.
GAMES = 50
WARM_UP = 6000
FULL_SECONDS = 3.0  # under full load, to see what half of it is
# Seconds; in less than a half of that, even fast players do not finish a match.
STRETCH = 0.3
# A stretch is not used if others had one of our cores for a larger share of it: one pause of a few
# milliseconds is all that the 99th percentile of a stretch shows.
CALM = 0.005
# Pairs of stretches before the matches that are watched would be over.
PAIRS = 25
# Pairs that are tried for each that is wanted.
PATIENCE = 3
DRAWS = 1000
CONFIDENCE = 0.95


@attrs.frozen(kw_only=True)
class Moment:
    """One stretch."""

    micros: Sequence[float]  # that each move took, in order
    interval: Interval


@attrs.frozen(kw_only=True)
class Pair:
    """Two neighbouring stretches."""

    without: Moment
    watched: Moment

    @property
    def disturbed(self) -> float:
        return max(self.without.interval.disturbed, self.watched.interval.disturbed)


@attrs.frozen(kw_only=True)
class Summary:
    """A stretch in short, for whoever wants to look at all of them."""

    seen: bool  # by viewers
    moves: int
    p50: float  # milliseconds
    p99: float
    disturbed: float

    @classmethod
    def of(cls, moment: Moment, seen: bool) -> "Summary":
        return cls(
            seen=seen,
            moves=len(moment.micros),
            p50=percentile(moment.micros, 0.5) / 1e3,
            p99=percentile(moment.micros, 0.99) / 1e3,
            disturbed=moment.interval.disturbed,
        )


@attrs.frozen(kw_only=True)
class Ratio:
    """A percentile with viewers, divided by the one without them."""

    without: float  # milliseconds
    watched: float
    least: float  # bounds of the confidence interval
    most: float

    @property
    def value(self) -> float:
        return self.watched / self.without


@attrs.frozen(kw_only=True)
class Delay:
    """What the players of other matches notice of one scene."""

    scene: str
    pairs: int
    dropped: int
    moves: int  # with viewers and without
    p50: Ratio
    p99: Ratio
    usual_p99: Ratio  # of the median stretch
    cpu: float  # of the server per move, with viewers divided by without
    disturbed: float  # the share of time that was lost in those pairs that count, on average
    stretches: Sequence["Summary"]

    @classmethod
    def of(cls, scene: str, pairs: Sequence[Pair], dropped: int, rng: random.Random) -> "Delay":
        watched, without = [each.watched for each in pairs], [each.without for each in pairs]

        def compare(measure: Callable[[Sequence[Moment]], Statistic]) -> Ratio:
            return _ratio(measure(watched), measure(without), len(pairs), rng)

        return cls(
            scene=scene,
            pairs=len(pairs),
            dropped=dropped,
            moves=sum(len(each.micros) for each in watched + without),
            p50=compare(partial(_pooled, 0.5)),
            p99=compare(partial(_pooled, 0.99)),
            usual_p99=compare(partial(_usual, 0.99)),
            cpu=_cpu_of(watched) / _cpu_of(without),
            disturbed=mean(each.disturbed for each in pairs),
            stretches=[
                Summary.of(moment, seen)
                for each in pairs
                for moment, seen in ((each.without, False), (each.watched, True))
            ],
        )


def _cpu_of(made: Sequence[Moment]) -> float:
    return sum(each.interval.cpu for each in made) / sum(len(each.micros) for each in made)


# Of stretches that are given by their numbers; one that is given twice counts twice.
Statistic = Callable[[Sequence[int]], float]


def _ratio(watched: Statistic, without: Statistic, pairs: int, rng: random.Random) -> Ratio:
    """All pairs compared, and how far off that may be by chance."""
    draws = [rng.choices(range(pairs), k=pairs) for _ in range(DRAWS)]
    ratios = sorted(watched(drawn) / without(drawn) for drawn in draws)
    outside = round((1 - CONFIDENCE) / 2 * DRAWS)
    return Ratio(
        without=without(range(pairs)) / 1e3,
        watched=watched(range(pairs)) / 1e3,
        least=ratios[outside],
        most=ratios[-1 - outside],
    )


def _pooled(share: float, moments: Sequence[Moment]) -> Statistic:
    """A percentile of all times of several stretches together."""
    stretches = [each.micros for each in moments]
    times = sorted(each for stretch in stretches for each in stretch)

    def find(drawn: Sequence[int]) -> float:
        chosen = [(stretches[number], count) for number, count in Counter(drawn).items()]
        wanted = share * sum(len(each) * count for each, count in chosen)

        def reaches(time: float) -> bool:
            return sum(bisect_right(each, time) * count for each, count in chosen) >= wanted

        return times[bisect_left(times, True, hi=len(times) - 1, key=reaches)]

    return find


def _usual(share: float, moments: Sequence[Moment]) -> Statistic:
    """A percentile of each stretch, of which the median."""
    found = [percentile(each.micros, share) for each in moments]
    return lambda drawn: median([found[number] for number in drawn])


def measure_delay(house: Theatre, scene: Scene, wanted: int, seed: int) -> Delay:
    others = HexxagonLoad(house.server.port, WebSocketConnection.open, seed)
    try:
        others.connect(2 * GAMES)
        warm_up(others, WARM_UP)
        rate = under_load(house.server, others, FULL_SECONDS).rate / 2
        return Rehearsal(house, others, rate, random.Random(seed)).measure(scene, wanted)
    finally:
        others.close()


@attrs.define
class Rehearsal:
    """Has others play at half load while matches are watched, or others like them are not."""

    house: Theatre
    others: HexxagonLoad
    rate: float
    rng: random.Random

    def measure(self, scene: Scene, wanted: int) -> Delay:
        """Only pairs count in which both stretches were undisturbed, if there are enough."""
        pairs: list[Pair] = []
        good: list[Pair] = []
        while len(good) < wanted and len(pairs) < PATIENCE * wanted:
            pairs += self._act(scene, min(PAIRS, wanted - len(good)))
            good = [each for each in pairs if each.disturbed <= CALM]
        name, dropped = scene.name + self.house.label, len(pairs) - len(good)
        if len(good) < wanted:
            return Delay.of(name, pairs, 0, self.rng)
        return Delay.of(name, good, dropped, self.rng)

    def _act(self, scene: Scene, pairs: int) -> list[Pair]:
        """As many pairs as there are moves in one match; the first one does not count."""
        stages = {seen: self.house.stage(scene, twin=not seen) for seen in (False, True)}
        with ExitStack() as stack:
            for stage in stages.values():
                stack.callback(stage.leave)
            stages[False].deal()
            paths = stages[True].deal() * scene.viewers
            audience = stack.enter_context(watched(self.house.page, paths))
            audience.expect(len(paths))  # the positions in which they come
            return [self._pair(stages, audience) for _ in range(pairs + 1)][1:]

    def _pair(self, stages: dict[bool, Stage], audience: Audience) -> Pair:
        made = {}
        for seen in self.rng.sample((False, True), 2):
            made[seen] = self._moment(stages[seen], audience if seen else None)
        return Pair(without=made[False], watched=made[True])

    def _moment(self, stage: Stage, audience: Audience | None) -> Moment:
        heard = audience.heard if audience else 0
        self.others.deal()
        with watching(self.house.server) as interval, stage.playing(STRETCH) as moves:
            taken = self.others.play(rate=self.rate, seconds=STRETCH)
        self.others.leave()
        if audience:
            audience.expect(heard + sum(moves) * stage.scene.viewers)
        return Moment(micros=sorted(taken.micros), interval=interval)
