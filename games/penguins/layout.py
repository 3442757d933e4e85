"""XML in the layout of the original server, on which real clients rely to the byte."""

from collections.abc import Iterator

from ludothek.contract.frozen import frozen

INDENT = "  "

_ESCAPES = str.maketrans(
    {
        "&": "&amp;",
        "<": "&lt;",
        ">": "&gt;",
        '"': "&quot;",
        "'": "&apos;",
        "\t": "&#x9;",
        "\n": "&#xa;",
        "\r": "&#xd;",
    }
)


@frozen
class Tag:
    """An element with children, or with text, or with neither."""

    name: str
    attributes: tuple[tuple[str, str], ...] = ()
    children: tuple["Tag", ...] = ()
    text: str = ""


def escape(text: str) -> str:
    return text.translate(_ESCAPES)


def layout(tag: Tag, level: int = 1) -> str:
    """The element on indented lines, without a line break at either end."""
    return "\n".join(_lines(tag, INDENT * level))


def _lines(tag: Tag, indent: str) -> Iterator[str]:
    attributes = "".join(f' {name}="{escape(value)}"' for name, value in tag.attributes)
    if tag.children:
        yield f"{indent}<{tag.name}{attributes}>"
        for child in tag.children:
            yield from _lines(child, indent + INDENT)
        yield f"{indent}</{tag.name}>"
    elif tag.text:
        yield f"{indent}<{tag.name}{attributes}>{escape(tag.text)}</{tag.name}>"
    else:
        yield f"{indent}<{tag.name}{attributes}/>"
