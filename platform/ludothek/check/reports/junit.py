"""A verdict as JUnit XML, for a course's CI."""

import re
from collections.abc import Iterator, Sequence
from xml.etree import ElementTree

from ludothek.check.trial import Trial
from ludothek.check.verdict import ClauseVerdict, Evidence, Status, Verdict

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
    errors, early = len(verdict.failures), not verdict.complete
    left_out = verdict.left_out
    situations = _suite(root, "situations", len(verdict.trials) + early + len(left_out))
    failed = sum(not each.passed for each in verdict.trials)
    situations.set("failures", str(failed - errors))
    situations.set("errors", str(errors + early))
    situations.set("skipped", str(len(left_out)))
    for trial in verdict.trials:
        _add_trial(situations, trial)
    for name in left_out:
        ElementTree.SubElement(_case(situations, name), "skipped", message="not asked for")
    if early:  # otherwise a CI would take the part that was checked for the whole
        case = _case(situations, "all")
        ElementTree.SubElement(case, "error", message="the check ended early")
    ElementTree.indent(root)
    text: bytes = ElementTree.tostring(root, encoding="utf-8", xml_declaration=True)
    return text


def _suite(root: ElementTree.Element, name: str, tests: int) -> ElementTree.Element:
    counts = {"tests": str(tests), "failures": "0", "errors": "0", "skipped": "0"}
    return ElementTree.SubElement(root, "testsuite", {"name": name, **counts})


def _case(suite: ElementTree.Element, name: str, seconds: float = 0.0) -> ElementTree.Element:
    kind = suite.get("name", "")
    return ElementTree.SubElement(
        suite, "testcase", classname=kind, name=name, time=f"{seconds:.2f}"
    )


def _add_clause(suite: ElementTree.Element, verdict: ClauseVerdict) -> None:
    name = _clean(f"{verdict.clause.id} {verdict.clause.section}")
    case = _case(suite, name)
    if verdict.status is Status.NOT_REACHED:
        ElementTree.SubElement(case, "skipped", message=_clean(verdict.why))
    if verdict.status is Status.BROKEN:
        texts = _evidence(verdict)
        _fail(
            case, texts[0].splitlines()[0], [verdict.clause.quote or verdict.clause.reading, *texts]
        )


def _evidence(verdict: ClauseVerdict) -> Sequence[str]:
    return [
        "\n".join(_evidence_lines(each)) for each in verdict.evidence if not each.incident.tolerated
    ]


def _evidence_lines(evidence: Evidence) -> Iterator[str]:
    incident = evidence.incident
    yield f"{evidence.trial.situation.name}, {incident.place}: {incident.breach.reason}"
    if incident.frame:
        yield f"sent: {incident.frame}"


def _add_trial(suite: ElementTree.Element, trial: Trial) -> None:
    case = _case(suite, trial.situation.name, trial.seconds)
    wrong = [f"{trial.problem}: {trial.words}"] if trial.problem else []
    if trial.broken:
        wrong.append(f"broke {', '.join(trial.broken_clauses)}")
    if trial.failure:
        ElementTree.SubElement(case, "error", message=_clean(trial.failure))
    elif wrong:
        _fail(case, "; ".join(wrong), [trial.situation.about])
    if trial.problem and trial.output:
        ElementTree.SubElement(case, "system-out").text = _clean(trial.output)


def _fail(case: ElementTree.Element, message: str, texts: Sequence[str]) -> None:
    failure = ElementTree.SubElement(case, "failure", message=_clean(message))
    failure.text = _clean("\n".join(texts))


def _clean(text: str) -> str:
    return _FORBIDDEN.sub("\ufffd", text)
