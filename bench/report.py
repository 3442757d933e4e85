"""Tables in Markdown, and the marked places of a page that results go to."""

import re
from collections.abc import Iterable, Sequence
from pathlib import Path

import click

from bench.drawing import number
from bench.environment import CHANGED, commit
from bench.measure import Figure

# The commit that was measured, in the sentence about the environment.
COMMIT = ", ludothek ([^,]+),"


def table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A Markdown table, its first column left and the others right."""
    lines = [
        f"| {' | '.join(header)} |",
        f"|---|{'---:|' * (len(header) - 1)}",
        *(f"| {' | '.join(row)} |" for row in rows),
    ]
    return "\n".join(lines)


def spread(figure: Figure) -> str:
    """The median, and the range of the values."""
    if figure.least == figure.most:
        return number(figure.median)
    return f"{number(figure.median)} ({number(figure.least)} to {number(figure.most)})"


def check(page: Path, *marks: str) -> None:
    """Make sure that a page has these places, and that readers can get what was measured."""
    if commit().endswith(CHANGED):
        raise click.ClickException("only what is committed can be published")
    for mark in marks:
        _parts(page, mark)


def put(page: Path, mark: str, text: str) -> None:
    """Replace the text between the marks ``<!-- mark -->`` and ``<!-- /mark -->`` of a page."""
    before, after = _parts(page, mark)
    page.write_text(f"{before}\n{text.strip()}\n{after}")
    commits = sorted(set(re.findall(COMMIT, page.read_text())))
    if re.search(COMMIT, text) and len(commits) > 1:
        click.echo(f"{page} has figures of several commits: {', '.join(commits)}", err=True)


def _parts(page: Path, mark: str) -> tuple[str, str]:
    """The text before and after a marked place, including the marks themselves."""
    begin, end = f"<!-- {mark} -->", f"<!-- /{mark} -->"
    before, found, rest = page.read_text().partition(begin)
    _, closed, after = rest.partition(end)
    if not (found and closed):
        raise click.ClickException(f"{page} has no place marked {mark!r}")
    return before + begin, end + after


def draw(page: Path, name: str, drawing: str) -> str:
    """Save a drawing beside a page; returns the Markdown that shows it."""
    folder = page.parent / "figures"
    folder.mkdir(exist_ok=True)
    (folder / f"{name}.svg").write_text(drawing)
    return f"![{name}](figures/{name}.svg)"
