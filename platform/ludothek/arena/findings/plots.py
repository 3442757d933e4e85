"""Plots as SVG, drawn without any library: they are part of the page."""

from collections.abc import Iterator, Mapping, Sequence
from html import escape

from ludothek.arena.findings.findings import Findings
from ludothek.arena.findings.grids import number
from ludothek.arena.formats.knockout import Duel

WIDTH = 720

# Colours that people with colour blindness tell apart; with more entrants they come again.
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#7f7f7f", "#000000")

_ROW, _LEFT = 24, 200

# Beside the lines of the progress, for names.
_LEGEND = 220

# How wide a letter usually is; longer texts are compressed.
_LETTER = 7.0


def ratings(findings: Findings) -> str:
    """Each entrant's rating with its error of 95 %."""
    rated = [
        (standing.name, standing.rating, standing.error)
        for standing in findings.standings
        if standing.rating is not None and standing.error is not None
    ]
    if not rated:
        return ""
    low = min(rating - error for _, rating, error in rated)
    high = max(rating + error for _, rating, error in rated)
    span = (high - low) or 1.0

    def x(value: float) -> float:
        return _LEFT + 10 + (WIDTH - _LEFT - 30) * (value - low) / span

    parts = []
    for row, (name, rating, error) in enumerate(rated):
        y = _ROW * row + 16
        left, right = x(rating - error), x(rating + error)
        parts.append(
            f'<text x="{_LEFT - 6}" y="{y + 4}" text-anchor="end"'
            f"{_fitted(name, _LEFT - 10)}>{escape(name)}</text>"
            f'<path d="M{left:.1f} {y}H{right:.1f}M{left:.1f} {y - 4}v8M{right:.1f} {y - 4}v8" '
            f'class="whisker"/><circle cx="{x(rating):.1f}" cy="{y}" r="4">'
            f"<title>{escape(name)}: {rating:.0f} ± {error:.0f}</title></circle>"
        )
    bottom = _ROW * len(rated) + 8
    for value in _ticks(low, high):
        parts.append(
            f'<path d="M{x(value):.1f} 4V{bottom}" class="grid"/>'
            f'<text x="{x(value):.1f}" y="{bottom + 14}" text-anchor="middle">{value:g}</text>'
        )
    return _svg(bottom + 20, "Ratings with their errors", parts)


def progress(findings: Findings, games: Sequence[Mapping[str, object]]) -> str:
    """The share of the points that each entrant has got, game by game."""
    points: dict[str, list[float]] = {name: [] for name in findings.plan.names}
    for game in games:
        seats, shares = game["seats"], game["shares"]
        if isinstance(seats, list) and isinstance(shares, list):
            for name, share in zip(seats, shares, strict=True):
                if name in points:
                    before = points[name]
                    before.append((before[-1] if before else 0.0) + float(share))
    longest = max(map(len, points.values()), default=0)
    if longest < 2:
        return ""
    height = 240
    parts = []
    for part in (0.0, 0.25, 0.5, 0.75, 1.0):
        y = 10 + (1 - part) * height
        parts.append(
            f'<path d="M40 {y:.1f}H{WIDTH - _LEGEND}" class="grid"/>'
            f'<text x="34" y="{y + 4:.1f}" text-anchor="end">{part:g}</text>'
        )
    for index, standing in enumerate(findings.standings):
        sums = points[standing.name]
        if not sums:
            continue
        colour = COLOURS[index % len(COLOURS)]
        every = max(1, len(sums) // 400)  # more points than pixels help nobody
        step = (WIDTH - 40 - _LEGEND) / longest
        line = " ".join(
            f"{40 + step * n:.1f},{10 + (1 - sums[n - 1] / n) * height:.1f}"
            for n in (*range(1, len(sums), every), len(sums))
        )
        label = 16 + 15 * index
        parts.append(
            f'<polyline points="{line}" stroke="{colour}"><title>{escape(standing.name)}</title>'
            f'</polyline><text x="{WIDTH - _LEGEND + 10}" y="{label}" fill="{colour}"'
            f"{_fitted(standing.name, _LEGEND - 10)}>{escape(standing.name)}</text>"
        )
    tall = max(height + 24, 24 + 15 * len(findings.standings))
    return _svg(tall, "Share of the points, game by game", parts)


def bracket(findings: Findings) -> str:
    """The duels of a knock-out, round by round."""
    if not findings.bracket:
        return ""
    rounds = max(duel.round for duel in findings.bracket)
    first = sum(duel.round == 1 for duel in findings.bracket)
    height, wide = 56 * first + 10, WIDTH / rounds
    parts: list[str] = []
    for duel in findings.bracket:
        step = height / (first / 2 ** (duel.round - 1))
        x, y = (duel.round - 1) * wide + 4, (duel.place + 0.5) * step
        parts.extend(_duel(duel, findings.plan.names, x, y, wide - 20))
        if duel.round < rounds:
            following = (duel.place // 2 + 0.5) * step * 2
            parts.append(
                f'<path d="M{x + wide - 20:.1f} {y:.1f}h8V{following:.1f}h8" class="whisker"/>'
            )
    return _svg(height, "Bracket", parts)


def _duel(duel: Duel, names: Sequence[str], x: float, y: float, width: float) -> Iterator[str]:
    for row, (entrant, points) in enumerate(zip(duel.entrants, duel.points, strict=True)):
        top = y - 20 + 20 * row
        bye = duel.round == 1 and entrant is None
        text = ("bye" if bye else "…") if entrant is None else names[entrant]
        bold = ' class="winner"' if entrant is not None and entrant == duel.winner else ""
        yield f'<rect x="{x:.1f}" y="{top:.1f}" width="{width:.1f}" height="20"/>'
        fitted = _fitted(text, width - 50)
        yield f'<text x="{x + 6:.1f}" y="{top + 14:.1f}"{bold}{fitted}>{escape(text)}</text>'
        if None not in duel.entrants:
            yield (
                f'<text x="{x + width - 6:.1f}" y="{top + 14:.1f}" text-anchor="end"{bold}>'
                f"{number(points)}</text>"
            )


def _fitted(text: str, width: float) -> str:
    """What makes a text as narrow as that, if it would be wider."""
    if len(text) * _LETTER <= width:
        return ""
    return f' textLength="{width:.0f}" lengthAdjust="spacingAndGlyphs"'


def _ticks(low: float, high: float) -> Iterator[float]:
    step = 10.0
    while (high - low) / step > 8:
        step *= 2.5 if str(step)[0] == "2" else 2
    value = step * -(-low // step)
    while value <= high:
        yield value
        value += step


def _svg(height: float, title: str, parts: Sequence[str]) -> str:
    return (
        f"<figure><figcaption>{escape(title)}</figcaption>"
        f'<svg viewBox="0 0 {WIDTH} {height:.0f}" role="img" aria-label="{escape(title)}">'
        f"{''.join(parts)}</svg></figure>"
    )
