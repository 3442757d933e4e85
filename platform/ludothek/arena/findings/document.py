"""Findings as JSON."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import attrs

from ludothek.arena.findings.findings import Findings, SprtProgress
from ludothek.arena.formats.knockout import Duel
from ludothek.arena.outcome import Reason


def document(
    findings: Findings, games: Sequence[Mapping[str, Any]], failures: Sequence[Mapping[str, Any]]
) -> dict[str, Any]:
    """The findings, with a list of all games as the database has them."""
    plan, names = findings.plan, findings.plan.names
    return {
        "title": plan.title,
        "game": plan.game,
        "format": plan.format.value,
        "seed": plan.seed,
        "played": findings.played,
        "size": findings.size,
        "complete": findings.complete,
        "standings": [
            {key: value for key, value in attrs.asdict(each).items() if key != "entrant"}
            for each in findings.standings
        ],
        "meetings": {
            one: {
                two: attrs.asdict(findings.meetings[i][j])
                for j, two in enumerate(names)
                if findings.meetings[i][j].games
            }
            for i, one in enumerate(names)
        },
        "superiority": {
            one: {
                two: round(findings.superiority[i][j], 4) for j, two in enumerate(names) if i != j
            }
            for i, one in enumerate(names)
        },
        "won": dict(zip(names, map(_counts, findings.won), strict=True)),
        "lost": dict(zip(names, map(_counts, findings.lost), strict=True)),
        "time": {name: attrs.asdict(use) for name, use in zip(names, findings.time, strict=True)},
        "sprt": _trial(findings.trial) if findings.trial else None,
        "bracket": None
        if findings.bracket is None
        else [_duel(d, names) for d in findings.bracket],
        "games": [*games],
        "failures": [*failures],
    }


def _counts(found: Mapping[Reason, int]) -> dict[str, int]:
    return {reason.value: count for reason, count in found.items()}


def _trial(trial: SprtProgress) -> dict[str, Any]:
    low, high = trial.bounds
    pairs = trial.pairs
    found: dict[str, Any] = {
        "verdict": trial.verdict,
        "llr": round(trial.ratio, 4),
        "bounds": [round(low, 4), round(high, 4)],
        "pairs": pairs.counts,
    }
    if pairs.total:
        found |= {
            "elo": _finite(pairs.elo),
            "error": _finite(pairs.error),
            "superiority": round(pairs.superiority, 4),
        }
    return found


def _duel(duel: Duel, names: Sequence[str]) -> dict[str, Any]:
    def name(entrant: int | None) -> str | None:
        return None if entrant is None else names[entrant]

    return {
        "round": duel.round,
        "place": duel.place,
        "entrants": [name(entrant) for entrant in duel.entrants],
        "points": duel.points,
        "winner": name(duel.winner),
    }


def _finite(value: float) -> float | None:
    """JSON has no infinity."""
    return round(value, 2) if math.isfinite(value) else None
