"""What a tournament has shown so far: standings, encounters, reasons, time."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from statistics import median

import attrs

from ludothek.arena.formats.knockout import Duel, Knockout
from ludothek.arena.formats.schedule import Fixture, Results, Schedule
from ludothek.arena.formats.sequential import Sequential
from ludothek.arena.outcome import Finish, Outcome, Reason, shares
from ludothek.arena.plan import Format, Plan
from ludothek.arena.stats import ratings, skills
from ludothek.arena.stats.pairs import Pairs
from ludothek.arena.stats.ratings import Encounter, Ratings
from ludothek.arena.stats.skills import Skills
from ludothek.arena.stats.sprt import Decision


@attrs.frozen(kw_only=True)
class Standing:
    """One entrant's line in the table."""

    place: int  # shared by equals
    entrant: int
    name: str
    games: int
    points: float  # shares, and those of byes
    wins: int  # nobody else was as good
    draws: int  # some others were as good, and nobody better
    losses: int
    rating: float | None  # None: has not played
    error: float | None  # of 95 %


@attrs.frozen(kw_only=True)
class Meeting:
    """What an entrant has got against another one."""

    games: int = 0
    points: float = 0.0


@attrs.frozen(kw_only=True)
class TimeUse:
    """How long an entrant has thought, in seconds, over all its games."""

    moves: int
    p50: float  # the middle of those of its games
    p99: float  # the worst of those of its games
    longest: float
    total: float


@attrs.frozen(kw_only=True)
class SprtProgress:
    """How far a sequential test has come."""

    pairs: Pairs
    ratio: float
    bounds: tuple[float, float]
    verdict: Decision


@attrs.frozen(kw_only=True)
class Findings:
    """Everything that can be said about the games so far. Entrants are numbered as in the file."""

    plan: Plan
    played: int
    size: int
    standings: Sequence[Standing]
    meetings: Sequence[Sequence[Meeting]]
    superiority: Sequence[Sequence[float]]  # that one is better than another
    won: Sequence[Mapping[Reason, int]]  # wins, by what happened to others
    lost: Sequence[Mapping[Reason, int]]  # games not won, by the entrant's own reason
    time: Sequence[TimeUse]
    trial: SprtProgress | None = None
    bracket: Sequence[Duel] | None = None

    @property
    def complete(self) -> bool:
        return self.played == self.size


def find(plan: Plan, outcomes: Mapping[int, Outcome], schedule: Schedule | None = None) -> Findings:
    """Of the games that count: a sequential test may have played more."""
    schedule = schedule or plan.schedule()
    results: Results = {number: shares(outcome.finishes) for number, outcome in outcomes.items()}
    counted = [f for f in schedule.fixtures(results) if f.number in results]
    rated = _rate(plan, counted, results)
    entrants = range(len(plan.entrants))
    games = _appearances(len(plan.entrants), counted, outcomes, results)
    return Findings(
        plan=plan,
        played=len(counted),
        size=schedule.size(results),
        standings=_standings(plan, schedule, counted, results, rated),
        meetings=_meetings(len(plan.entrants), counted, results),
        superiority=[[rated.superiority(one, two) for two in entrants] for one in entrants],
        won=[*map(_won, games)],
        lost=[*map(_lost, games)],
        time=[*map(_time, games)],
        trial=_trial(schedule, results) if isinstance(schedule, Sequential) else None,
        bracket=schedule.bracket(results) if isinstance(schedule, Knockout) else None,
    )


def _rate(plan: Plan, counted: Sequence[Fixture], results: Results) -> Ratings | Skills:
    if plan.players > 2:
        games = [(fixture.seats, results[fixture.number]) for fixture in counted]
        return skills.rate(len(plan.entrants), games)
    return ratings.rate(len(plan.entrants), _encounters(counted, results))


def _encounters(counted: Iterable[Fixture], results: Results) -> Iterator[Encounter]:
    pairs: dict[int, list[Fixture]] = {}
    for fixture in counted:
        pairs.setdefault(fixture.rotation, []).append(fixture)
    for pair in pairs.values():
        one, two = sorted(pair[0].seats)
        points = sum(results[fixture.number][fixture.seats.index(one)] for fixture in pair)
        yield Encounter(one, two, len(pair), points)


def _standings(
    plan: Plan,
    schedule: Schedule,
    counted: Sequence[Fixture],
    results: Results,
    rated: Ratings | Skills,
) -> list[Standing]:
    byes = schedule.byes(results)
    tallies = [_Tally(points=byes.get(entrant, 0.0)) for entrant in range(len(plan.entrants))]
    for fixture in counted:
        got = results[fixture.number]
        for entrant, share in zip(fixture.seats, got, strict=True):
            tallies[entrant].count(share, got)
    groups = schedule.places(results)
    if groups is None:
        groups = _by_merit(plan, tallies, rated)
    standings, place = [], 1
    for group in groups:
        for entrant in sorted(group, key=lambda entrant: -rated.values[entrant]):
            tally = tallies[entrant]
            standing = Standing(
                place=place,
                entrant=entrant,
                name=plan.entrants[entrant].name,
                rating=round(rated.values[entrant], 1) if tally.games else None,
                error=round(rated.errors[entrant], 1) if tally.games else None,
                **attrs.asdict(tally),
            )
            standings.append(standing)
        place += len(group)
    return standings


@attrs.define
class _Tally:
    games: int = 0
    points: float = 0.0
    wins: int = 0
    draws: int = 0
    losses: int = 0

    def count(self, share: float, all_: Sequence[float]) -> None:
        self.games += 1
        self.points += share
        if share < max(all_):
            self.losses += 1
        elif all_.count(share) > 1:
            self.draws += 1
        else:
            self.wins += 1


def _by_merit(
    plan: Plan, tallies: Sequence[_Tally], rated: Ratings | Skills
) -> Sequence[Sequence[int]]:
    """By points per game where all meet the same opponents, otherwise by rating."""

    def merit(entrant: int) -> float:
        tally = tallies[entrant]
        if plan.format is Format.ROUND_ROBIN:
            return round(tally.points / tally.games, 9) if tally.games else -1.0
        return round(rated.values[entrant], 6)

    merits = {entrant: merit(entrant) for entrant in range(len(tallies))}
    return [
        [entrant for entrant in merits if merits[entrant] == each]
        for each in sorted(set(merits.values()), reverse=True)
    ]


def _meetings(entrants: int, counted: Iterable[Fixture], results: Results) -> list[list[Meeting]]:
    games = [[0] * entrants for _ in range(entrants)]
    points = [[0.0] * entrants for _ in range(entrants)]
    for fixture in counted:
        got = dict(zip(fixture.seats, results[fixture.number], strict=True))
        for one in fixture.seats:
            for two in fixture.seats:
                if one != two:
                    games[one][two] += 1
                    points[one][two] += (1 + (got[one] > got[two]) - (got[one] < got[two])) / 2
    return [
        [Meeting(games=games[one][two], points=points[one][two]) for two in range(entrants)]
        for one in range(entrants)
    ]


@attrs.frozen
class _Appearance:
    """A game as one of its entrants sees it."""

    seat: int
    shares: Sequence[float]
    finishes: Sequence[Finish]

    @property
    def finish(self) -> Finish:
        return self.finishes[self.seat]

    @property
    def is_best(self) -> bool:
        return self.shares[self.seat] == max(self.shares)


def _appearances(
    entrants: int, counted: Iterable[Fixture], outcomes: Mapping[int, Outcome], results: Results
) -> list[list[_Appearance]]:
    """The games of each entrant."""
    found: list[list[_Appearance]] = [[] for _ in range(entrants)]
    for fixture in counted:
        got, finishes = results[fixture.number], outcomes[fixture.number].finishes
        for seat, entrant in enumerate(fixture.seats):
            found[entrant].append(_Appearance(seat, got, finishes))
    return found


def _won(games: Iterable[_Appearance]) -> Mapping[Reason, int]:
    found: Counter[Reason] = Counter()
    for game in games:
        if game.is_best and game.shares.count(max(game.shares)) == 1:
            reasons = [each.reason for each in game.finishes if each.reason is not Reason.REGULAR]
            found[reasons[0] if reasons else Reason.REGULAR] += 1
    return dict(sorted(found.items()))


def _lost(games: Iterable[_Appearance]) -> Mapping[Reason, int]:
    """If all have done something wrong, nobody has won."""
    found: Counter[Reason] = Counter()
    for game in games:
        if not game.is_best or game.finish.reason is not Reason.REGULAR:
            found[game.finish.reason] += 1
    return dict(sorted(found.items()))


def _time(games: Iterable[_Appearance]) -> TimeUse:
    thought = [game.finish.thinking for game in games if game.finish.thinking.moves]
    return TimeUse(
        moves=sum(thinking.moves for thinking in thought),
        p50=median([thinking.p50 for thinking in thought] or [0.0]),
        p99=max((thinking.p99 for thinking in thought), default=0.0),
        longest=max((thinking.longest for thinking in thought), default=0.0),
        total=sum(thinking.total for thinking in thought),
    )


def _trial(schedule: Sequential, results: Results) -> SprtProgress:
    pairs = schedule.pairs(results)
    test = schedule.test
    return SprtProgress(
        pairs=pairs, ratio=test.ratio(pairs), bounds=test.bounds, verdict=test.verdict(pairs)
    )
