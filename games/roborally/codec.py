"""Messages to JSON and back: a type and a body in each object."""

from typing import Any

import attrs
import cattrs
import orjson
from cattrs.gen import make_dict_structure_fn, make_dict_unstructure_fn, override

from games.roborally.messages import MESSAGES, Error
from ludothek.codec import CannotRead, Malformed, MessageReader, camel_case, read_object
from transports import Complaint

# Words the document writes with two capitals in a row.
ABBREVIATIONS = {
    "player_id": "playerID",
    "player_ids": "playerIDs",
    "checkpoint_id": "checkpointID",
    "is_ai": "isAI",
}

# Gson leaves null out; other clients send it as text, and the document writes «Null».
NO_CARD = ("", "null", "Null")


def wire_name(name: str) -> str:
    return ABBREVIATIONS.get(name, camel_case(name))


def _names(cls: type) -> dict[str, Any]:
    return {field.name: override(rename=wire_name(field.name)) for field in attrs.fields(cls)}


def _read_card(value: Any, _: Any) -> str | None:
    if value is None or value in NO_CARD:
        return None
    if type(value) is not str:
        raise ValueError(f"expected a card, not {type(value).__name__}")
    return value


def _read_texts(value: Any, _: Any) -> list[str]:
    # By itself the converter takes any text or object for a list of its parts.
    if type(value) is not list or not all(type(item) is str for item in value):
        raise ValueError("expected a list of texts")
    return value


def _setup(converter: cattrs.Converter) -> None:
    detailed = converter.detailed_validation
    converter.register_structure_hook_factory(
        attrs.has,
        lambda cls: make_dict_structure_fn(
            cls, converter, _cattrs_detailed_validation=detailed, **_names(cls)
        ),
    )
    converter.register_structure_hook_func(lambda kind: kind == str | None, _read_card)
    converter.register_structure_hook_func(lambda kind: kind == list[str], _read_texts)


def _writer() -> cattrs.Converter:
    converter = cattrs.Converter()
    converter.register_unstructure_hook_factory(
        attrs.has,
        lambda cls: make_dict_unstructure_fn(
            cls, converter, _cattrs_omit_if_default=True, **_names(cls)
        ),
    )
    return converter


class RoboRallyCodec:
    """One object per message; what is not there is null, and null is not there."""

    def __init__(self) -> None:
        self._reader = MessageReader(MESSAGES, _setup, wire_name)
        self._writer = _writer()

    def decode(self, frame: bytes) -> Any:
        try:
            value = read_object(frame)
            body = value.get("messageBody", {})
            if not isinstance(body, dict):
                raise CannotRead("messageBody is not an object")
            return self._reader.read(value.get("messageType"), body)
        except CannotRead as error:
            return Malformed(str(error))

    def encode(self, message: Any) -> bytes:
        body = self._writer.unstructure(message)
        return orjson.dumps({"messageType": type(message).__name__, "messageBody": body})

    def address(self, frame: bytes, key: str) -> bytes:
        return frame

    def refusal(self, complaint: Complaint) -> bytes | None:
        return self.encode(Error(f"Disconnected: {complaint.value}."))


CODEC = RoboRallyCodec()
