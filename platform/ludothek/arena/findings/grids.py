"""Findings as tables for people: a title, a head and rows of text each."""

import math
from collections.abc import Iterator, Mapping, Sequence

import attrs

from ludothek.arena.findings.findings import Findings, Standing
from ludothek.arena.outcome import Reason


@attrs.frozen
class Grid:
    """Rows for people; the first `words` columns are text, the others numbers."""

    title: str
    head: Sequence[str]
    rows: Sequence[Sequence[str]]
    words: int = 1


STANDINGS = ("#", "name", "games", "points", "wins", "draws", "losses", "rating", "±", "better")


def grids(findings: Findings) -> Iterator[Grid]:
    """All tables that say something."""
    yield standings(findings)
    yield _cross(findings)
    if any(reason is not Reason.REGULAR for found in findings.lost for reason in found):
        yield _reasons("Wins, by reason", findings, findings.won)
        yield _reasons("Games not won, by reason", findings, findings.lost)
    if any(use.moves for use in findings.time):
        yield _time(findings)


def standings(findings: Findings) -> Grid:
    """Who is ahead. The last column: how likely one is better than the next one in the table."""
    rows = []
    for index, standing in enumerate(findings.standings):
        following = findings.standings[index + 1 : index + 2]
        rows.append(
            [
                str(standing.place),
                standing.name,
                str(standing.games),
                number(standing.points),
                str(standing.wins),
                str(standing.draws),
                str(standing.losses),
                "-" if standing.rating is None else f"{standing.rating:.0f}",
                "-" if standing.error is None else f"{standing.error:.0f}",
                _better(findings, standing, following[0]) if following else "",
            ]
        )
    return Grid("Standings", STANDINGS, rows, words=2)


def _better(findings: Findings, one: Standing, two: Standing) -> str:
    if not one.games or not two.games:
        return "-"
    return percent(findings.superiority[one.entrant][two.entrant])


def _cross(findings: Findings) -> Grid:
    """Points of those on the left against those on top, who stand in the same order."""
    order = [standing.entrant for standing in findings.standings]
    head = ["points against", *(str(n) for n in range(1, len(order) + 1))]
    rows = []
    for n, one in enumerate(order, 1):
        cells = []
        for two in order:
            meeting = findings.meetings[one][two]
            played = f"{number(meeting.points)}/{meeting.games}" if meeting.games else "-"
            cells.append("" if one == two else played)
        rows.append([f"{n} {findings.plan.entrants[one].name}", *cells])
    return Grid("Encounters", head, rows)


def _reasons(title: str, findings: Findings, found: Sequence[Mapping[Reason, int]]) -> Grid:
    """How many by the rules of the game, and how many by a fault of somebody."""
    seen = [reason for reason in Reason if any(reason in each for each in found)]
    rows = [
        [
            standing.name,
            *(str(found[standing.entrant].get(reason, 0) or "") for reason in seen),
        ]
        for standing in findings.standings
    ]
    return Grid(title, ["name", *seen], rows)


def _time(findings: Findings) -> Grid:
    head = ("name", "moves", "p50 ms", "p99 ms", "longest ms", "total s")
    rows = []
    for standing in findings.standings:
        use = findings.time[standing.entrant]
        times = [f"{1000 * value:.1f}" for value in (use.p50, use.p99, use.longest)]
        rows.append([standing.name, str(use.moves), *times, f"{use.total:.1f}"])
    return Grid("Time for moves", head, rows)


def remarks(findings: Findings) -> Iterator[str]:
    """Sentences about the whole."""
    plan = findings.plan
    what = f"{plan.format.value} of {len(plan.entrants)} at {plan.game}"
    yield f"{plan.title}: {what}, {findings.played} of {findings.size} games"
    if trial := findings.trial:
        low, high = trial.bounds
        one, two = plan.names
        counts = ", ".join(map(str, trial.pairs.counts))
        yield f"pairs [{counts}], LLR {trial.ratio:.2f} ({low:.2f}, {high:.2f}): {trial.verdict}"
        if trial.pairs.total:
            pairs = trial.pairs
            yield (
                f"{one} against {two}: {signed(pairs.elo)} ± {signed(pairs.error).lstrip('+')} Elo,"
                f" better with {percent(pairs.superiority)}"
            )


def number(value: float) -> str:
    """Points, with as few digits as they need."""
    return f"{value:.2f}".rstrip("0").rstrip(".")


def percent(value: float) -> str:
    return f"{100 * value:.1f} %"


def signed(value: float) -> str:
    return f"{value:+.1f}" if math.isfinite(value) else ("+∞" if value > 0 else "-∞")
