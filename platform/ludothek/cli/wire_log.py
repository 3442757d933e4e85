"""platform wire: the wire log for people."""

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import click

from ludothek.contract.names import printable
from ludothek.observe import terminal_json
from ludothek.wire.reading import Entry, read_line
from ludothek.wire.selection import Moment, Selection, read_moment
from ludothek.wire.tail import STDIN, follow, lines_of


def _moment(text: str) -> Moment:
    try:
        return read_moment(text)
    except (ValueError, OverflowError):
        raise click.BadParameter(f"expected 14:05 or 2026-11-16T14:05:30, not {text!r}") from None


def _pattern(text: str) -> re.Pattern[str]:
    try:
        return re.compile(text)
    except re.error as error:
        raise click.BadParameter(f"no regular expression: {error}") from None


@click.command()
@click.argument(
    "files",
    metavar="FILE...",
    nargs=-1,
    required=True,
    type=click.Path(exists=True, dir_okay=False, allow_dash=True, path_type=Path),
)
@click.option(
    "--client",
    "clients",
    multiple=True,
    metavar="ID",
    help="Only this client, by number, key or name; may be repeated.",
)
@click.option(
    "--lobby",
    "lobbies",
    multiple=True,
    metavar="KEY",
    help="Only in this lobby; may be repeated.",
)
@click.option("--in", "heard", is_flag=True, help="Only what clients have sent.")
@click.option("--out", "said", is_flag=True, help="Only what was sent to them.")
@click.option("--since", type=_moment, metavar="TIME", help="From 14:05 or 2026-11-16T14:05:30.")
@click.option("--until", type=_moment, metavar="TIME", help="Up to this time.")
@click.option("--grep", "pattern", type=_pattern, metavar="REGEX", help="Only frames that match.")
@click.option("-f", "--follow", "following", is_flag=True, help="Wait for more lines.")
@click.option("--pretty", is_flag=True, help="Show JSON and XML over several lines.")
@click.option("--raw", is_flag=True, help="Print the lines of the file as they are.")
def wire(
    files: Sequence[Path],
    heard: bool,
    said: bool,
    following: bool,
    pretty: bool,
    raw: bool,
    **wanted: Any,
) -> None:
    """Show recorded messages; - reads from standard input.

    An arrow to the right marks messages from a client, one to the left messages to it. Name older
    parts of a log first: platform wire hexxagon.jsonl.1 hexxagon.jsonl
    """
    # Imported here because it is slow to load, and other commands do not need it.
    from ludothek.wire.rendering import render

    directions = [name for name, wants in (("in", heard), ("out", said)) if wants]
    selection = Selection(directions=directions, **wanted)
    with suppress(KeyboardInterrupt):
        for entry in _entries(files, following):
            if not selection.wants(entry):
                continue
            for line in (_raw(entry),) if raw else render(entry, pretty=pretty):
                click.echo(line)


def _entries(files: Sequence[Path], following: bool) -> Iterator[Entry]:
    for path in files:
        last = path is files[-1] and path != STDIN
        try:
            for line in follow(path) if following and last else lines_of(path):
                yield read_line(line)
        except OSError as error:
            raise click.ClickException(f"{path}: {error.strerror or error}") from None


def _raw(entry: Entry) -> str:
    # Also into a pipe: it ends at a terminal, or at a program that parses JSON.
    return printable(entry.line) if entry.broken else terminal_json.harmless(entry.line)
