"""The notes of a ledger about one link, as bytes and back."""

import struct
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

import orjson

from transports.link import Farewell, Frame, Unreadable
from transports.recovered_link import RecoveredInput, RecoveredLink
from transports.state import LinkState

# The kinds of entries in a batch.
FOREIGN: Final = 0  # of the layer above us
OPENED: Final = 1
BASE: Final = 2
MORE: Final = 3
STATE: Final = 4
UNSENT: Final = 5
UNHEARD: Final = 6
CLOSED: Final = 7
NUMBERS: Final = 8
OUTPUT: Final = 9

# In front of each entry: its length and its kind. In front of each entry about a link: its number.
_ENTRY = struct.Struct("<IB")
_LINK = struct.Struct("<Q")
_BASE = struct.Struct("<QII")
_FRAME = struct.Struct("<I?")
_MORE = struct.Struct("<QI")
_UNSENT = struct.Struct("<QQ")
_POSTED = struct.Struct("<QQI")
_PIECE = struct.Struct("<II")

entry_head = _ENTRY.pack  # from length and kind


class BadNote(Exception):
    """A note that this version cannot read."""


def entry(kind: int, content: bytes) -> bytes:
    return entry_head(len(content), kind) + content


def entries(batch: bytes) -> Iterator[tuple[int, bytes]]:
    """The entries of a batch, by kind; raises BadNote."""
    at = 0
    while at < len(batch):
        if at + _ENTRY.size > len(batch):
            raise BadNote("half an entry")
        size, kind = _ENTRY.unpack_from(batch, at)
        at += _ENTRY.size
        if at + size > len(batch):
            raise BadNote("half an entry")
        yield kind, batch[at : at + size]
        at += size


# Written by links


def opened(link: int, peer: str, host: str, head: int) -> bytes:
    """A new link; the first `head` bytes of its stream came before it and are skipped."""
    return entry(OPENED, _LINK.pack(link) + orjson.dumps([peer, host, head]))


def base(link: int, state: bytes, backlog: Iterable[Frame]) -> bytes:
    """Where the framer is, and the frames that are not handled yet; all before is forgotten."""
    frames = b"".join(map(_frame, backlog))
    return entry(BASE, _BASE.pack(link, len(state), len(frames)) + state + frames)


def _frame(frame: Frame) -> bytes:
    if isinstance(frame, Unreadable):
        reason = frame.reason.encode()
        return _FRAME.pack(len(reason), True) + reason
    return _FRAME.pack(len(frame), False) + frame


def more(link: int, data: bytes, left: int) -> bytes:
    """What came after the base; of all frames so far, that many are not handled yet."""
    return entry(MORE, _MORE.pack(link, left) + data)


def state(link: int, now: LinkState, farewell: Farewell | None, *, has_left: bool) -> bytes:
    """How far the connection has come; whether our last word is part of what was sent."""
    words = [now.name, farewell.name if farewell else None, has_left]
    return entry(STATE, _LINK.pack(link) + orjson.dumps(words))


def unsent(link: int, before: int, data: bytes) -> bytes:
    """Bytes that were posted and may not be written yet, behind that many others."""
    return entry(UNSENT, _UNSENT.pack(link, before) + data)


def output(posted: Iterable[tuple[int, int, Sequence[bytes]]]) -> bytes:
    """What a turn sends: to each link, behind how many other bytes, and in which pieces.

    A piece that goes to many is written once.
    """
    places: dict[int, int] = {}
    pool, links = bytearray(), bytearray()
    for link, before, pieces in posted:
        links += _POSTED.pack(link, before, len(pieces))
        for piece in pieces:
            place = places.get(id(piece))
            if place is None:
                place = places[id(piece)] = len(pool)
                pool += piece
            links += _PIECE.pack(place, len(piece))
    return entry(OUTPUT, _LINK.pack(len(pool)) + pool + links)


def unheard(link: int, data: bytes) -> bytes:
    """Bytes that were read and that the framer was not given yet."""
    return entry(UNHEARD, _LINK.pack(link) + data)


def closed(link: int) -> bytes:
    return entry(CLOSED, _LINK.pack(link))


def numbers(last: int) -> bytes:
    """The highest number that a link has had."""
    return entry(NUMBERS, _LINK.pack(last))


# Read by the next process


def apply(kind: int, content: bytes, links: dict[int, RecoveredLink]) -> None:
    """Learn from one note about a link; raises BadNote."""
    try:
        (number,) = _LINK.unpack_from(content)
        if kind == OUTPUT:
            _read_output(content, links)
        elif kind == OPENED:
            links[number] = RecoveredLink(number, *orjson.loads(content[_LINK.size :]))
        elif kind == CLOSED:
            links.pop(number, None)
        elif (link := links.get(number)) is not None:  # not one that was closed in the same turn
            _READERS[kind](link, content)
    except (struct.error, LookupError, ValueError, TypeError) as error:
        raise BadNote(f"a note about a link that cannot be read: {error!r}") from None


def _read_base(link: RecoveredLink, content: bytes) -> None:
    _, size, frames_size = _BASE.unpack_from(content)
    at = _BASE.size + size
    framer, backlog = content[_BASE.size : at], tuple(_read_frames(content[at : at + frames_size]))
    link.input = RecoveredInput(framer, backlog, left=len(backlog))


def _read_frames(data: bytes) -> Iterator[Frame]:
    at = 0
    while at < len(data):
        size, unreadable = _FRAME.unpack_from(data, at)
        at += _FRAME.size
        frame = data[at : at + size]
        yield Unreadable(frame.decode()) if unreadable else frame
        at += size


def _read_more(link: RecoveredLink, content: bytes) -> None:
    _, link.input.left = _MORE.unpack_from(content)
    link.input.chunks.append(content[_MORE.size :])


def _read_state(link: RecoveredLink, content: bytes) -> None:
    now, farewell, link.has_left = orjson.loads(content[_LINK.size :])
    link.state = LinkState[now]
    link.farewell = Farewell[farewell] if farewell else None


def _read_unsent(link: RecoveredLink, content: bytes) -> None:
    _, before = _UNSENT.unpack_from(content)
    link.posted.append((before, content[_UNSENT.size :]))


def _read_output(content: bytes, links: dict[int, RecoveredLink]) -> None:
    (size,) = _LINK.unpack_from(content)
    pool, at = content[_LINK.size : _LINK.size + size], _LINK.size + size
    while at < len(content):
        number, before, count = _POSTED.unpack_from(content, at)
        at += _POSTED.size
        pieces = []
        for place, length in _PIECE.iter_unpack(content[at : at + count * _PIECE.size]):
            pieces.append(pool[place : place + length])
        at += count * _PIECE.size
        if (link := links.get(number)) is not None:
            link.posted.append((before, b"".join(pieces)))


def _read_unheard(link: RecoveredLink, content: bytes) -> None:
    link.input.unheard = content[_LINK.size :]


_READERS = {
    BASE: _read_base,
    MORE: _read_more,
    STATE: _read_state,
    UNSENT: _read_unsent,
    UNHEARD: _read_unheard,
}


def read_numbers(content: bytes) -> int:
    try:
        (last,) = _LINK.unpack(content)
    except struct.error:
        raise BadNote("no number of a link") from None
    return int(last)
