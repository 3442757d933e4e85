"""Tables for people: Markdown, drawings in SVG, and the marked places of a page they go to."""

from collections.abc import Iterable, Sequence
from html import escape
from pathlib import Path

import attrs

from bench.measure import Figure

BAR, GAP, LABELS, WIDTH, VALUES = 18, 8, 190, 420, 110
OURS, OTHERS = "#2a7f62", "#9aa5b1"


def table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A Markdown table, its first column left and the others right."""
    lines = [
        f"| {' | '.join(header)} |",
        f"|---|{'---:|' * (len(header) - 1)}",
        *(f"| {' | '.join(row)} |" for row in rows),
    ]
    return "\n".join(lines)


def number(value: float) -> str:
    """Three digits that count: 0.42, 4.21, 42.1, 421, 4,210."""
    if abs(value) >= 1000:
        return f"{float(f'{value:.3g}'):,.0f}"
    return f"{value:.0f}" if abs(value) >= 100 else f"{value:.3g}"


def spread(figure: Figure) -> str:
    """The median, and from where to where the values went."""
    if figure.least == figure.most:
        return number(figure.median)
    return f"{number(figure.median)} ({number(figure.least)} to {number(figure.most)})"


@attrs.frozen
class Bar:
    label: str
    figure: Figure
    ours: bool = False


def bars(title: str, unit: str, rows: Sequence[Bar]) -> str:
    """A drawing of horizontal bars; a thin line shows the spread."""
    top, step = 34, BAR + GAP
    height = top + step * len(rows) + GAP
    most = max(row.figure.most for row in rows) or 1
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{LABELS + WIDTH + VALUES}" '
        f'height="{height}" font-family="sans-serif" font-size="13">',
        '<rect width="100%" height="100%" fill="white"/>',
        f'<text x="8" y="20" font-weight="bold">{escape(title)}, {escape(unit)}</text>',
    ]
    for place, row in enumerate(rows):
        parts += _bar(row, top + place * step, WIDTH / most)
    return "\n".join([*parts, "</svg>\n"])


def _bar(row: Bar, y: float, scale: float) -> Iterable[str]:
    figure, middle = row.figure, y + BAR / 2
    length = max(0.0, figure.median) * scale
    left, right = (LABELS + max(0.0, end) * scale for end in (figure.least, figure.most))
    colour = OURS if row.ours else OTHERS
    yield f'<text x="{LABELS - 8}" y="{middle + 5}" text-anchor="end">{escape(row.label)}</text>'
    yield (
        f'<rect x="{LABELS}" y="{y}" width="{length:.1f}" height="{BAR}" fill="{colour}"/>'
        f'<path d="M{left:.1f} {middle}H{right:.1f}" stroke="black"/>'
    )
    end = max(LABELS + length, right)
    yield f'<text x="{end + 6:.1f}" y="{middle + 5}">{number(figure.median)}</text>'


def put(page: Path, mark: str, text: str) -> None:
    """Replace what stands between the marks ``<!-- mark -->`` and ``<!-- /mark -->`` of a page."""
    begin, end = f"<!-- {mark} -->\n", f"<!-- /{mark} -->"
    before, found, rest = page.read_text().partition(begin)
    _, closed, after = rest.partition(end)
    if not (found and closed):
        raise ValueError(f"{page} has no place marked {mark!r}")
    page.write_text(f"{before}{begin}{text.rstrip()}\n{closed}{after}")


def draw(page: Path, name: str, drawing: str) -> str:
    """Keep a drawing beside a page; returns the Markdown that shows it."""
    folder = page.parent / "figures"
    folder.mkdir(exist_ok=True)
    (folder / f"{name}.svg").write_text(drawing)
    return f"![{name}](figures/{name}.svg)"
