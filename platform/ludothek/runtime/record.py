"""A match as a file: how its table began, everything that it was told, and how it ended.

Lines of JSON, compressed: `zcat` shows them. The first line is about the match, the second one
says how the table began, each other one is a note; frames are as clients have sent them.
"""

import gzip
import io
import zlib
from base64 import b64decode, b64encode
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from typing import IO, Any

import attrs
import orjson

from ludothek.contract.codec import shown
from ludothek.contract.plain import trimmed
from ludothek.runtime.note import BadNotes, Kind, Note, read_notes
from ludothek.runtime.rerun import Beginning, Prologue

FORMAT = "ludothek match 1"

# Of a record without compression, of each of its lines, which take up to thirty times as much
# memory when they are read, and of its first line: it may come from anybody.
MOST_BYTES = 128 * 1024 * 1024
MOST_LINE = 16 * 1024 * 1024
MOST_ABOUT = 1024 * 1024

# So many matches may go on from each other.
MOST_PROLOGUES = 50

# What is read at once for the first line.
_PIECE = 4096

_NAMES = {kind: kind.name.lower() for kind in Kind}
_KINDS = {name: kind for kind, name in _NAMES.items()}

# Notes whose content is JSON of our own.
_PLAIN = {Kind.INTRODUCED, Kind.ENTER, Kind.ORDER, Kind.TOLD, Kind.WORKED}

_OPTIONS = orjson.OPT_APPEND_NEWLINE | orjson.OPT_UTC_Z
_DAMAGES = (OSError, EOFError, ValueError, KeyError, TypeError, OverflowError, zlib.error)


class BadRecord(Exception):
    """A file that is not a record, or is damaged; the text says why."""


@attrs.frozen(kw_only=True)
class Record:
    """A match that is over, or a lobby that has crashed."""

    about: Mapping[str, Any]  # game, protocol, versions, endpoint, players, result …
    beginning: Beginning
    notes: Sequence[Note]
    digest: int  # of everything that was sent

    def write(self) -> bytes:
        """The content of its file."""
        about = {"format": FORMAT, **self.about, "digest": f"{self.digest:016x}"}
        lines = [about, simple_beginning(self.beginning), *map(_simple_note, self.notes)]
        text = b"".join(map(_line, lines))
        # Quickly: it is done while others play, and saves nearly as much.
        return gzip.compress(text, compresslevel=1, mtime=0)

    @classmethod
    def read(cls, data: bytes) -> "Record":
        """Read a file; raises BadRecord."""
        lines = _lines(data)
        about = _read_about(next(lines, b""))
        try:
            return cls(
                digest=_digest(about.pop("digest")),
                about=about,
                beginning=read_beginning(_object(next(lines, b""))),
                notes=[_read_note(_object(line)) for line in lines],
            )
        except _DAMAGES as error:
            raise BadRecord(f"damaged: {type(error).__name__}: {error}") from None


def about_record(file: IO[bytes]) -> Mapping[str, Any]:
    """What the first line says, without reading the rest; raises BadRecord and OSError."""
    deflated, text = zlib.decompressobj(wbits=16 + zlib.MAX_WBITS), b""
    try:
        while b"\n" not in text and len(text) < MOST_ABOUT and (piece := file.read(_PIECE)):
            text += deflated.decompress(piece, MOST_ABOUT)
    except zlib.error:
        raise BadRecord("not a record") from None
    return _read_about(text.partition(b"\n")[0])


def _line(told: Mapping[str, Any]) -> bytes:
    try:
        return orjson.dumps(told, option=_OPTIONS)
    except TypeError:  # half a character in a traceback; all else was checked before
        texts = {
            key: each.encode(errors="backslashreplace").decode() if type(each) is str else each
            for key, each in told.items()
        }
        return orjson.dumps(texts, option=_OPTIONS)


def notes_of(journal: bytes) -> list[Note]:
    """The notes of a journal; one that is cut off, as only a bug of ours can, loses its end."""
    notes: list[Note] = []
    with suppress(BadNotes):
        notes.extend(read_notes(journal))
    return notes


def _lines(data: bytes) -> Iterator[bytes]:
    """The lines of a file, one at a time; raises BadRecord."""
    left = MOST_BYTES
    try:
        with gzip.open(io.BytesIO(data)) as file:
            while line := file.readline(min(left, MOST_LINE) + 1):
                left -= len(line)
                if left < 0 or len(line) > MOST_LINE:
                    raise BadRecord("too long")
                yield line.removesuffix(b"\n")
    except (OSError, EOFError, zlib.error) as error:
        raise BadRecord(
            f"damaged: {error}" if data[:2] == b"\x1f\x8b" else "not a record"
        ) from None


def _read_about(line: bytes) -> dict[str, Any]:
    try:
        about = orjson.loads(line)
    except ValueError:
        raise BadRecord("not a record") from None
    if not isinstance(about, dict) or about.pop("format", None) != FORMAT:
        raise BadRecord("not a record, or one of another version")
    return about


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
            "notes": [*map(_simple_note, prologue.notes)],
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
    notes = map(_read_note, _exactly(list, line["notes"]))
    return Prologue(read_beginning(line["beginning"], depth - 1), [*notes])


def _kept(value: Any) -> bytes:
    return trimmed(orjson.dumps(value))


def _simple_note(note: Note) -> dict[str, Any]:
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


def _read_note(line: Mapping[str, Any]) -> Note:
    if "what" in line:
        content = orjson.dumps(line["what"])
    elif "bytes" in line:
        content = b64decode(line["bytes"], validate=True)
    else:
        content = _exactly(str, line.get("text", "")).encode()
    return Note(
        kind=_KINDS[line["kind"]],
        client=_exactly(int, line.get("client", 0)),
        digest=_digest(line["digest"]),
        time=_number(line["time"]),
        date=_date(line["date"]),
        content=content,
    )


def _object(line: bytes) -> Mapping[str, Any]:
    found: Mapping[str, Any] = _exactly(dict, orjson.loads(line))
    return found


def _exactly(kind: type, value: Any) -> Any:
    if type(value) is not kind:
        raise TypeError(f"expected {kind.__name__}, not {shown(value)}")
    return value


def _number(value: Any) -> float:
    return float(value if type(value) is int else _exactly(float, value))


def _date(value: Any) -> float:
    datetime.fromtimestamp(_number(value), UTC)  # there is such a date
    return _number(value)


def _digest(value: Any) -> int:
    return int.from_bytes(bytes.fromhex(_exactly(str, value)))
