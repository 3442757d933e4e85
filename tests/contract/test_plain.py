"""Plain data: written and read with its types, and harmless whoever has written it."""

import enum
import sys
from collections import Counter
from contextlib import suppress
from datetime import UTC, timedelta, timezone
from types import MappingProxyType
from typing import Any, NamedTuple

import attrs
import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludothek.contract import plain
from ludothek.contract.orders import Abort, Arrange, Fault
from ludothek.contract.plain import NotPlain
from ludothek.runtime.ghost import introduce
from ludothek.testing.dummies import DummyClient
from ludothek.testing.visitors import alike
from transports import Bucket, Rate

HERE = __name__.rpartition(".")[0]


class Colour(enum.Enum):
    RED = 1
    GREEN = "green"


class Id(str):
    __slots__ = ()


class Cell(NamedTuple):
    x: int
    y: int


@attrs.frozen
class Point:
    x: int
    label: str = "none"


@attrs.frozen(cache_hash=True)
class Hashed:
    x: int


@attrs.define(slots=False)
class Loose:
    _hidden: Any
    derived: int = attrs.field(init=False, default=7)


@attrs.frozen
class Guest:
    """Has what clients have, too, but is none."""

    visitor: Any
    number: int = 3


opened: list[str] = []


def _open(path: str) -> str:
    opened.append(path)
    return path


@attrs.frozen
class Reader:
    """Would read a file, as some settings do."""

    path: str = attrs.field(converter=_open)

    def __attrs_post_init__(self) -> None:
        opened.append(self.path)


def nobody(number: int) -> None:
    """There are no clients."""


def again(value: Any) -> Any:
    clients: dict[int, Any] = {}
    data = plain.write(value, lambda client: clients.update({client.number: client}))
    return plain.read(data, HERE, clients.get)


def nested(simple: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    hashable = st.one_of(st.text(), st.integers(), st.builds(Cell, st.integers(), st.integers()))
    return st.one_of(
        st.lists(simple),
        st.lists(simple).map(tuple),
        st.dictionaries(hashable, simple),
        st.sets(hashable),
        st.frozensets(hashable),
        st.builds(Point, st.integers(), st.text()),
        st.builds(Loose, simple),
        st.builds(Guest, simple),
    )


values = st.recursive(
    st.one_of(
        st.none(),
        st.booleans(),
        st.integers(),
        st.integers(-(2**80), 2**80),
        st.floats(allow_nan=False),
        st.text(st.characters()),  # half characters included
        st.text().map(Id),
        st.binary(),
        st.sampled_from(Colour),
        st.datetimes(timezones=st.sampled_from([UTC, timezone(timedelta(hours=-5))])),
        st.builds(Hashed, st.integers()),
    ),
    nested,
    max_leaves=20,
)


@given(values)
def test_whatever_is_written_is_read_with_its_types(value: Any) -> None:
    assert alike(again(value), value)


def test_dollars_are_only_text() -> None:
    texts: list[Any] = [{"$": ["client", 1]}, {"$": 1, "a": 2}, {"ä": {"$": []}}]
    for value in texts:
        assert again(value) == value


def test_clients_are_written_as_numbers() -> None:
    one, two = DummyClient(1), DummyClient(2)
    order = again(Arrange([one, two]))
    assert isinstance(order, Arrange)
    assert order.players == [one, two]
    with pytest.raises(NotPlain, match="unknown client 1"):
        plain.read(plain.write(Abort(one)), HERE, nobody)


def test_what_is_known_about_a_client_is_plain() -> None:
    client = DummyClient(1, visitor=Point(1), chats=Bucket(Rate(1, 2), 3.5))
    known = plain.read(introduce(client), HERE, nobody)
    assert alike(known["chats"], client.chats)
    assert known["visitor"] == Point(1)


def test_sets_are_written_in_the_same_order_in_every_process() -> None:
    assert plain.write({"b", "a", "c"}) == b'{"$":["set",["a","b","c"]]}'


def test_a_frozen_class_can_be_hashed_afterwards() -> None:
    assert hash(again(Hashed(1))) == hash(Hashed(1))


def test_views_and_frozen_mappings_become_what_they_look_like() -> None:
    assert again({1: 2}.keys()) == (1,)
    assert again(MappingProxyType({"a": 1})) == {"a": 1}


@pytest.mark.parametrize(
    "value",
    [object(), Counter("a"), lambda: 1, Point, range(3), 10**5000, iter(()), sys],
    ids=lambda value: type(value).__name__,
)
def test_what_is_not_plain_is_refused(value: Any) -> None:
    for each in (value, [value], Point(value)):
        with pytest.raises(NotPlain):
            plain.write(each)


def test_what_is_too_deep_is_refused() -> None:
    deep: list[Any] = []
    for _ in range(100_000):
        deep = [deep]
    with pytest.raises(NotPlain):
        plain.write(deep)


# Versions


def test_a_field_that_is_new_gets_its_default() -> None:
    name = f"{__name__}:Point"
    assert plain.read(orjson.dumps({"$": ["attrs", name, {"x": 1}]}), HERE, nobody) == Point(1)


@pytest.mark.parametrize("fields", [{}, {"x": 1, "z": 2}])
def test_fields_that_are_missing_or_strange_are_refused(fields: dict[str, Any]) -> None:
    data = orjson.dumps({"$": ["attrs", f"{__name__}:Point", fields]})
    with pytest.raises(NotPlain):
        plain.read(data, HERE, nobody)


# Bytes of any origin


def test_reading_calls_no_constructor_and_no_converter() -> None:
    data = plain.write(Reader("/etc/passwd"))
    opened.clear()
    assert plain.read(data, HERE, nobody).path == "/etc/passwd"
    assert opened == []


@pytest.mark.parametrize(
    "name",
    [
        "os:_Environ",
        "builtins:object",
        "subprocess:Popen",
        "antigravity:x",
        "this:x",
        "ludothek.runtime.journal:Journal",
        "ludothek.contract.plain:attrs.Attribute",
        "ludothek.contract.plain:importlib.machinery.FileFinder",
        "ludothek.contract.plain:datetime",
        "ludothek.contract.keeping:Counter",
        "ludothek.contract.client:Bucket",
        "ludothek.contract.clock:trio.Nursery",
        "ludothek.contract:plain",
        "ludothek.contract.nothing:Here",
        "ludothek.contractor:X",
        "transports:..os",
        ":",
        "",
    ],
)
@pytest.mark.parametrize("kind", ["attrs", "enum", "text", "named"])
def test_no_class_from_elsewhere_is_found(name: str, kind: str) -> None:
    before = {*sys.modules}
    rest: Any = {"attrs": {}, "enum": "x", "text": "x", "named": []}[kind]
    with pytest.raises(NotPlain):
        plain.read(orjson.dumps({"$": [kind, name, rest]}), HERE, nobody)
    new = {*sys.modules} - before
    assert all(module.startswith(("ludothek.", "transports")) for module in new)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"nonsense",
        b'{"$":[]}',
        b'{"$":null}',
        b'{"$":["client"]}',
        b'{"$":["client","1"]}',
        b'{"$":["client",true]}',
        b'{"$":["int","1e9"]}',
        b'{"$":["int","' + b"9" * 5000 + b'"]}',
        b'{"$":["bytes","*"]}',
        b'{"$":["date","yesterday"]}',
        b'{"$":["set",[[1]]]}',
        b'{"$":["dict",[[1]]]}',
        b'{"$":["dict",[[[],1]]]}',
        b'{"$":["eval","1"]}',
        b'{"$":["tuple",[1]],"more":1}',
        b'{"$":["named","tests.contract.test_plain:Cell",[1]]}',
        b'{"$":["named","tests.contract.test_plain:Id",[]]}',
        b'{"$":["text","tests.contract.test_plain:Id",5]}',
        b'{"$":["enum","tests.contract.test_plain:Colour","BLUE"]}',
        b'{"$":["attrs","tests.contract.test_plain:Colour",{}]}',
        b"[" * 10_000 + b"]" * 10_000,
    ],
)
def test_bytes_that_are_no_value_are_refused(data: bytes) -> None:
    with pytest.raises(NotPlain):
        plain.read(data, HERE, nobody)


@given(st.recursive(st.one_of(st.none(), st.integers(0, 9), st.text()), nested, max_leaves=9))
def test_any_mark_is_a_value_or_refused(parts: Any) -> None:
    try:
        data = orjson.dumps({"$": parts}, default=str)
    except TypeError:
        return
    with suppress(NotPlain):
        plain.read(data, HERE, nobody)


def test_an_order_is_written_as_its_class() -> None:
    assert plain.write(Fault()) == b'{"$":["attrs","ludothek.contract.orders:Fault",{}]}'
