"""No class of the transports has more than a dozen fields: what needs more is composed."""

import ast
import importlib
import inspect
import pkgutil
import textwrap
from collections.abc import Iterator

import attrs
import pytest

import transports

A_DOZEN = 12


def classes() -> Iterator[type]:
    """Every class that a module of the transports defines."""
    for info in pkgutil.iter_modules(transports.__path__):
        module = importlib.import_module(f"transports.{info.name}")
        for each in vars(module).values():
            if inspect.isclass(each) and each.__module__ == module.__name__:
                yield each


def fields(cls: type) -> set[str]:
    """What its instances consist of, however that is declared, with everything inherited."""
    found: set[str] = set()
    for base in cls.__mro__:
        if base.__module__.partition(".")[0] in ("transports", __name__.partition(".")[0]):
            found |= own_fields(base)
    properties = {name for name in found if isinstance(getattr(cls, name, None), property)}
    return found - properties - {"__weakref__"}


def own_fields(cls: type) -> set[str]:
    slots = vars(cls).get("__slots__", ())
    found = {slots} if isinstance(slots, str) else set(slots)
    if attrs.has(cls):
        found |= {field.name for field in attrs.fields(cls)}
    return found | set(assigned(ast.parse(textwrap.dedent(inspect.getsource(cls)))))


def assigned(source: ast.AST) -> Iterator[str]:
    """The attributes of `self` that this code assigns."""
    for node in ast.walk(source):
        if (
            isinstance(node, ast.Attribute)
            and isinstance(node.ctx, ast.Store)
            and isinstance(node.value, ast.Name)
            and node.value.id == "self"
        ):
            yield node.attr


@pytest.mark.parametrize("cls", sorted({*classes()}, key=str))
def test_a_class_has_no_more_than_a_dozen_fields(cls: type) -> None:
    assert len(fields(cls)) <= A_DOZEN, sorted(fields(cls))


class Slotted:
    __slots__ = ("one", "two")


class Plain(Slotted):
    def __init__(self) -> None:
        self.three, self.four = 3, 4
        self.five: int = 5


@attrs.define
class Declared(Plain):
    six: int = 6


def test_fields_are_found_however_they_are_declared() -> None:
    assert fields(Declared) == {"one", "two", "three", "four", "five", "six"}
