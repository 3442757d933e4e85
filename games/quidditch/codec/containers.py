"""Messages in their containers, as they are sent and as they are kept in files."""

from datetime import datetime
from typing import Any

import orjson

from games.quidditch.messages import (
    Contained,
    Lobbies,
    Reconnect,
    Replay,
    ReplayWithSnapshot,
    Snapshot,
    payload_type,
)
from ludothek.contract.codec import WrittenOnce, wire_converter

_WRITER = wire_converter(nulls=True)
_WRITER.register_unstructure_hook(Snapshot, lambda message: orjson.Fragment(message.payload))


def _write(message: Any) -> bytes:
    return orjson.dumps(_WRITER.unstructure(message))


_write_lobbies = WrittenOnce(_write)


def timestamp(date: datetime) -> str:
    """«yyyy-MM-dd HH:mm:ss.SSS», in local time."""
    return date.astimezone().isoformat(" ", "milliseconds")[:23]


def write_payload(message: Any) -> bytes:
    match message:
        case Snapshot():
            return message.payload
        case Replay(content=content) | ReplayWithSnapshot(content=content):
            return content if isinstance(content, bytes) else orjson.dumps(content)
        case Reconnect(match_start=start, snapshot=snapshot, next=next_):
            parts = [_write_contained(part) for part in (start, snapshot, next_)]
            return b'{"matchStart":%b,"snapshot":%b,"next":%b}' % tuple(parts)
        case Lobbies():
            return _write_lobbies(message)
        case _:
            return _write(message)


def write_container(time: str, message: Any, payload: bytes | None = None) -> bytes:
    """A container; its payload may already be encoded."""
    return b'{"timestamp":"%b","payloadType":"%b","payload":%b}' % (
        time.encode(),
        payload_type(type(message)).encode(),
        write_payload(message) if payload is None else payload,
    )


def _write_contained(part: Contained | None) -> bytes:
    return b"null" if part is None else write_container(part.timestamp, part.message)
