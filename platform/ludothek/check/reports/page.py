"""A verdict as one HTML file that needs nothing else: no scripts, no files from elsewhere."""

from collections.abc import Iterator
from html import escape

from ludothek.check.trial import Trial
from ludothek.check.verdict import ClauseVerdict, Evidence, Status, Verdict
from ludothek.contract.names import printable

_STYLE = """
:root { color-scheme: light dark }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 70rem; margin: 2rem auto; padding: 0 1rem }
table { border-collapse: collapse; width: 100%; margin: 0 0 1.5rem }
th, td { padding: 0.2rem 0.6rem; text-align: left; vertical-align: top }
tr { border-bottom: 1px solid #8884 }
td:first-child, td:nth-child(2) { white-space: nowrap }
td, code { overflow-wrap: anywhere }
pre { white-space: pre-wrap; overflow-wrap: anywhere; background: #8882; padding: 0.4rem }
.kept, .passed { color: #0a7d34 } .broken, .failed { color: #c4001d; font-weight: 600 }
.not-reached { color: #777 } .incomplete { font-weight: 600 }
@media (prefers-color-scheme: dark) {
  .kept, .passed { color: #4cc77a } .broken, .failed { color: #ff7b86 }
}
"""

# Nothing is loaded, whatever a client has sent.
_POLICY = "default-src 'none'; style-src 'unsafe-inline'"


def page(verdict: Verdict) -> str:
    """The whole page."""
    title = f"{verdict.game.title}: a client is checked"
    body = "\n".join(_body(verdict, title))
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{escape(_POLICY)}">'
        '<meta name="viewport" content="width=device-width">'
        f"<title>{_text(title)}</title><style>{_STYLE}</style></head>\n<body>{body}</body></html>\n"
    )


def _body(verdict: Verdict, title: str) -> Iterator[str]:
    yield f"<h1>{_text(title)}</h1>"
    word = verdict.word
    counts = ", ".join(f"{len(verdict.of(status))} {status}" for status in Status)
    yield f'<p><span class="{word}">{word}</span>; clauses: {_text(counts)}.'
    if not verdict.complete:
        yield " The check ended early."
    if verdict.left_out:
        yield f" {len(verdict.left_out)} situations were left out."
    command = f", <code>{_text(' '.join(verdict.command))}</code>" if verdict.command else ""
    protocol = _text(f"{verdict.game.protocol} {verdict.game.version}")
    yield f"</p><p>{protocol}, seed {verdict.seed}{command}"
    yield "</p><h2>Situations</h2><table><tbody>"
    yield from map(_trial, verdict.trials)
    for name in verdict.left_out:
        yield _row(name, "not-reached", "left out", "It was not asked for.")
    for name, why in verdict.absent.items():
        yield _row(name, "not-reached", "absent", _text(why))
    yield "</tbody></table><h2>Clauses</h2><table><tbody>"
    order = [*verdict.of(Status.BROKEN), *verdict.of(Status.KEPT), *verdict.of(Status.NOT_REACHED)]
    yield from map(_clause, order)
    yield "</tbody></table>"


def _trial(trial: Trial) -> str:
    word = "passed" if trial.passed else "failed"
    said = [_text(trial.situation.about), *map(_text, trial.remarks)]
    if trial.failure:
        said.append(_text(f"The check itself has failed: {trial.failure}"))
    if trial.problem:
        said.append(f"<strong>{_text(trial.problem)}</strong>: {_text(trial.words)}")
        if trial.output:
            said.append(f"<pre>{_text(trial.output)}</pre>")
    if broken := trial.broken_clauses:
        said.append(_text(f"It broke {', '.join(broken)}."))
    return _row(trial.situation.name, word, word, "<br>".join(said))


def _clause(verdict: ClauseVerdict) -> str:
    clause = verdict.clause
    said = [f"<em>{_text(clause.section)}</em>"]
    if clause.quote:
        said.append(f"«{_text(clause.quote)}»")
    said.append(_text(clause.reading))
    if verdict.why:
        said.append(_text(f"Not reached: {verdict.why}."))
    if verdict.status is Status.BROKEN:
        said += [_evidence(each) for each in verdict.evidence if not each.incident.tolerated]
        if clause.good.message:
            said.append(f"right:<pre>{_text(clause.good.message)}</pre>")
    elif verdict.evidence:
        said.append(f"Tolerated, but not as it should be: {_evidence(verdict.evidence[0])}")
    name = verdict.status.replace(" ", "-")
    return _row(clause.id, name, verdict.status, "<br>".join(said))


def _evidence(evidence: Evidence) -> str:
    incident = evidence.incident
    said = f"{evidence.trial.situation.name}, {incident.place}: {incident.breach.reason}"
    return _text(said) + (f"<pre>{_text(incident.frame)}</pre>" if incident.frame else "")


def _row(name: str, style: str, word: str, said: str) -> str:
    cell = f'<td class="{style}">{_text(word)}</td>'
    return f"<tr><td>{_text(name)}</td>{cell}<td>{said}</td></tr>"


def _text(text: str) -> str:
    """As it can stand in a page; nothing in it reorders or hides what is around it."""
    lines = text.expandtabs().replace("\r\n", "\n").split("\n")
    return escape("\n".join(map(printable, lines)))
