"""Frames to messages and back: every message is in a container."""

import enum
from typing import Any

import attrs
import cattrs

from games.quidditch.codec.containers import timestamp, write_container
from games.quidditch.codec.pictures import SHORT_BYTES, cut_out, payload_type_of
from games.quidditch.codec.snapshot_reader import read_snapshot, read_word
from games.quidditch.messages import (
    MESSAGES,
    REQUESTS,
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
from games.quidditch.refusals import Offence, error
from ludothek.contract.clock import Clock
from ludothek.contract.codec import (
    CannotRead,
    Malformed,
    MessageReader,
    NotForClients,
    read_object,
    read_request,
    shown,
)
from ludothek.contract.flaws import Flaw, FlawKind, Unexpected
from transports import Complaint


def _read_number(value: Any, _: Any) -> float:
    if type(value) not in (int, float):
        raise Unexpected("a number", value)
    return value  # type: ignore[no-any-return]


def setup(converter: cattrs.Converter) -> None:
    """Teach a converter the types of this protocol."""

    def read_reconnect(value: Any, _: Any) -> Reconnect:
        start = _read_contained(converter, value.get("matchStart"), MatchStart)
        if start is None:
            raise ValueError("matchStart is missing")
        snapshot = _read_contained(converter, value.get("snapshot"), Snapshot)
        return Reconnect(start, snapshot, _read_contained(converter, value.get("next"), Next))

    converter.register_structure_hook(float, _read_number)
    converter.register_structure_hook(enum.StrEnum, lambda value, kind: read_word(kind, value))
    converter.register_structure_hook(
        Snapshot,
        lambda value, _: read_snapshot(
            value, lambda delta: converter.structure(delta, DeltaBroadcast).delta
        ),
    )
    converter.register_structure_hook(Reconnect, read_reconnect)
    for replay in (Replay, ReplayWithSnapshot):
        converter.register_structure_hook(replay, lambda value, kind: kind(value))


def _read_contained(converter: cattrs.Converter, value: Any, kind: type) -> Contained | None:
    if value is None:
        return None
    if not isinstance(value, dict) or value.get("payloadType") != payload_type(kind):
        raise ValueError(f"expected a container with a {payload_type(kind)}")
    return Contained(str(value.get("timestamp")), converter.structure(value.get("payload"), kind))


LONG = payload_type(TeamConfig)
READER = MessageReader(MESSAGES, setup, type_field="payloadType")
REQUEST_READER = READER.only(REQUESTS)


@attrs.frozen
class QuidditchCodec:
    """Writes the time into every container; that of an incoming one «muss nicht richtig sein»."""

    clock: Clock

    def decode(self, frame: bytes) -> Any:
        try:
            return _read(READER, read_object(frame))
        except CannotRead as error:
            return _unreadable(error)

    def decode_request(self, frame: bytes) -> Any:
        try:
            if len(frame) > SHORT_BYTES:
                return _read_long(frame)
            return _read(REQUEST_READER, read_request(frame))
        except CannotRead as error:
            return _unreadable(error)

    def encode(self, message: Any) -> bytes:
        return write_container(timestamp(self.clock.date()), message)

    def address(self, frame: bytes, key: str) -> bytes:
        return frame

    def refusal(self, complaint: Complaint) -> bytes | None:
        """«server has some reason to kick you (but case is undefined)»"""
        return self.encode(error(Offence.UNDEFINED, complaint.value))


def _read(reader: MessageReader, container: dict[str, Any]) -> Any:
    name, payload = container.get("payloadType"), container.get("payload")
    if not isinstance(name, str):
        came = shown(name) if "payloadType" in container else "nothing"
        return _no_container(FlawKind.NO_TYPE, "a payloadType, which is a text", came)
    if "payload" not in container:
        return _no_container(FlawKind.MISSING, "a payload", "nothing", "/payload")
    if name not in MESSAGES:
        return Undefined(name[:60])
    if not isinstance(payload, dict):
        flaw = Flaw(FlawKind.WRONG, "an object", shown(payload), "/payload", name)
        return Malformed(f"{name}: expected an object", flaw=flaw)
    try:
        return reader.read(name, payload)
    except NotForClients as error:
        return _unreadable(error)
    except CannotRead as error:
        flaw = attrs.evolve(error.flaw, pointer=f"/payload{error.flaw.pointer}")
        return Malformed(str(error), flaw=flaw)


def _no_container(
    kind: FlawKind, expected: str, came: str, pointer: str = "/payloadType"
) -> Malformed:
    flaw = Flaw(kind, expected, came, pointer)
    return Malformed("expected payloadType (a text) and payload", flaw=flaw)


def _read_long(frame: bytes) -> Any:
    """A message that is long because of its picture; nothing else that clients send is long."""
    name = payload_type_of(frame)
    if name is not None and name not in MESSAGES:
        return Undefined(name)
    if name != LONG:
        return Malformed(f"{name}: longer than {SHORT_BYTES} bytes")
    try:
        rest, image = cut_out(frame)
    except CannotRead as error:
        return Malformed(f"{name}: {error}", flaw=error.flaw)
    message = _read(REQUEST_READER, read_request(rest))
    return attrs.evolve(message, image=image) if isinstance(message, TeamConfig) else message


def _unreadable(error: CannotRead) -> Malformed:
    return Malformed(str(error), flaw=error.flaw)
