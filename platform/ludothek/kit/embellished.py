"""Codecs of a server that writes its messages in an unusual but permitted way."""

import random
from collections.abc import Callable
from typing import Any
from xml.etree import ElementTree

import attrs
import orjson

from ludothek.contract.codec import Codec
from ludothek.contract.situation import Delivery
from transports import Complaint

# Of the field that no document has.
UNKNOWN, VALUE = "futureExtension", "of a later version"

Change = Callable[[dict[str, Any]], dict[str, Any]]


@attrs.frozen
class Embellished:
    """Reads like the codec of the game, and changes what is written."""

    codec: Codec
    change: Change
    happens: Callable[[], bool] = lambda: True  # asked for each frame

    def decode(self, frame: bytes) -> Any:
        return self.codec.decode(frame)

    def decode_request(self, frame: bytes) -> Any:
        return self.codec.decode_request(frame)

    def encode(self, message: Any) -> bytes:
        return self.codec.encode(message)

    def address(self, frame: bytes, key: str) -> bytes:
        """Only here is a frame as its receiver gets it."""
        addressed = self.codec.address(frame, key)
        return embellish(addressed, self.change) if self.happens() else addressed

    def refusal(self, complaint: Complaint) -> bytes | None:
        return self.codec.refusal(complaint)


def change_for(delivery: Delivery, seed: int) -> Change | None:
    """What becomes of the fields of an object, or of the attributes of an element."""
    if delivery is Delivery.UNKNOWN_FIELDS:
        return lambda fields: {UNKNOWN: VALUE, **fields}
    if delivery is Delivery.REORDERED:
        rng = random.Random(seed)
        return lambda fields: dict(rng.sample([*fields.items()], len(fields)))
    return None


def embellish(frame: bytes, change: Change) -> bytes:
    """The frame with changed objects or elements; anything else stays as it is."""
    if frame.lstrip()[:1] == b"{":
        return _change_json(frame, change)
    return _change_xml(frame, change) if frame.lstrip()[:1] == b"<" else frame


def _change_json(frame: bytes, change: Change) -> bytes:
    """The message and the objects in its fields; further inside, keys may be anything."""
    try:
        message = orjson.loads(frame)
    except orjson.JSONDecodeError:
        return frame
    changed = {
        key: change(value) if _has_fields(value) else value for key, value in message.items()
    }
    ending = frame[len(frame.rstrip()) :]
    return orjson.dumps(change(changed)) + ending


def _has_fields(value: Any) -> bool:
    """Whether it is an object, but no map whose keys are numbers: of clients, for example."""
    return isinstance(value, dict) and not (value and all(map(str.isdigit, value)))


def _change_xml(frame: bytes, change: Change) -> bytes:
    try:
        root = ElementTree.fromstring(frame)
    except ElementTree.ParseError:  # the root of the whole conversation stays open
        return frame
    for element in (root, *root):
        element.attrib = change(element.attrib)
    return ElementTree.tostring(root, encoding="unicode").encode()
