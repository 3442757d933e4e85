"""A TOML file: its values, and the lines they are in."""

import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import attrs

from ludothek.kit.files import read_small_file
from ludothek.settings.fields import SettingsError

# Room for thousands of hosts; a disk image named by mistake is refused, not read.
MAX_BYTES = 1024 * 1024

# The path to a value: keys, and indices in lists of tables.
Keys = tuple[str | int, ...]

_DOTTED = r"""((?:[\w-]+|"[^"]*"|'[^']*')(?:\s*\.\s*(?:[\w-]+|"[^"]*"|'[^']*'))*)"""
_LIST_HEADER = re.compile(rf"\s*\[\[\s*{_DOTTED}\s*\]\]")
_HEADER = re.compile(rf"\s*\[\s*{_DOTTED}\s*\]")
_KEY = re.compile(rf"\s*{_DOTTED}\s*=")
_PART = re.compile(r"""[\w-]+|"[^"]*"|'[^']*'""")
_LONG_QUOTES = re.compile(r'"""|' + r"'''")


@attrs.frozen
class TomlFile:
    """The content of a file, with line numbers."""

    path: Path
    values: dict[str, Any]
    _lines: Mapping[Keys, int]

    def where(self, *keys: str | int) -> str:
        """The file and, as precisely as it is known, the line of a value."""
        for length in range(len(keys), 0, -1):
            path = keys[:length]
            if line := self._lines.get(path) or self._lines.get((*path, 0)):  # the first of a list
                return f"{self.path}:{line}"
        return str(self.path)


def read(path: Path) -> TomlFile:
    """Read a file.

    Raises:
      SettingsError: it cannot be read, or is not TOML; the text says where.
    """
    try:
        text = _decode(read_small_file(path, MAX_BYTES))
        return TomlFile(path, tomllib.loads(text), dict(reversed(list(_locate(text)))))
    except OSError as error:
        raise SettingsError(f"{path}: {error.strerror or error}") from None
    except RecursionError:
        raise SettingsError(f"{path}: not TOML that makes sense: nested too deeply") from None
    except ValueError as error:
        raise SettingsError(f"{path}: not TOML: {error}") from None


def _decode(content: bytes) -> str:
    try:
        return content.decode("utf-8-sig")  # some editors write a byte order mark
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        byte = content[error.start]
        raise ValueError(f"byte 0x{byte:02x} in line {line} is not UTF-8") from None


def _locate(text: str) -> Iterator[tuple[Keys, int]]:
    """Every header and key with its line; good enough for files written by hand."""
    table: Keys = ()
    counts: dict[Keys, int] = {}
    in_long_text = False
    for number, line in enumerate(text.splitlines(), 1):
        inside = in_long_text
        in_long_text ^= len(_LONG_QUOTES.findall(line)) % 2 == 1
        if inside:
            continue
        if found := _LIST_HEADER.match(line):
            name = _resolve(_parts(found), counts)
            counts[name] = counts.get(name, -1) + 1
            table = (*name, counts[name])
            yield table, number
        elif found := _HEADER.match(line):
            table = _resolve(_parts(found), counts)
            yield table, number
        elif found := _KEY.match(line):
            parts = _parts(found)
            for length in range(1, len(parts) + 1):
                yield (*table, *parts[:length]), number


def _parts(found: re.Match[str]) -> tuple[str, ...]:
    return tuple(part.strip("\"'") for part in _PART.findall(found[1]))


def _resolve(parts: tuple[str, ...], counts: Mapping[Keys, int]) -> Keys:
    """The path to a table; within a list of tables, to the latest one."""
    way: Keys = ()
    for part in parts[:-1]:
        way = (*way, part)
        if way in counts:
            way = (*way, counts[way])
    return (*way, parts[-1])
