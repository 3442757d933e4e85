"""Half a character in a JSON text: survived, and shown as what could not be read."""

import json
from time import process_time

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludothek.contract.codec import CannotRead, read_object
from ludothek.contract.half_characters import MOST, loads


@pytest.mark.parametrize(
    ("text", "value"),
    [
        (rb'"\ud83d"', "\ufffd"),
        (rb'"\ude00"', "\ufffd"),
        (rb'"hello \uD83D"', "hello \ufffd"),
        (rb'"\ud83d\ude00"', "\U0001f600"),
        (rb'"\ud83d\ude00\ud83d"', "\U0001f600\ufffd"),
        (rb'"\ud83d\ud83d\ude00\ude00"', "\ufffd\U0001f600\ufffd"),
        (rb'"\ude00\ud83d"', "\ufffd\ufffd"),
        (rb'"\ud83d\n\ud83d"', "\ufffd\n\ufffd"),
        (rb'"\ud83d\\ude00"', "\ufffd\\ude00"),
        (rb'"\\ud83d \\\ud83d"', "\\ud83d \\\ufffd"),
        (rb'{"\ud83d":["\ud83d"]}', {"\ufffd": ["\ufffd"]}),
    ],
)
def test_half_a_character_is_replaced(text: bytes, value: object) -> None:
    assert loads(text) == value


@pytest.mark.parametrize("text", [rb'"\ud83', rb'"\ud83g"', rb'{"a":"\ud83d"', rb'"\ud83d" x'])
def test_what_is_no_json_stays_none(text: bytes) -> None:
    with pytest.raises(orjson.JSONDecodeError):
        loads(text)
    with pytest.raises(CannotRead, match="not JSON"):
        read_object(text)


@given(st.text(st.one_of(st.characters(), st.sampled_from("\ud83d\ude00\\ud8"))))
def test_every_text_is_read(text: str) -> None:
    expected = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    assert loads(json.dumps(text).encode()) == expected


def test_a_frame_full_of_them_costs_little() -> None:
    frame = b'{"a":"' + rb"\ud83d" * 10_900 + b'"}'
    start = process_time()
    with pytest.raises(orjson.JSONDecodeError):
        loads(frame)
    assert process_time() - start < 0.05  # a millisecond on an idle machine
    assert loads(b'"' + rb"\ud83d" * MOST + b'"') == "\ufffd" * MOST
