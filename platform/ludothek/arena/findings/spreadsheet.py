"""Standings as CSV, for spreadsheets."""

import csv
import io

import attrs

from ludothek.arena.findings.findings import Findings

COLUMNS = ("place", "name", "games", "points", "wins", "draws", "losses", "rating", "error")

# A spreadsheet takes cells that begin like this for formulas.
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def spreadsheet(findings: Findings) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    for standing in findings.standings:
        values = attrs.asdict(standing)
        name = values["name"]
        values["name"] = f"'{name}" if name.startswith(_FORMULA) else name
        writer.writerow(["" if values[key] is None else values[key] for key in COLUMNS])
    return text.getvalue()
