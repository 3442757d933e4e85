"""Rendering a wire log for people."""

import json
from collections.abc import Iterable
from xml.etree import ElementTree

import click

from ludothek.contract.names import printable
from ludothek.wire.reading import Entry

# From the client to us, from us to the client; or neither.
ARROWS = {"in": ("→", "green"), "out": ("←", "cyan")}
NOTE = ("·", "yellow")

LONGEST_LOBBY = 12


def render(entry: Entry, *, pretty: bool) -> Iterable[str]:
    """The entry as one line, or with its frame pretty-printed; coloured for a terminal."""
    if entry.time is None:
        yield click.style(f"? {printable(entry.line)}", fg="red")
        return
    when = entry.time.replace(tzinfo=None).isoformat(" ", "milliseconds")
    arrow, colour = ARROWS.get(entry.direction or "", NOTE)
    head = f"{click.style(when, dim=True)} {printable(_who(entry))} "
    lines = spread(entry.text) if pretty and entry.direction else None
    if lines is None:
        yield head + click.style(f"{arrow} {printable(entry.text)}", fg=colour)
        return
    yield head + click.style(arrow, fg=colour)
    for line in lines:
        yield click.style(f"    {printable(line)}", fg=colour)


def _who(entry: Entry) -> str:
    words = [f"#{entry.client}" if entry.client else "log"]
    if entry.name:
        words.append(entry.name)
    if entry.lobby:
        short = len(entry.lobby) <= LONGEST_LOBBY
        words.append(f"[{entry.lobby if short else entry.lobby[: LONGEST_LOBBY - 1] + '…'}]")
    return " ".join(words)


def spread(frame: str) -> list[str] | None:
    """JSON or XML with every value on a line of its own; None if it is neither."""
    try:
        if frame.lstrip().startswith("<"):
            return _spread_xml(frame)
        return json.dumps(json.loads(frame), ensure_ascii=False, indent=2).splitlines()
    except (ValueError, RecursionError, ElementTree.ParseError):
        return None


def _spread_xml(frame: str) -> list[str]:
    if frame.lstrip()[:2] in ("<!", "<?"):
        raise ValueError("more than an element: it might declare entities")
    builder = ElementTree.TreeBuilder(insert_comments=True)
    parser = ElementTree.XMLParser(target=builder)
    parser.feed(frame)
    root = parser.close()
    ElementTree.indent(root)
    # Without the space, as it was sent; values and text contain no unescaped brackets.
    return ElementTree.tostring(root, encoding="unicode").replace(" />", "/>").splitlines()
