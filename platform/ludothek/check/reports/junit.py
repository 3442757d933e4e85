"""A verdict as JUnit XML, for a course's CI."""

import re
from collections.abc import Sequence
from xml.etree import ElementTree

from ludothek.check.trial import Trial
from ludothek.check.verdict import ClauseVerdict, Status, Verdict

# What XML 1.0 cannot hold, not even escaped.
_FORBIDDEN = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def junit(verdict: Verdict) -> bytes:
    """Two suites: clauses, and situations."""
    root = ElementTree.Element("testsuites", name=f"platform check {verdict.game.name}")
    missed = verdict.of(Status.NOT_REACHED)
    clauses = _suite(root, "clauses", len(verdict.clauses))
    clauses.set("failures", str(len(verdict.of(Status.BROKEN))))
    clauses.set("skipped", str(len(missed)))
    for clause in verdict.clauses:
        _add_clause(clauses, clause)
    situations = _suite(root, "situations", len(verdict.trials))
    situations.set("failures", str(sum(bool(each.problem) for each in verdict.trials)))
    situations.set("errors", str(len(verdict.failures)))
    for trial in verdict.trials:
        _add_trial(situations, trial)
    ElementTree.indent(root)
    text: bytes = ElementTree.tostring(root, encoding="utf-8", xml_declaration=True)
    return text


def _suite(root: ElementTree.Element, name: str, tests: int) -> ElementTree.Element:
    counts = {"tests": str(tests), "failures": "0", "errors": "0", "skipped": "0"}
    return ElementTree.SubElement(root, "testsuite", {"name": name, **counts})


def _add_clause(suite: ElementTree.Element, verdict: ClauseVerdict) -> None:
    name = _clean(f"{verdict.clause.id} {verdict.clause.section}")
    case = ElementTree.SubElement(suite, "testcase", classname="clauses", name=name, time="0")
    if verdict.status is Status.NOT_REACHED:
        ElementTree.SubElement(case, "skipped", message=_clean(verdict.why))
    if verdict.status is Status.BROKEN:
        texts = [_said(verdict)] if not verdict.evidence else [*_evidence(verdict)]
        _fail(
            case, texts[0].splitlines()[0], [verdict.clause.quote or verdict.clause.reading, *texts]
        )


def _said(verdict: ClauseVerdict) -> str:
    return f"{verdict.clause.id} was broken"


def _evidence(verdict: ClauseVerdict) -> Sequence[str]:
    return [
        f"{each.trial.situation.name}: {each.incident.breach.reason}\nsent: {each.incident.frame}"
        for each in verdict.evidence
        if not each.incident.tolerated
    ]


def _add_trial(suite: ElementTree.Element, trial: Trial) -> None:
    case = ElementTree.SubElement(
        suite,
        "testcase",
        classname="situations",
        name=trial.situation.name,
        time=f"{trial.seconds:.2f}",
    )
    if trial.failure:
        ElementTree.SubElement(case, "error", message=_clean(trial.failure))
    elif trial.problem:
        _fail(case, f"{trial.problem}: {trial.words}", [trial.situation.about])
    if trial.problem and trial.output:
        ElementTree.SubElement(case, "system-out").text = _clean(trial.output)


def _fail(case: ElementTree.Element, message: str, texts: Sequence[str]) -> None:
    failure = ElementTree.SubElement(case, "failure", message=_clean(message))
    failure.text = _clean("\n".join(texts))


def _clean(text: str) -> str:
    return _FORBIDDEN.sub("\ufffd", text)
