"""A verdict for people, in a terminal."""

from collections.abc import Iterator

from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from ludothek.check.trial import Trial
from ludothek.check.verdict import ClauseVerdict, Evidence, Status, Verdict
from ludothek.contract.names import printable

# Of a client's output, and of breaches of one clause, that are shown.
OUTPUT_LINES, SHOWN = 12, 3

_COLOURS = {Status.KEPT: "green", Status.BROKEN: "red", Status.NOT_REACHED: "dim"}


def show(console: Console, verdict: Verdict) -> None:
    """Print all that somebody has to know."""
    for part in _parts(verdict):
        console.print(part)


def line_of(trial: Trial) -> Text:
    """A situation in a line, as soon as it is over."""
    word, style = ("passed", "green") if trial.passed else ("FAILED", "bold red")
    if trial.failure:
        word, style = "error", "yellow"
    text = Text()
    text.append(f"{word:7}", style)
    text.append(f"{trial.situation.name:22} ")
    text.append(f"{trial.seconds:5.1f} s  ", "dim")
    text.append(_outcome(trial))
    return text


def _outcome(trial: Trial) -> str:
    if trial.failure:
        return printable(f"the check itself has failed: {trial.failure}")
    said = [trial.words] if trial.problem else []
    if broken := trial.broken_clauses:
        said.append(f"It broke {', '.join(broken)}.")
    return printable(" ".join(said or trial.remarks))


def _parts(verdict: Verdict) -> Iterator[RenderableType]:
    for trial in verdict.trials:
        if trial.problem:
            yield from _problem(trial)
    for each in verdict.of(Status.BROKEN):
        yield Group(*_broken(each))
    if noted := [each for each in verdict.of(Status.KEPT) if each.evidence]:
        yield Text("\nTolerated, but not as it should be:", style="bold")
        for each in noted:
            yield Text(printable(f"  {each.clause.id}  {each.evidence[0].incident.breach.reason}"))
    missed = verdict.of(Status.NOT_REACHED)
    if 0 < len(missed) < len(verdict.clauses):  # not for a client that has said nothing at all
        yield Text("\nNot reached:", style="bold")
        yield _table(missed)
    yield Text()
    yield _sum(verdict)


def _problem(trial: Trial) -> Iterator[RenderableType]:
    yield Text()
    yield Text(f"{trial.situation.name}: {trial.problem}", style="bold red")
    yield Text(printable(f"  {trial.situation.about}"), style="dim")
    yield Text(printable(f"  {trial.words}"))
    if lines := trial.output.strip().splitlines()[-OUTPUT_LINES:]:
        yield Text("  The end of its output:", style="dim")
        for line in lines:
            yield Text(printable(f"  | {line}"))


def _broken(verdict: ClauseVerdict) -> Iterator[RenderableType]:
    clause = verdict.clause
    yield Text()
    yield Text(printable(f"{clause.id} broken: {clause.section}"), style="bold red")
    if clause.quote:
        yield Padding(Text(printable(f"«{clause.quote}»")), (0, 0, 0, 2))
    yield Padding(Text(printable(clause.reading), style="dim"), (0, 0, 0, 2))
    counted = [each for each in verdict.evidence if not each.incident.tolerated]
    for each in counted[:SHOWN]:
        yield Padding(_evidence(each), (0, 0, 0, 2))
    if len(counted) > SHOWN:
        yield Text(f"  and {len(counted) - SHOWN} times more")
    if clause.good.message:
        when = f" ({clause.good.when})" if clause.good.when else ""
        yield Text(printable(f"  right{when}: {clause.good.message}"), style="green")


def _evidence(evidence: Evidence) -> Text:
    incident = evidence.incident
    breach = incident.breach
    where = f", {breach.pointer}" if breach.pointer else ""
    parts = [
        f"{evidence.trial.situation.name}, {incident.place}{where}: {incident.consequence.value}"
    ]
    if incident.frame:
        parts.append(f"  sent: {incident.frame}")
    if breach.expected:
        parts.append(f"  expected: {breach.expected}")
    parts.append(f"  came: {breach.came}")
    return Text("\n".join(map(printable, parts)))


def _table(missed: list[ClauseVerdict]) -> Table:
    table = Table.grid(padding=(0, 2))
    for each in missed:
        table.add_row(Text(f"  {each.clause.id}"), Text(printable(each.why), style="dim"))
    return table


def _sum(verdict: Verdict) -> Text:
    text = Text()
    for number, status in enumerate(Status):
        text.append(", " if number else "clauses: ")
        text.append(f"{len(verdict.of(status))} {status}", _COLOURS[status])
    passed = sum(trial.passed for trial in verdict.trials)
    text.append(f"; situations: {passed} of {len(verdict.trials)} passed")
    if not verdict.complete:
        text.append("; ended early", "yellow")
    if verdict.left_out:
        text.append(f"; {len(verdict.left_out)} left out", "yellow")
    return text
