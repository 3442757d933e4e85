"""Command lines of entrants: words, some of them with placeholders like {port}."""

import os
import re
import shlex
import shutil
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from ludothek.settings.fields import nearest

# A name in braces. Other braces, as in JSON, are left alone; {{ and }} stand for single ones.
_PLACEHOLDER = re.compile(r"\{\{|\}\}|\{(\w+)\}")


def split(text: str) -> tuple[str, ...]:
    """The words of a command line, as a shell understands its quotes; raises ValueError."""
    return tuple(shlex.split(text))


def placeholders(words: Iterable[str]) -> Iterator[str]:
    """The names in braces, known or not."""
    for word in words:
        yield from (found[1] for found in _PLACEHOLDER.finditer(word) if found[1])


def unknown_words(words: Iterable[str], known: Collection[str]) -> Iterator[str]:
    """What is wrong with names in braces that stand for nothing."""
    for name in dict.fromkeys(placeholders(words)):
        if name not in known:
            yield f"{{{name}}} is unknown{nearest(name, known)}"


def unusable(program: str, folder: Path) -> str | None:
    """Why a program cannot be started, or None."""
    if "/" not in program:
        return None if shutil.which(program) else f"there is no program {program!r}"
    path = folder / program
    if not path.exists():
        return f"there is no file {short(path)}"
    if not path.is_file() or not os.access(path, os.X_OK):
        return f"{short(path)} cannot be executed"
    return None


def short(path: Path) -> str:
    return str(Path(os.path.normpath(path)))


def fill(words: Sequence[str], values: Mapping[str, object]) -> list[str]:
    """The words with values in place of placeholders."""

    def value(found: re.Match[str]) -> str:
        if found[1] is None:
            return found[0][0]
        return str(values.get(found[1], found[0]))

    return [_PLACEHOLDER.sub(value, word) for word in words]
