"""Records as text, for people and for other programs: each part is a line of JSON."""

from base64 import b64decode, b64encode
from collections.abc import Mapping
from datetime import UTC, datetime
from math import isfinite
from typing import Any

import orjson

from ludothek.contract.codec import shown
from ludothek.contract.plain import trimmed
from ludothek.runtime.note import Note, NoteKind
from ludothek.runtime.rerun import Beginning, Prologue

# The most matches of which each continues the one before.
MOST_PROLOGUES = 50

_NAMES = {kind: kind.name.lower() for kind in NoteKind}
_KINDS = {name: kind for kind, name in _NAMES.items()}

# Notes whose content is JSON of our own.
_PLAIN = {NoteKind.INTRODUCED, NoteKind.ENTER, NoteKind.ORDER, NoteKind.TOLD, NoteKind.WORKED}

_OPTIONS = orjson.OPT_APPEND_NEWLINE | orjson.OPT_UTC_Z


def line(told: Mapping[str, Any]) -> bytes:
    try:
        return orjson.dumps(told, option=_OPTIONS)
    except TypeError:  # half a character in a traceback; all else was checked before
        texts = {
            key: each.encode(errors="backslashreplace").decode() if type(each) is str else each
            for key, each in told.items()
        }
        return orjson.dumps(texts, option=_OPTIONS)


def read_line(line: bytes) -> Mapping[str, Any]:
    found: Mapping[str, Any] = _exactly(dict, orjson.loads(line))
    return found


# How a table began


def simple_beginning(beginning: Beginning) -> dict[str, Any]:
    simple: dict[str, Any] = {
        "lobby": beginning.lobby,
        "seed": beginning.seed,
        "opened": [beginning.time, beginning.date],
        "recipe": orjson.Fragment(beginning.recipe),
        "introduced": {
            str(number): orjson.Fragment(known) for number, known in beginning.introduced.items()
        },
        "present": [*beginning.present],
    }
    if (prologue := beginning.prologue) is not None:
        simple["prologue"] = {
            "beginning": simple_beginning(prologue.beginning),
            "notes": [*map(simple_note, prologue.notes)],
        }
    return simple


def read_beginning(line: Mapping[str, Any], depth: int = MOST_PROLOGUES) -> Beginning:
    time, date = line["opened"]
    introduced = _exactly(dict, line["introduced"])
    return Beginning(
        lobby=_exactly(str, line["lobby"]),
        seed=line["seed"] if type(line["seed"]) is int else _exactly(str, line["seed"]),
        time=_number(time),
        date=_date(date),
        recipe=_kept(line["recipe"]),
        introduced={int(number): _kept(known) for number, known in introduced.items()},
        present=tuple(_exactly(int, number) for number in _exactly(list, line["present"])),
        prologue=_read_prologue(line["prologue"], depth) if "prologue" in line else None,
    )


def _read_prologue(line: Mapping[str, Any], depth: int) -> Prologue:
    if not depth:
        raise ValueError("it goes on from too many others")
    notes = map(read_note, _exactly(list, line["notes"]))
    return Prologue(read_beginning(line["beginning"], depth - 1), [*notes])


def _kept(value: Any) -> bytes:
    return trimmed(orjson.dumps(value))


# Notes


def simple_note(note: Note) -> dict[str, Any]:
    line: dict[str, Any] = {"kind": _NAMES[note.kind]}
    if note.client:
        line["client"] = note.client
    line["time"], line["date"], line["digest"] = note.time, note.date, f"{note.digest:016x}"
    if note.kind in _PLAIN:
        line["what"] = orjson.Fragment(note.content)
    elif note.content:
        try:
            line["text"] = note.content.decode()
        except UnicodeDecodeError:
            line["bytes"] = b64encode(note.content).decode()
    return line


def read_note(line: Mapping[str, Any]) -> Note:
    if "what" in line:
        content = orjson.dumps(line["what"])
    elif "bytes" in line:
        content = b64decode(line["bytes"], validate=True)
    else:
        content = _exactly(str, line.get("text", "")).encode()
    return Note(
        kind=_KINDS[line["kind"]],
        client=_exactly(int, line.get("client", 0)),
        digest=read_digest(line["digest"]),
        time=_number(line["time"]),
        date=_date(line["date"]),
        content=content,
    )


def check_note(note: Note) -> Note:
    """A note of anybody's, if there is such a time; raises ValueError and OverflowError."""
    if not isfinite(note.time):
        raise ValueError("a time that never comes")
    _date(note.date)
    if note.kind in _PLAIN:
        orjson.loads(note.content)
    return note


def read_digest(value: Any) -> int:
    return int.from_bytes(bytes.fromhex(_exactly(str, value)))


def _exactly(kind: type, value: Any) -> Any:
    if type(value) is not kind:
        raise TypeError(f"expected {kind.__name__}, not {shown(value)}")
    return value


def _number(value: Any) -> float:
    return float(value if type(value) is int else _exactly(float, value))


def _date(value: Any) -> float:
    datetime.fromtimestamp(_number(value), UTC)  # there is such a date
    return _number(value)
