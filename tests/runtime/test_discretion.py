"""Passwords do not get as far as a table, and all else does."""

import orjson
import pytest

from ludothek.runtime.discretion import without_passwords


@pytest.mark.parametrize(
    ("frame", "expected"),
    [
        (b'{"password":"a\\"b,c","x":1}', b'{"password":"***","x":1}'),
        (b'{"PassWord" : "a"}', b'{"PassWord" : "***"}'),
        (b'{"password":-1.5e3,"x":1}', b'{"password":0,"x":1}'),
        (b'{"password":"a', b'{"password":"***"'),
        (b"<a x='1' password='p\"q'/>", b"<a x='1' password=\"***\"/>"),
        (b'  <a password = "p', b'  <a password = "***"'),
    ],
)
def test_passwords_are_hidden(frame: bytes, expected: bytes) -> None:
    assert without_passwords(frame) == expected


@pytest.mark.parametrize(
    "text", ["my password = 1234", '"password": "x"', "the password='x', you know", "password"]
)
def test_what_is_said_in_a_chat_is_left_alone(text: str) -> None:
    frame = orjson.dumps({"message": text, text: None})
    assert without_passwords(frame) == frame


def test_other_frames_are_not_even_copied() -> None:
    frame = orjson.dumps({"message": "x" * 1000})
    assert without_passwords(frame) is frame
