"""Command lines of entrants: words, some of them with placeholders like {port}."""

import re
import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence

# A name in braces. Other braces, as in JSON, are left alone; {{ and }} stand for single ones.
_PLACEHOLDER = re.compile(r"\{\{|\}\}|\{(\w+)\}")


def split(text: str) -> tuple[str, ...]:
    """The words of a command line, as a shell understands its quotes; raises ValueError."""
    return tuple(shlex.split(text))


def placeholders(words: Iterable[str]) -> Iterator[str]:
    """The names in braces, known or not."""
    for word in words:
        yield from (found[1] for found in _PLACEHOLDER.finditer(word) if found[1])


def fill(words: Sequence[str], values: Mapping[str, object]) -> list[str]:
    """The words with values in place of placeholders."""

    def value(found: re.Match[str]) -> str:
        if found[1] is None:
            return found[0][0]
        return str(values.get(found[1], found[0]))

    return [_PLACEHOLDER.sub(value, word) for word in words]
