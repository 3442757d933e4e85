"""The files of match records in the state directory: their names, and which ones are kept."""

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from functools import cache
from pathlib import Path

from ludothek.contract.effects import Save
from ludothek.contract.keeping import Claim, Room
from ludothek.storage.file_names import file_name

FOLDER = "matches"
ENDING = "match"

# Digits that stand for an address: so few that a million addresses share the same ones.
SIGN = 3

# Names that an error message lists.
MOST_NAMED = 5

_NAME = re.compile(
    rf"[\d-]{{22}}_([^_]+)_((?:[0-9a-f]{{{SIGN}}}-?)*)_(?:([a-z2-7]{{10}})_)?.*\.{ENDING}"
)


def match_name(date: datetime, game: str, lobby: str, origins: Iterable[str], match_id: str) -> str:
    """A name that sorts by time, and tells games, addresses and matches apart."""
    tags = [hashlib.sha256(each.encode()).hexdigest()[:SIGN] for each in sorted({*origins})[:4]]
    stem = f"{date:%Y%m%d-%H%M%S-%f}_{word_for(game)}_{'-'.join(tags)}_{match_id}_{lobby}"
    return f"{file_name(stem)}.{ENDING}"


def id_of(name: str) -> str:
    """What identifies the match in the record of this name: its id, or else the whole name."""
    found = _NAME.fullmatch(name)
    return (found[3] if found else None) or name.removesuffix(f".{ENDING}")


def match_claim(name: str) -> Claim:
    """Each address has its share."""
    found = _NAME.fullmatch(name)
    return Claim((tuple(filter(None, found[2].split("-"))),)) if found else Claim()


def word_for(game: str) -> str:
    """The name of a game in the name of a file, where underscores separate."""
    return game.replace("_", "-")


def word_of(name: str) -> str:
    """The word for the game whose record a file of this name is; empty if it is none."""
    found = _NAME.fullmatch(name)
    return found[1] if found else ""


def match_file(name: str, content: Callable[[], bytes], *, files: int, megabytes: int) -> Save:
    """A record to be kept as long as there is room for so many of its game."""
    room = Room(
        files=files,
        bytes=megabytes * 1024 * 1024,
        claim=match_claim,
        counts=_is_of(word_of(name)),
    )
    return Save(FOLDER, name, content, room)


@cache  # rooms are compared
def _is_of(word: str) -> Callable[[str], bool]:
    return lambda name: word_of(name) == word


def newest_first(state: Path) -> Iterator[Path]:
    """The records in a state directory."""
    found = (state / FOLDER).glob(f"[0-9]*.{ENDING}")
    newest = sorted(found, key=lambda path: path.name, reverse=True)
    yield from filter(_is_readable, newest)


def _is_readable(path: Path) -> bool:
    """Whether reading it comes to an end: whoever opens a pipe waits for its writer."""
    return not path.is_fifo()


class NoSuchFile(Exception):
    """A name that stands for no file, or for several; the text says which."""


def find_file(name: str, folders: Iterable[Path]) -> Path:
    """The file of this path, or the only one in these folders whose name begins like this.

    Raises:
      NoSuchFile: there is none, or more than one.
    """
    path = Path(name)
    if path.is_file():
        return path
    files = [each for folder in folders if folder.is_dir() for each in folder.iterdir()]
    found = [each for each in files if each.name.startswith(name) and name and _is_readable(each)]
    exact = [each for each in found if each.name in (name, f"{name}.{ENDING}")]
    match exact or found:
        case [only]:
            return only
        case []:
            raise NoSuchFile(f"there is no record {name}")
        case many:
            some = ", ".join(sorted(each.name for each in many)[:MOST_NAMED])
            raise NoSuchFile(f"{len(many)} records begin with {name}: {some}")
