"""A verdict as one HTML file that needs nothing else: no scripts, no files from elsewhere."""

from collections.abc import Iterator
from html import escape

from ludothek.check.trial import Trial
from ludothek.check.verdict import ClauseVerdict, Evidence, Status, Verdict

_STYLE = """
:root { color-scheme: light dark }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 70rem; margin: 2rem auto; padding: 0 1rem }
table { border-collapse: collapse; width: 100%; margin: 0 0 1.5rem }
th, td { padding: 0.2rem 0.6rem; text-align: left; vertical-align: top }
tr { border-bottom: 1px solid #8884 }
td:first-child { white-space: nowrap }
td, code { overflow-wrap: anywhere }
pre { white-space: pre-wrap; overflow-wrap: anywhere; background: #8882; padding: 0.4rem }
.kept, .passed { color: #0a7d34 } .broken, .failed { color: #c4001d; font-weight: 600 }
.not-reached { color: #777 }
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
        f"<title>{escape(title)}</title><style>{_STYLE}</style></head>\n<body>{body}</body></html>\n"
    )


def _body(verdict: Verdict, title: str) -> Iterator[str]:
    yield f"<h1>{escape(title)}</h1>"
    word = "passed" if verdict.passed else "failed"
    counts = ", ".join(f"{len(verdict.of(status))} {status}" for status in Status)
    yield f'<p><span class="{word}">{word}</span>; clauses: {escape(counts)}.'
    if not verdict.complete:
        yield " The check ended early."
    command = f", <code>{escape(' '.join(verdict.command))}</code>" if verdict.command else ""
    protocol = escape(f"{verdict.game.protocol} {verdict.game.version}")
    yield f"</p><p>{protocol}, seed {verdict.seed}{command}"
    yield "</p><h2>Situations</h2><table><tbody>"
    yield from map(_trial, verdict.trials)
    for name, why in verdict.absent.items():
        yield _row(name, "not-reached", "absent", escape(why))
    yield "</tbody></table><h2>Clauses</h2><table><tbody>"
    order = [*verdict.of(Status.BROKEN), *verdict.of(Status.KEPT), *verdict.of(Status.NOT_REACHED)]
    yield from map(_clause, order)
    yield "</tbody></table>"


def _trial(trial: Trial) -> str:
    word = "passed" if trial.passed else "failed"
    said = [escape(trial.situation.about), *map(escape, trial.remarks)]
    if trial.failure:
        said.append(escape(f"The check itself has failed: {trial.failure}"))
    if trial.problem:
        said.append(f"<strong>{escape(trial.problem)}</strong>: {escape(trial.words)}")
        if trial.output:
            said.append(f"<pre>{escape(trial.output)}</pre>")
    if broken := trial.broken_clauses:
        said.append(escape(f"It broke {', '.join(broken)}."))
    return _row(trial.situation.name, word, word, "<br>".join(said))


def _clause(verdict: ClauseVerdict) -> str:
    clause = verdict.clause
    said = [f"<em>{escape(clause.section)}</em>"]
    if clause.quote:
        said.append(f"«{escape(clause.quote)}»")
    said.append(escape(clause.reading))
    if verdict.why:
        said.append(escape(f"Not reached: {verdict.why}."))
    if verdict.status is Status.BROKEN:
        said += [_evidence(each) for each in verdict.evidence if not each.incident.tolerated]
        if clause.good.message:
            said.append(f"right:<pre>{escape(clause.good.message)}</pre>")
    name = verdict.status.replace(" ", "-")
    return _row(clause.id, name, verdict.status, "<br>".join(said))


def _evidence(evidence: Evidence) -> str:
    incident = evidence.incident
    place = f"{evidence.trial.situation.name}, message {incident.number}"
    return f"{escape(place)}: {escape(incident.breach.reason)}<pre>{escape(incident.frame)}</pre>"


def _row(name: str, style: str, word: str, said: str) -> str:
    cell = f'<td class="{style}">{escape(word)}</td>'
    return f"<tr><td>{escape(name)}</td>{cell}<td>{said}</td></tr>"
