"""Frames to messages and back: every message is in a container."""

import enum
from typing import Any, get_args

import attrs
import cattrs

from games.quidditch.containers import timestamp, write_container
from games.quidditch.messages import (
    MESSAGES,
    ClientMessage,
    Contained,
    DeltaBroadcast,
    MatchStart,
    Next,
    Reconnect,
    Replay,
    ReplayWithSnapshot,
    Snapshot,
    TeamConfig,
    Undefined,
    payload_type,
)
from games.quidditch.offences import Flaw, Offence, Violation
from games.quidditch.reading import read_snapshot
from ludothek.clock import Clock
from ludothek.codec import CannotRead, MessageReader, read_object
from transports import Complaint

# A teamConfig carries a picture; everything else that clients say is short.
SHORT_BYTES = 64 * 1024


def _read_number(value: Any, _: Any) -> float:
    if type(value) not in (int, float):
        raise ValueError(f"expected a number, not {type(value).__name__}")
    return value  # type: ignore[no-any-return]


def _read_word(value: Any, kind: type[enum.StrEnum]) -> enum.StrEnum:
    try:
        return kind(value)
    except ValueError:
        raise ValueError(f"{value!r:.60} is no {kind.__name__}") from None


def setup(converter: cattrs.Converter) -> None:
    """Teach a converter what the types of this protocol are."""

    def read_list(value: Any, kind: Any) -> list[Any]:
        # By itself the converter takes any text or object for a list of its parts.
        if type(value) is not list:
            raise ValueError(f"expected a list, not {type(value).__name__}")
        (item,) = get_args(kind)
        return [converter.structure(each, item) for each in value]

    def read_reconnect(value: Any, _: Any) -> Reconnect:
        start = _read_contained(converter, value.get("matchStart"), MatchStart)
        if start is None:
            raise ValueError("matchStart is missing")
        snapshot = _read_contained(converter, value.get("snapshot"), Snapshot)
        return Reconnect(start, snapshot, _read_contained(converter, value.get("next"), Next))

    converter.register_structure_hook(float, _read_number)
    converter.register_structure_hook(enum.StrEnum, _read_word)
    converter.register_structure_hook_func(_is_list, read_list)
    converter.register_structure_hook(
        Snapshot,
        lambda value, _: read_snapshot(
            value, lambda delta: converter.structure(delta, DeltaBroadcast).delta
        ),
    )
    converter.register_structure_hook(Reconnect, read_reconnect)
    for replay in (Replay, ReplayWithSnapshot):
        converter.register_structure_hook(replay, lambda value, kind: kind(value))


def _is_list(kind: Any) -> bool:
    return getattr(kind, "__origin__", None) is list


def _read_contained(converter: cattrs.Converter, value: Any, kind: type) -> Contained | None:
    if value is None:
        return None
    if not isinstance(value, dict) or value.get("payloadType") != payload_type(kind):
        raise ValueError(f"expected a container with a {payload_type(kind)}")
    return Contained(str(value.get("timestamp")), converter.structure(value.get("payload"), kind))


READER = MessageReader(MESSAGES, setup)


@attrs.frozen
class QuidditchCodec:
    """Writes the time into every container; that of an incoming one «muss nicht richtig sein»."""

    clock: Clock

    def decode(self, frame: bytes) -> Any:
        try:
            container = read_object(frame)
        except CannotRead as error:
            json = str(error).startswith("not JSON")
            return Flaw(str(error), Offence.JSON if json else Offence.CONTAINER)
        name, payload = container.get("payloadType"), container.get("payload")
        if not isinstance(name, str) or "payload" not in container:
            return Flaw("expected payloadType (a text) and payload", Offence.CONTAINER)
        if name not in MESSAGES:
            return Undefined(name[:60])
        if not isinstance(payload, dict):
            return Flaw(f"{name}: expected an object", Offence.PAYLOAD)
        if len(frame) > SHORT_BYTES and name in _SHORT:
            return Flaw(f"{name}: longer than {SHORT_BYTES} bytes", Offence.PAYLOAD)
        try:
            return READER.read(name, payload)
        except CannotRead as error:
            return Flaw(str(error), Offence.PAYLOAD)

    def encode(self, message: Any) -> bytes:
        return write_container(timestamp(self.clock.date()), message)

    def address(self, frame: bytes, key: str) -> bytes:
        return frame

    def refusal(self, complaint: Complaint) -> bytes | None:
        """«server has some reason to kick you (but case is undefined)»"""
        return self.encode(Violation(Offence.UNDEFINED, complaint.value).error(ends_match=False))


# What a client may say, but for the one message with a picture.
_SHORT = {
    name
    for name, message in MESSAGES.items()
    if issubclass(message, ClientMessage) and message is not TeamConfig
}
