"""Match and team configurations in files: read with or without a container, written with one."""

from collections.abc import Iterator
from datetime import datetime
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any, TypeVar

import attrs
import orjson

from games.quidditch.codec.containers import timestamp, write_container
from games.quidditch.codec.frames import READER
from games.quidditch.messages import MatchConfig, TeamConfig, payload_type
from ludothek.contract.codec import CannotRead, camel_case, read_object
from ludothek.kit.files import read_small_file

# A pretty-printed team with its picture.
MAX_BYTES = 1024 * 1024

ROUNDS = range(13, 101)
DAY = 24 * 60 * 60 * 1000  # milliseconds

T = TypeVar("T", MatchConfig, TeamConfig)


class BadArtefact(ValueError):
    """A file is not ours, or something in it is wrong; the text says which and what."""


def load_match(path: Path) -> MatchConfig:
    """The match configuration in a file; raises BadArtefact."""
    return check_match(_load(path, MatchConfig), str(path))


def read_match(content: bytes, where: str) -> MatchConfig:
    """The match configuration in the content of a file; raises BadArtefact."""
    return check_match(read(content, MatchConfig, where), where)


def load_team(path: Path) -> TeamConfig:
    """The team configuration in a file; raises BadArtefact. The rules for teams are not checked."""
    return _load(path, TeamConfig)


@cache
def standard_match() -> MatchConfig:
    """The match that is played when nobody has chosen another one."""
    return read_match(_built_in("match.json"), "match.json")


@cache
def standard_team() -> TeamConfig:
    """The team of a computer player that was not given one."""
    return read(_built_in("team.json"), TeamConfig, "team.json")


def _built_in(name: str) -> bytes:
    return (resources.files("games.quidditch") / "files" / name).read_bytes()


def write(config: MatchConfig | TeamConfig, date: datetime) -> bytes:
    """A file for people to read and change."""
    container = orjson.loads(write_container(timestamp(date), config))
    return orjson.dumps(container, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)


def read(content: bytes, kind: type[T], where: str) -> T:
    """A configuration from a file's content; raises BadArtefact."""
    name = payload_type(kind)
    try:
        value = read_object(content.removeprefix(b"\xef\xbb\xbf"))  # the byte order mark of Windows
        return READER.read(name, _payload(value, name))  # type: ignore[no-any-return]
    except CannotRead as error:
        raise BadArtefact(f"{where}: {error}") from None


def _load(path: Path, kind: type[T]) -> T:
    try:
        content = read_small_file(path, MAX_BYTES)
    except (OSError, ValueError) as error:
        raise BadArtefact(f"{path}: {getattr(error, 'strerror', None) or error}") from None
    return read(content, kind, str(path))


def _payload(value: dict[str, Any], name: str) -> Any:
    """The content of the container, if there is one; the files of some teams have none."""
    if "payloadType" not in value:
        return value
    if value["payloadType"] != name:
        raise CannotRead(f"expected a {name}, not a {str(value['payloadType'])[:60]}")
    return value.get("payload")


def check_match(config: MatchConfig, where: str) -> MatchConfig:
    """The same; raises BadArtefact if a value is out of its range."""
    if config.max_rounds not in ROUNDS:
        raise _out_of_range(where, "maxRounds", f"{ROUNDS[0]} to {ROUNDS[-1]}", config.max_rounds)
    for name, value in _leaves(config.timings, "timings"):
        # Without any time nobody could ever do anything.
        least = 1 if name.endswith("Timeout") else 0
        if not least <= value <= DAY:
            raise _out_of_range(where, name, f"{least} to {DAY} milliseconds", value)
    for name, value in _leaves(config.probabilities, "probabilities"):
        if not 0 <= value <= 1:
            raise _out_of_range(where, name, "0 to 1", value)
    return config


def _out_of_range(where: str, name: str, right: str, value: float) -> BadArtefact:
    return BadArtefact(f"{where}: {name}: must be from {right}, not {value}")


def _leaves(record: attrs.AttrsInstance, path: str) -> Iterator[tuple[str, float]]:
    for field in attrs.fields(type(record)):
        name, value = f"{path}.{camel_case(field.name)}", getattr(record, field.name)
        if attrs.has(type(value)):
            yield from _leaves(value, name)
        else:
            yield name, value
