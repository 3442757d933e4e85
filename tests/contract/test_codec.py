"""Reading messages exactly, and saying what is wrong with those that cannot be read."""

from typing import Any

import attrs
import pytest

from ludothek.contract.codec import (
    CannotRead,
    MessageReader,
    WrittenOnce,
    camel_case,
    read_object,
    wire_converter,
)


@attrs.frozen
class Inner:
    is_open: bool


@attrs.frozen
class Outer:
    user_name: str
    point_count: int
    inner: Inner
    note: str | None = None


READER = MessageReader({"Outer": Outer})
GOOD = {"userName": "Ann", "pointCount": 3, "inner": {"isOpen": True}}


def test_wire_names_are_camel_case() -> None:
    assert camel_case("player_one_user_name") == "playerOneUserName"
    assert READER.read("Outer", GOOD) == Outer("Ann", 3, Inner(True))


def test_what_is_none_is_left_out_and_nothing_else() -> None:
    converter = wire_converter()
    assert converter.unstructure(Outer("", 0, Inner(False))) == {
        "userName": "",
        "pointCount": 0,
        "inner": {"isOpen": False},
    }


def test_unknown_attributes_are_ignored() -> None:
    assert READER.read("Outer", GOOD | {"more": [1]}) == Outer("Ann", 3, Inner(True))


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"userName": 5}, "expected str, not int"),
        ({"userName": None}, "expected str, not NoneType"),
        ({"pointCount": "3"}, "expected int, not str"),
        ({"pointCount": 3.0}, "expected int, not float"),
        ({"pointCount": True}, "expected int, not bool"),
        ({"inner": {"isOpen": 1}}, "expected bool, not int @ $.inner.isOpen"),
        ({"inner": []}, "$.inner"),
        ({"inner": {}}, "required field missing @ $.inner.isOpen"),
        ({"note": 5}, "note"),
    ],
)
def test_types_are_exact_and_the_error_says_where(change: dict[str, Any], reason: str) -> None:
    with pytest.raises(CannotRead) as caught:
        READER.read("Outer", GOOD | change)
    assert reason in str(caught.value)


@pytest.mark.parametrize("name", ["outer", 5, ["Outer"], {}])
def test_an_unknown_type_is_named(name: Any) -> None:
    with pytest.raises(CannotRead, match="unknown message type"):
        READER.read(name, GOOD)


def test_a_missing_type_is_said_to_be_missing() -> None:
    with pytest.raises(CannotRead, match="the message type is missing"):
        READER.read(None, GOOD)


@pytest.mark.parametrize(
    "frame",
    [
        b"",
        b"nonsense",
        b"[1]",
        b"null",
        b"5",
        b'"text"',
        b"{",
        b"\xff",
        b"NaN",
        b'{"a":' * 10_000 + b"1" + b"}" * 10_000,
    ],
)
def test_whatever_is_no_json_object_cannot_be_read(frame: bytes) -> None:
    with pytest.raises(CannotRead):
        read_object(frame)


def test_the_last_of_two_equal_keys_counts() -> None:
    assert read_object(b'{"a":1,"a":2}') == {"a": 2}


def test_the_same_message_is_written_once_in_a_row() -> None:
    written = []

    def write(message: list[int]) -> bytes:
        written.append(message)
        return bytes(message)

    once = WrittenOnce(write)
    one, two = [1], [2]
    assert [once(each) for each in (one, one, two, two, one)] == [b"\1", b"\1", b"\2", b"\2", b"\1"]
    assert written == [one, two, one]
