"""A frame as a line of the wire log."""

import json
import re
from base64 import b64encode
from datetime import datetime
from typing import Any, Literal

import orjson

from ludothek.wire.tap import Explained, Tapped

Direction = Literal["in", "out"]

OPTIONS = orjson.OPT_UTC_Z | orjson.OPT_APPEND_NEWLINE

# The value of a JSON key or an XML attribute of that name, even if it is unterminated.
PASSWORD = re.compile(
    rb"""
    ( "password" \s* : \s* | \s password \s* = \s* )
    ( " (?: [^"\\]++ | \\. )*+ "? | ' [^']* '? | [^\s,}\]>]+ )
    """,
    re.IGNORECASE | re.VERBOSE | re.DOTALL,
)
MASK = rb'\1"***"'


def frame_line(time: datetime, direction: Direction, client: Tapped, frame: bytes) -> bytes:
    """A line about a frame: who sent or received it, and where; passwords are masked."""
    frame = mask(frame)
    try:
        content = {"frame": frame.decode()}
    except UnicodeDecodeError:
        content = {"base64": b64encode(frame).decode()}
    return _dumps(_entry(time, client) | {"dir": direction, **content})


def note_line(time: datetime, text: str, client: Tapped | None = None, **facts: Any) -> bytes:
    """A line about anything else that happened to a client or to the log itself."""
    entry = {"time": time} if client is None else _entry(time, client)
    return _dumps(entry | {"note": text, **facts})


def breach_line(time: datetime, client: Tapped, explanation: Explained) -> bytes:
    """A note about a clause that the frame above has broken."""
    breach = explanation.breach
    parts = {"pointer": breach.pointer, "expected": breach.expected, "came": breach.came}
    known = {key: text for key, text in parts.items() if text}
    return note_line(time, explanation.consequence.value, client, clause=breach.clause.id, **known)


def mask(frame: bytes) -> bytes:
    """The frame without the passwords in it."""
    # This test is much faster than the expression, and hardly any frame contains a password.
    return PASSWORD.sub(MASK, frame) if b"password" in frame.lower() else frame


def _dumps(entry: dict[str, Any]) -> bytes:
    try:
        return orjson.dumps(entry, option=OPTIONS)
    except TypeError:  # a lone surrogate in a name
        return json.dumps(entry, default=datetime.isoformat).encode() + b"\n"


def _entry(time: datetime, client: Tapped) -> dict[str, Any]:
    return {
        "time": time,
        "client": client.number,
        "key": client.key,
        "name": client.name,
        "peer": client.peer,
        "lobby": client.place,
    }
