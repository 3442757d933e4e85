"""Tables for people: rows of text in aligned columns."""

from collections.abc import Iterator, Sequence

from ludothek.contract.names import printable


def align(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """The rows as lines; control characters for the terminal are escaped."""
    cells = [[printable(cell) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    for row in cells:
        padded = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        yield "  ".join(padded).rstrip()
