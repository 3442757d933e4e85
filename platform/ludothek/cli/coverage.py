"""platform ctl coverage: which parts of their protocols clients have used, and which never."""

import csv
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import click

from ludothek.cli.columns import align
from ludothek.cli.console import Console, form, pass_console, table, where
from ludothek.contract.names import printable
from ludothek.control.coverage import status

# The kinds of items, and what clients call their own counts of them.
KINDS = {"message": "messages", "field": "fields", "answer": "answers", "clause": "clauses"}

COLUMNS = ("kind", "item", "count", "clients", "status")

# What makes a spreadsheet take a text for a formula: at the beginning of a cell, or after a
# semicolon, which separates cells where decimals have a comma, whatever quotes are around it.
FORMULA = re.compile(r"(^|;)(?=\s*[=+@\uff1d\uff0b\uff20\uff0d-])")


@click.command("coverage")
@click.option("--game", metavar="GAME", help="Only this game.")
@click.option("--csv", "as_csv", is_flag=True, help="A line for each client and item.")
@where
@form
@pass_console
def show_coverage(console: Console, game: str | None, as_csv: bool) -> None:
    """Show which messages, fields, answers and clauses clients have used so far.

    Counts start with the daemon. A client keeps a clause if it has sent a message to which the
    clause applies and has never broken it.
    """
    if as_csv and console.json:
        raise click.UsageError("--csv or --json, not both")
    answer = console.ask("GET", "coverage", query={"game": game} if game else {})
    if as_csv:
        writer = csv.writer(sys.stdout, lineterminator="\n")
        writer.writerow(("game", "client", "kind", "item", "count", "status"))
        writer.writerows(row for each in answer for row in _csv_rows(each))
        return
    console.show(answer, (line for each in answer for line in _lines(each)))


def _csv_rows(coverage: Mapping[str, Any]) -> Iterator[Sequence[Any]]:
    for client in coverage["clients"]:
        for item in coverage["items"]:
            count = _count(client, item)
            yield (
                coverage["game"],
                _cell(client["name"]),
                *(item["kind"], item["item"], count or 0, status(item["kind"], count)),
            )


def _count(client: Mapping[str, Any], item: Mapping[str, Any]) -> int | None:
    found: int | None = client[KINDS[item["kind"]]].get(item["item"])
    return found


def _cell(name: str) -> str:
    return FORMULA.sub(r"\1'", printable(name))


def _lines(coverage: Mapping[str, Any]) -> Iterator[str]:
    yield f"{coverage['game']}: {len(coverage['clients'])} names of clients"
    yield ""
    yield from table(COLUMNS, coverage["items"])
    yield ""
    if coverage["clients"]:
        yield from _matrix(coverage)
        yield ""


def _matrix(coverage: Mapping[str, Any]) -> Iterator[str]:
    """A line for each name: what it has sent and what never, and its clauses."""
    requests = [each["item"] for each in coverage["items"] if each["kind"] == "message"]
    everything = sum(each["kind"] == "clause" for each in coverage["items"])
    rows = [("CLIENT", "CONNECTIONS", "KEPT", "BROKEN", "NOT REACHED", "NEVER SENT")]
    for client in coverage["clients"]:
        broken = sum(count > 0 for count in client["clauses"].values())
        reached = len(client["clauses"])
        numbers = (client["connections"], reached - broken, broken, everything - reached)
        never = [each for each in requests if each not in client["messages"]]
        rows.append((client["name"], *map(str, numbers), ", ".join(never) or "-"))
    yield from align(rows)
