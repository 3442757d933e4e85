"""Small drawings in SVG: bars with their spread, and curves over powers of ten."""

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from math import log10

import attrs

from bench.measure import Figure

BAR, GAP, LABELS, WIDTH, VALUES = 18, 8, 190, 420, 110
TOP = 34
OURS, OTHERS = "#2a7f62", "#9aa5b1"
COLOURS = (OURS, "#b1543c", "#4a6fa5", "#8a6d3b", "#6b4e8a")

HEIGHT, MARGIN = 240, 60


def number(value: float) -> str:
    """Three significant digits: 0.42, 4.21, 42.1, 421, 4,210."""
    if abs(value) >= 1000:
        return f"{float(f'{value:.3g}'):,.0f}"
    return f"{value:.0f}" if abs(value) >= 100 else f"{value:.3g}"


@attrs.frozen
class Bar:
    label: str
    figure: Figure
    ours: bool = False


def bars(title: str, rows: Sequence[Bar]) -> str:
    """Horizontal bars; a thin line shows the spread."""
    most = max(row.figure.most for row in rows) or 1
    step = BAR + GAP
    parts = [
        part
        for place, row in enumerate(rows)
        for part in _bar(row, TOP + place * step, WIDTH / most)
    ]
    return _picture(title, LABELS + WIDTH + VALUES, TOP + step * len(rows) + GAP, parts)


def _bar(row: Bar, y: float, scale: float) -> Iterable[str]:
    figure, middle = row.figure, y + BAR / 2
    length = max(0.0, figure.median) * scale
    left, right = (LABELS + max(0.0, end) * scale for end in (figure.least, figure.most))
    colour = OURS if row.ours else OTHERS
    yield f'<text x="{LABELS - 8}" y="{middle + 5}" text-anchor="end">{escape(row.label)}</text>'
    yield f'<rect x="{LABELS}" y="{y}" width="{length:.1f}" height="{BAR}" fill="{colour}"/>'
    yield f'<path d="M{left:.1f} {middle}H{right:.1f}" stroke="black"/>'
    end = max(LABELS + length, right)
    yield f'<text x="{end + 6:.1f}" y="{middle + 5}">{number(figure.median)}</text>'


def curves(title: str, across: str, lines: Mapping[str, Mapping[int, float]]) -> str:
    """Lines from zero up, over a logarithmic scale."""
    points = [point for line in lines.values() for point in line]
    low, high = log10(min(points)), log10(max(points))
    most = max(value for line in lines.values() for value in line.values()) or 1

    def place(x: float, y: float) -> tuple[float, float]:
        along = (log10(x) - low) / ((high - low) or 1)
        return MARGIN + along * WIDTH, TOP + HEIGHT * (1 - max(0.0, y) / most)

    parts = [
        f'<path d="M{MARGIN} {TOP}V{TOP + HEIGHT}H{MARGIN + WIDTH}" stroke="black" fill="none"/>',
        f'<text x="{MARGIN - 6}" y="{TOP + 5}" text-anchor="end">{number(most)}</text>',
        f'<text x="{MARGIN - 6}" y="{TOP + HEIGHT + 5}" text-anchor="end">0</text>',
        f'<text x="{MARGIN + WIDTH}" y="{TOP + HEIGHT + 36}" text-anchor="end">'
        f"{escape(across)}</text>",
    ]
    for x in sorted(set(points)):
        left, _ = place(x, 0)
        parts.append(
            f'<text x="{left:.1f}" y="{TOP + HEIGHT + 18}" text-anchor="middle">{number(x)}</text>'
        )
    for (name, line), colour in zip(lines.items(), COLOURS, strict=False):
        parts += _curve(name, [place(x, y) for x, y in line.items()], colour)
    return _picture(title, MARGIN + WIDTH + VALUES + 80, TOP + HEIGHT + 44, parts)


def _curve(name: str, points: Sequence[tuple[float, float]], colour: str) -> Iterable[str]:
    path = "L".join(f"{x:.1f} {y:.1f}" for x, y in points)
    yield f'<path d="M{path}" stroke="{colour}" stroke-width="2" fill="none"/>'
    for x, y in points:
        yield f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>'
    x, y = points[-1]
    yield f'<text x="{x + 8:.1f}" y="{y + 5:.1f}" fill="{colour}">{escape(name)}</text>'


def _picture(title: str, width: float, height: float, parts: Iterable[str]) -> str:
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        'font-family="sans-serif" font-size="13">',
        '<rect width="100%" height="100%" fill="white"/>',
        f'<text x="8" y="20" font-weight="bold">{escape(title)}</text>',
        *parts,
        "</svg>",
    ]
    return "\n".join(lines) + "\n"
