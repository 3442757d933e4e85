"""A verdict as plain data."""

from collections.abc import Mapping
from typing import Any

from ludothek.check.trial import Trial
from ludothek.check.verdict import ClauseVerdict, Evidence, Status, Verdict


def document(verdict: Verdict) -> Mapping[str, Any]:
    """All of it, for programs."""
    return {
        "game": verdict.game.name,
        "protocol": f"{verdict.game.protocol} {verdict.game.version}",
        "command": [*verdict.command],
        "seed": verdict.seed,
        "passed": verdict.passed,
        "complete": verdict.complete,
        "clauses": [_clause(each) for each in verdict.clauses],
        "situations": [_trial(each) for each in verdict.trials],
        "absent": dict(verdict.absent),
        "left_out": [*verdict.left_out],
        "count": {str(status): len(verdict.of(status)) for status in Status},
    }


def _clause(verdict: ClauseVerdict) -> Mapping[str, Any]:
    clause = verdict.clause
    return {
        "id": clause.id,
        "section": clause.section,
        "quote": clause.quote,
        "reading": clause.reading,
        "status": verdict.status,
        "why": verdict.why,
        "good": clause.good.message,
        "breaches": [_evidence(each) for each in verdict.evidence],
    }


def _evidence(evidence: Evidence) -> Mapping[str, Any]:
    incident = evidence.incident
    return {
        "situation": evidence.trial.situation.name,
        "consequence": incident.consequence.value,
        "tolerated": incident.tolerated,
        "frame": incident.frame,
        "number": incident.number,
        "pointer": incident.breach.pointer,
        "expected": incident.breach.expected,
        "came": incident.breach.came,
    }


def _trial(trial: Trial) -> Mapping[str, Any]:
    return {
        "name": trial.situation.name,
        "about": trial.situation.about,
        "passed": trial.passed,
        "seat": trial.seat,
        "seconds": trial.seconds,
        "problem": trial.problem,
        "words": trial.words,
        "remarks": [*trial.remarks],
        "failure": trial.failure,
        "broken": trial.broken_clauses,
        "messages": dict(trial.messages),
        "output": trial.output if trial.problem else "",
    }
