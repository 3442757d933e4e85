"""Findings as one HTML file that needs nothing else: no scripts, no files from elsewhere."""

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import Any

from ludothek.arena.findings import plots
from ludothek.arena.findings.findings import Findings
from ludothek.arena.findings.grids import Grid, grids, number, remarks

_STYLE = """
:root { color-scheme: light dark }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem }
table { border-collapse: collapse; margin: 0 0 1.5rem }
.wide { overflow-x: auto }
figure { margin: 0 }
caption, figcaption { text-align: left; font-weight: 600; padding: 0.3rem 0 }
th, td { padding: 0.15rem 0.6rem; text-align: right; border-bottom: 1px solid #8884 }
th.word, td.word { text-align: left }
svg { width: 100%; font: 12px system-ui, sans-serif; margin: 0 0 1.5rem; fill: currentColor }
svg .grid { stroke: #8884 } svg .whisker { stroke: #888; fill: none }
svg polyline { fill: none; stroke-width: 2 } svg rect { fill: none; stroke: #888 }
svg .winner { font-weight: 700 } svg circle { fill: #0072b2 }
"""

# Nothing is loaded, whatever names of entrants contain.
_POLICY = "default-src 'none'; style-src 'unsafe-inline'"


def poster(findings: Findings, games: Sequence[Mapping[str, Any]]) -> str:
    """The whole page."""
    title, *others = remarks(findings)
    parts = [f"<h1>{escape(findings.plan.title)}</h1>", f"<p>{escape(title)}</p>"]
    parts += [f"<p>{escape(each)}</p>" for each in others]
    first, *rest = grids(findings)
    parts += [_table(first), plots.ratings(findings), plots.bracket(findings)]
    parts += [plots.progress(findings, games), *map(_table, rest)]
    if games:
        shown = Grid("Games", _COLUMNS, [*_games(games)], words=len(_COLUMNS))
        parts.append(f"<details><summary>All games</summary>{_table(shown)}</details>")
    body = "\n".join(part for part in parts if part)
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{escape(_POLICY)}">'
        '<meta name="viewport" content="width=device-width">'
        f"<title>{escape(findings.plan.title)}</title><style>{_STYLE}</style></head>\n<body>"
        f"{body}</body></html>\n"
    )


_COLUMNS = ("game", "round", "players", "points", "result", "what happened", "record")


def _games(games: Sequence[Mapping[str, Any]]) -> Iterator[Sequence[str]]:
    for game in games:
        yield (
            str(game["number"]),
            str(game["round"]),
            ", ".join(game["seats"]),
            ", ".join("-" if points is None else str(points) for points in game["points"]),
            ", ".join(map(number, game["shares"])),
            " ".join(words for words in game["words"] if words),
            game["record"] or "",
        )


def _table(grid: Grid) -> str:
    head = "".join(_cell("th", n, text, grid) for n, text in enumerate(grid.head))
    rows = "".join(
        f"<tr>{''.join(_cell('td', n, text, grid) for n, text in enumerate(row))}</tr>\n"
        for row in grid.rows
    )
    return (
        f'<div class="wide"><table><caption>{escape(grid.title)}</caption><thead><tr>{head}</tr>'
        f"</thead><tbody>\n{rows}</tbody></table></div>"
    )


def _cell(tag: str, column: int, text: str, grid: Grid) -> str:
    kind = ' class="word"' if column < grid.words else ""
    return f"<{tag}{kind}>{escape(text)}</{tag}>"
