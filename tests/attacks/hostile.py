"""Messages of maximal size that are expensive to handle, derived from the message classes.

No matter what a class is called and holds: each part of it is replaced by everything that
JSON can express and that takes long to read, to compare, to quote or to complain about.
"""

import enum
import functools
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from functools import partial
from itertools import islice
from types import NoneType
from typing import Any, get_args, get_origin

import attrs
import orjson

from games.hexxagon import messages as hexxagon
from games.quidditch import messages as quidditch
from games.qwirkle import messages as qwirkle
from games.qwirkle.configuration import Milliseconds
from games.roborally import messages as roborally
from games.roborally.codec import wire_name
from ludothek.contract.codec import camel_case
from tests.games.quidditch.moments import picture

KIB = 1024
MAX_SIZE = 512 * KIB

HERE = "@@"
SNAPSHOT = orjson.loads(quidditch.Snapshot(picture({})).payload)
DATE = "Jul 15, 2019 1:46:54 PM"


def _fill(unit: bytes, room: int, before: bytes = b"[", after: bytes = b"]") -> bytes:
    times = (room - len(before + after)) // (len(unit) + 1)
    return before + ((unit + b",") * times)[:-1] + after


def _nest(opening: bytes, closing: bytes, depth: int) -> bytes:
    return opening * depth + b"0" + closing * depth


@functools.cache
def _members(count: int) -> list[bytes]:
    return [b'"%x":0' % n for n in range(count)]


def _keys(room: int) -> bytes:
    return b"{" + b",".join(_members(MAX_SIZE // 9)[: room // 9]) + b"}"


FILLERS: dict[str, Callable[[int], bytes]] = {
    "text": lambda room: b'"%b"' % (b"a" * (room - 2)),
    "wide text": lambda room: b'"%b%b"' % ("\U0001f600".encode(), b"a" * (room - 6)),
    "control signs": lambda room: b'"%b"' % (b"\\u0001" * (room // 6 - 1)),
    "quotes": lambda room: b'"%b"' % (b'\\"' * (room // 2 - 1)),
    "half characters": lambda room: b'"%b"' % (b"\\ud800" * (room // 6 - 1)),
    "backslashes": lambda room: b'"%b\\ud800"' % (b"\\\\" * (room // 2 - 5)),
    "no UTF-8": lambda room: b'"%b"' % (b"\xff" * (room - 2)),
    "digits": lambda room: b"9" * room,
    "digits as text": lambda room: b'"%b"' % (b"9" * (room - 2)),
    "numbers": lambda room: _fill(b"1", room),
    "fractions": lambda room: _fill(b"1.5", room),
    "texts": lambda room: _fill(b'"a"', room),
    "accents": lambda room: _fill('"é"'.encode(), room),
    "lists": lambda room: _fill(b"[]", room),
    "objects": lambda room: _fill(b"{}", room),
    "objects in objects": lambda room: _fill(b'{"":{"":{"":{}}}}', room),
    "lists in lists": lambda room: _fill(b"[[[]]]", room),
    "keys": _keys,
    "long key": lambda room: b'{"%b":0}' % (b"a" * (room - 6)),
    "deep lists": lambda room: _nest(b"[", b"]", min(1000, room // 2 - 1)),
    "deep objects": lambda room: _nest(b'{"a":', b"}", min(1000, room // 6 - 1)),
    "too deep": lambda room: _nest(b'{"a":', b"}", room // 6 - 1),
    "braces": lambda room: b"{" * room,
    "opened and closed": lambda room: b"{}" * (room // 2),
    "commas": lambda room: b"," * room,
}


@attrs.frozen
class Talk:
    """How the messages of one JSON game are built."""

    classes: Mapping[str, type]
    requests: set[str]
    size: int
    wrap: Callable[[str, Any], Any]
    rename: Callable[[str], str] = camel_case
    read: set[str] = attrs.field(kw_only=True)  # requests that are read at that size

    @read.default
    def _all_requests(self) -> set[str]:
        return self.requests

    def frames(self) -> Iterator[tuple[str, bytes]]:
        """All hostile messages, each with a description."""
        for what, fill in FILLERS.items():
            yield f"nothing but {what}", self.put(HERE, fill)
        for name, cls in self.classes.items():
            body = self.example(cls)
            # Other messages are not read at all: a few fillers in a few places show it.
            fillers, places = (FILLERS, None) if name in self.read else (_FEW, 3)
            for path, holed in islice(_holes(self.wrap(name, body)), places):
                # Nor does every cell of a board need every one of them.
                for what, fill in (fillers if path.count(".") < 4 else _FEW).items():
                    yield f"{name}{path}: {what}", self.put(holed, fill)
            extra = self.wrap(name, {**body, "unheardOf": HERE})
            for what, fill in fillers.items():
                yield f"{name} and {what}", self.put(extra, fill)
            for path, holed, item in _lists(self.wrap(name, body)):
                for end in (b"]", b",null]"):
                    what = f"{name}{path}: long, with {end!r}"
                    yield what, self.put(holed, partial(_fill, item, after=end))

    def put(self, holed: Any, fill: Callable[[int], bytes]) -> bytes:
        frame = orjson.dumps(holed)
        hole = orjson.dumps(HERE)
        return frame.replace(hole, fill(self.size - len(frame)))

    def example(self, kind: Any) -> Any:
        """A valid value of that type, as on the wire."""
        if kind in _EXAMPLES:
            return _EXAMPLES[kind]
        if attrs.has(kind):
            fields = attrs.fields(kind)
            return {self.rename(field.name): self.example(field.type) for field in fields}
        if isinstance(kind, type) and issubclass(kind, enum.Enum):
            return next(iter(kind)).value
        parts = [part for part in get_args(kind) if part is not NoneType]
        if get_origin(kind) is list:
            return [self.example(parts[0])]
        if get_origin(kind) is dict:
            return {}
        return self.example(parts[0])


_FEW = {name: FILLERS[name] for name in ("text", "texts", "objects", "keys", "deep objects")}

_EXAMPLES: dict[Any, Any] = {
    str: "abc",
    int: 1,
    float: 0.5,
    bool: True,
    Any: 1,
    datetime: DATE,
    hexxagon.Uuid: hexxagon.NIL,
    hexxagon.Tile: "TILE_1",
    hexxagon.Board: {"tiles": {}},
    Milliseconds: 1,
    quidditch.Snapshot: SNAPSHOT,
    quidditch.Contained: {},
}


def _holes(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """The value once for each part of it, with a hole in place of that part."""
    if isinstance(value, dict):
        for key, part in value.items():
            yield f"{path}.{key}", value | {key: HERE}
            for place, holed in _holes(part, f"{path}.{key}"):
                yield place, value | {key: holed}
    elif isinstance(value, list) and value:
        yield f"{path}[]", [HERE]
        for place, holed in _holes(value[0], f"{path}[]"):
            yield place, [holed]


def _lists(value: Any) -> Iterator[tuple[str, Any, bytes]]:
    """The value once for each list in it, with a hole in place of the list; and its item."""
    holes = dict(_holes(value))
    for path in holes:
        if path.endswith("[]") and path.count("[]") == 1:
            outer = path.removesuffix("[]")
            yield outer, holes[outer], orjson.dumps(_at(value, path))


def _at(value: Any, path: str) -> Any:
    for step in path.replace("[]", ".[]").split(".")[1:]:
        value = value[0] if step == "[]" else value[step]
    return value


JSON_TALK = {
    "hexxagon": Talk(
        hexxagon.MESSAGES,
        hexxagon.REQUESTS,
        64 * KIB,
        lambda name, body: {"messageType": name, **body},
    ),
    "quidditch": Talk(
        quidditch.MESSAGES,
        quidditch.REQUESTS,
        MAX_SIZE,
        lambda name, body: {"payloadType": name, "payload": body},
        read={"teamConfig"},  # which has a picture
    ),
    "qwirkle": Talk(
        {str(number): cls for number, cls in qwirkle.MESSAGES.items()},
        {str(number) for number in qwirkle.REQUESTS},
        64 * KIB,
        lambda name, body: {**body, "uniqueId": int(name)},
    ),
    "roborally": Talk(
        roborally.MESSAGES,
        roborally.REQUESTS,
        64 * KIB,
        lambda name, body: {"messageType": name, "messageBody": body},
        wire_name,
    ),
}
# Messages that need no picture are read only up to 64 KiB, but those completely.
JSON_TALK["quidditch, short"] = attrs.evolve(
    JSON_TALK["quidditch"], size=64 * KIB, read=quidditch.REQUESTS
)
