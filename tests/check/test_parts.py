"""The parts of a check that change what a client is sent, and note what it says."""

from datetime import datetime
from types import SimpleNamespace
from typing import Any

import orjson
import pytest
import trio
from trio.testing import MockClock

from games.hexxagon.clauses import CLAUSES
from games.hexxagon.codec import CODEC
from ludothek.check.transcript import Transcript
from ludothek.contract.clauses import Breach, Consequence
from ludothek.contract.situation import Delivery
from ludothek.kit.embellished import UNKNOWN, change_for, embellish
from ludothek.runtime.explanations import Explanation

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


def test_maps_get_no_entries_that_are_none() -> None:
    frame = b'{"uniqueId": 418, "scores": {"1": 12, "2": 7}, "body": {}}'
    message = orjson.loads(changed(Delivery.UNKNOWN_FIELDS, frame))
    assert message["scores"] == {"1": 12, "2": 7}
    assert {*message["body"]} == {UNKNOWN}


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


async def test_only_what_was_heard_just_now_can_be_meant(autojump_clock: MockClock) -> None:
    client: Any = SimpleNamespace()
    transcript = Transcript(CLAUSES, CODEC)

    def explain(pointer: str) -> str:
        breach = Breach(CLAUSES["3.3.13.2"], pointer, "", "nothing")
        explanation = Explanation(datetime(2026, 1, 1), breach, Consequence.STRUCK)
        transcript.explained(client, explanation)
        return transcript.incidents[-1].frame

    transcript.heard(client, FRAME)
    assert explain("") == FRAME.decode()
    await trio.sleep(2)
    assert explain("/moveTo") == FRAME.decode()  # its handling has taken a while
    assert explain("") == ""  # it has said nothing for two seconds, and that is why
    transcript.note(client, "unreadable: not UTF-8")
    assert explain("") == "unreadable: not UTF-8"
