"""The parts of a check that change what a client is sent."""

import orjson
import pytest

from ludothek.contract.situation import Delivery
from ludothek.kit.embellished import UNKNOWN, change_for, embellish

FRAME = b'{"type": "Status", "board": {"a": 1, "b": 2}, "list": [{"c": 3}]}\n'


def changed(wire: Delivery, frame: bytes, seed: int = 1) -> bytes:
    change = change_for(wire, seed)
    assert change is not None
    return embellish(frame, change)


def test_unknown_fields_are_added_and_nothing_else_changes() -> None:
    frame = changed(Delivery.UNKNOWN_FIELDS, FRAME)
    assert frame.endswith(b"\n")
    message = orjson.loads(frame)
    assert message.pop(UNKNOWN)
    assert message["board"].pop(UNKNOWN)
    assert message == orjson.loads(FRAME)


def test_reordered_fields_are_the_same_fields() -> None:
    orders = {changed(Delivery.REORDERED, FRAME, seed) for seed in range(20)}
    assert len(orders) > 1
    assert all(orjson.loads(frame) == orjson.loads(FRAME) for frame in orders)


def test_elements_get_attributes_and_keep_their_children() -> None:
    frame = changed(Delivery.UNKNOWN_FIELDS, b'<room roomId="1"><data class="x"><y/></data></room>')
    assert frame.startswith(b"<room ")
    assert frame.count(UNKNOWN.encode()) == 2
    assert b"<y" in frame


@pytest.mark.parametrize("frame", [b"<protocol>", b"{", b"", b"plain text", b"[1]"])
def test_what_is_no_message_stays_as_it_is(frame: bytes) -> None:
    assert changed(Delivery.UNKNOWN_FIELDS, frame) == frame
