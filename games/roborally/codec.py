"""Messages to JSON and back: a type and a body in each object."""

from typing import Any

import attrs
import cattrs
import orjson

from games.roborally.messages import MESSAGES, REQUESTS, Error
from ludothek.contract.codec import (
    CannotRead,
    Malformed,
    MessageReader,
    camel_case,
    read_object,
    read_request,
    shown,
    wire_converter,
    without_mark,
)
from ludothek.contract.flaws import Flaw, FlawKind, Unexpected
from transports import Complaint

# Words the document writes with two capitals in a row.
ABBREVIATIONS = {
    "player_id": "playerID",
    "player_ids": "playerIDs",
    "checkpoint_id": "checkpointID",
    "is_ai": "isAI",
}

# Gson omits null; other clients send it as text, and the document writes «Null».
NO_CARD = ("", "null", "Null")


def wire_name(name: str) -> str:
    return ABBREVIATIONS.get(name, camel_case(name))


def _read_card(value: Any, _: Any) -> str | None:
    if value is None or value in NO_CARD:
        return None
    if type(value) is not str:
        raise Unexpected("the name of a card", value)
    return value


def _setup(converter: cattrs.Converter) -> None:
    converter.register_structure_hook_func(lambda kind: kind == str | None, _read_card)


class RoboRallyCodec:
    """One object per message; a missing value is null, and null is left out."""

    def __init__(self) -> None:
        self._reader = MessageReader(MESSAGES, _setup, wire_name, type_field="messageType")
        self._request_reader = self._reader.only(REQUESTS)
        self._writer = wire_converter(rename=wire_name)

    def decode(self, frame: bytes) -> Any:
        try:
            return _read(self._reader, read_object(frame))
        except CannotRead as error:
            return Malformed(str(error), flaw=_flaw(error, frame))

    def decode_request(self, frame: bytes) -> Any:
        try:
            return _read(self._request_reader, read_request(without_mark(frame)))
        except CannotRead as error:
            return Malformed(str(error), flaw=_flaw(error, frame))

    def encode(self, message: Any) -> bytes:
        body = self._writer.unstructure(message)
        return orjson.dumps({"messageType": type(message).__name__, "messageBody": body})

    def address(self, frame: bytes, key: str) -> bytes:
        return frame

    def refusal(self, complaint: Complaint) -> bytes | None:
        return self.encode(Error(f"Disconnected: {complaint.value}."))


def _read(reader: MessageReader, value: dict[str, Any]) -> Any:
    body = value.get("messageBody", {})
    if not isinstance(body, dict):
        flaw = Flaw(FlawKind.WRONG, "an object", shown(body))
        raise CannotRead("messageBody is not an object", flaw)
    return reader.read(value.get("messageType"), body)


def _flaw(error: CannotRead, frame: bytes) -> Flaw:
    """What is wrong, as seen from the whole frame: readers look at the body only."""
    flaw = error.flaw
    if flaw.kind in (FlawKind.MISSING, FlawKind.WRONG):
        return flaw.at(f"/messageBody{flaw.pointer}")
    if flaw.kind is FlawKind.SYNTAX and not _is_text(frame):
        return attrs.evolve(flaw, kind=FlawKind.UNREADABLE, expected="a text in UTF-8")
    return flaw


def _is_text(frame: bytes) -> bool:
    try:
        frame.decode()
    except UnicodeDecodeError:
        return False
    return True


CODEC = RoboRallyCodec()
