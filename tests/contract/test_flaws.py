"""What is wrong with a frame, in parts."""

from typing import Any

import pytest

from ludothek.contract.codec import CannotRead, Malformed, MessageReader, read_object, read_request
from ludothek.contract.flaws import Flaw, FlawKind, pointer_to
from ludothek.contract.frozen import frozen


@frozen(kw_only=True)
class Tile:
    coord_x: int


@frozen(kw_only=True)
class Lay:
    password: str
    tiles: list[Tile]


@frozen(kw_only=True)
class Laid:
    pass


READER = MessageReader({"Lay": Lay, "Laid": Laid}, type_field="type").only({"Lay"})


def flaw_of(name: Any, value: Any) -> Flaw:
    with pytest.raises(CannotRead) as found:
        READER.read(name, value)
    return found.value.flaw


@pytest.mark.parametrize(
    ("tiles", "pointer", "expected", "came"),
    [
        ([{"coordX": 1}, {"coordX": "2"}], "/tiles/1/coordX", "an integer", "'2'"),
        ({}, "/tiles", "a list", "an object"),
        ([5], "/tiles/0", "an object", "5"),
    ],
)
def test_a_wrong_value_is_pointed_at(tiles: Any, pointer: str, expected: str, came: str) -> None:
    flaw = flaw_of("Lay", {"password": "x", "tiles": tiles})
    assert (flaw.kind, flaw.message) == (FlawKind.WRONG, "Lay")
    assert (flaw.pointer, flaw.expected, flaw.came) == (pointer, expected, came)


def test_a_missing_field_is_pointed_at() -> None:
    flaw = flaw_of("Lay", {"password": "x", "tiles": [{}]})
    assert (flaw.kind, flaw.pointer, flaw.came) == (FlawKind.MISSING, "/tiles/0/coordX", "nothing")


def test_a_password_is_not_told() -> None:
    flaw = flaw_of("Lay", {"password": 12345, "tiles": []})
    assert (flaw.pointer, flaw.came) == ("/password", "***")


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        (None, FlawKind.NO_TYPE),
        ("lay", FlawKind.UNKNOWN_TYPE),
        (5, FlawKind.UNKNOWN_TYPE),
        ("Laid", FlawKind.NOT_FOR_CLIENTS),
    ],
)
def test_a_message_that_clients_do_not_have(name: Any, kind: FlawKind) -> None:
    flaw = flaw_of(name, {})
    assert (flaw.kind, flaw.pointer) == (kind, "/type")


@pytest.mark.parametrize(
    ("frame", "kind"),
    [
        (b"{", FlawKind.SYNTAX),
        (b"[]", FlawKind.NO_OBJECT),
        (b'{"x":[' + b"[]," * 9000 + b"0]}", FlawKind.TOO_MANY_VALUES),
    ],
)
def test_a_frame_that_is_no_object(frame: bytes, kind: FlawKind) -> None:
    with pytest.raises(CannotRead) as found:
        read_request(frame)
    assert found.value.flaw.kind is kind


@pytest.mark.parametrize(
    ("reason", "kind"),
    [
        ("a line longer than 65536 bytes", FlawKind.TOO_LONG),
        ("half a message for 30 seconds", FlawKind.HALF),
        ("a binary frame; this protocol uses text frames", FlawKind.UNREADABLE),
    ],
)
def test_what_the_transport_could_not_read_is_told_apart_by_its_reason(
    reason: str, kind: FlawKind
) -> None:
    """Only the reason is in journals, and a table must hear the same when it is repeated."""
    assert Malformed(reason).flaw.kind is kind


def test_pointers_escape_what_means_something_in_them() -> None:
    assert pointer_to("a/b", "c~d", 3) == "/a~1b/c~0d/3"


def test_a_reason_and_its_flaw_come_together() -> None:
    with pytest.raises(CannotRead) as found:
        read_object(b'"text"')
    malformed = Malformed(str(found.value), flaw=found.value.flaw)
    assert malformed.flaw.came == "'text'"
    assert malformed == Malformed(str(found.value))  # what is compared is what is written down
