"""Parsing a wire log: from lines to entries, whatever is in the file."""

from base64 import b64decode
from datetime import UTC, datetime
from typing import Any

import attrs
import orjson


@attrs.frozen(kw_only=True)
class Entry:
    """One line of the log: a frame, a note, or neither if the line is broken."""

    line: str
    time: datetime | None = None
    direction: str | None = None  # of a frame: in or out
    client: str = ""
    key: str = ""
    name: str = ""
    peer: str = ""
    lobby: str | None = None
    text: str = ""  # the frame or the note

    @property
    def broken(self) -> bool:
        return self.time is None


def read_line(line: bytes) -> Entry:
    """Parse a line; one that cannot be parsed is a broken entry, not an error."""
    text = line.rstrip(b"\r\n").decode(errors="backslashreplace")
    try:
        return _read(text, orjson.loads(line))
    except (ValueError, TypeError, KeyError, AttributeError, OverflowError):
        return Entry(line=text, text=text)


def _read(line: str, fields: dict[str, Any]) -> Entry:
    when = datetime.fromisoformat(fields["time"])
    return Entry(
        line=line,
        time=(when if when.tzinfo else when.replace(tzinfo=UTC)).astimezone(),
        direction=fields.get("dir"),
        client=str(fields.get("client", "")),
        key=str(fields.get("key", "")),
        name=str(fields.get("name", "")),
        peer=str(fields.get("peer", "")),
        lobby=fields.get("lobby"),
        text=_text(fields),
    )


def _text(fields: dict[str, Any]) -> str:
    if "base64" in fields:
        return b64decode(fields["base64"]).decode(errors="backslashreplace")
    if "frame" in fields:
        return str(fields["frame"])
    if "clause" in fields:
        return _breach(fields)
    facts = {k: v for k, v in fields.items() if k not in _KNOWN and v is not None}
    return " ".join([str(fields["note"]), *(f"{key}={value}" for key, value in facts.items())])


def _breach(fields: dict[str, Any]) -> str:
    """What a frame has broken, as in ``struck 3.2.2.1 /lobbyId: expected a UUID; came '7'``."""
    place = f" {fields['pointer']}:" if "pointer" in fields else ""
    wanted = f" expected {fields['expected']}; came" if "expected" in fields else ""
    return f"{fields['note']} {fields['clause']}{place}{wanted} {fields.get('came', '')}"


_KNOWN = {"time", "note", "dir", "client", "key", "name", "peer", "lobby"}
