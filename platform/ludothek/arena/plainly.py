"""Tasks and outcomes as JSON, for other processes and for files."""

from typing import TypeVar

import cattrs.preconf.orjson

from ludothek.arena.outcome import Outcome
from ludothek.arena.task import Task

T = TypeVar("T", Task, Outcome)

_CONVERTER = cattrs.preconf.orjson.make_converter()


def to_json(thing: Task | Outcome) -> bytes:
    return _CONVERTER.dumps(thing)


def from_json(kind: type[T], text: bytes | str) -> T:
    return _CONVERTER.loads(text, kind)
