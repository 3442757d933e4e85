"""Plain data as bytes and back: what journals and records say apart from frames.

Values keep their types: attrs classes, enums, tuples, sets, bytes, dates, and clients, which are
written as their numbers. A record may come from anybody, so reading sets the fields of classes
whose package it is told to trust, and calls nothing: no constructor, no converter.
"""

import enum
import importlib
from base64 import b64decode, b64encode
from collections.abc import Callable, Collection, ItemsView, Iterable, KeysView, Mapping, ValuesView
from datetime import datetime
from functools import cache
from math import isfinite
from types import MappingProxyType
from typing import Any

import attrs
import orjson

from ludothek.contract.client import Client

# Packages whose classes any game may use.
COMMON = ("ludothek.contract", "ludothek.kit", "ludothek.settings", "transports")

# Marks a value that JSON has no form for: {"$": [kind, …]}.
_MARK = "$"
_INT_BITS = 63


class NotPlain(Exception):
    """A value that cannot be written, or bytes that are not a value; the text says why."""


def write(value: Any, met: Callable[[Client], None] = lambda client: None) -> bytes:
    """A value as bytes; `met` is called with each client in it. Raises NotPlain."""
    try:
        return trimmed(orjson.dumps(_Writer(met).simple(value)))
    except (TypeError, ValueError, RecursionError) as error:  # too deep, or a number too long
        raise NotPlain(f"{type(value).__name__}: {error}") from None


def trimmed(data: bytes) -> bytes:
    """The same without the memory that orjson has reserved for more: at least four kilobytes."""
    return bytes(memoryview(data))


def read(data: bytes, package: str, client: Callable[[int], Client | None]) -> Any:
    """The value in these bytes, with classes of a package; `client` finds clients by number.

    Raises:
      NotPlain: it is not a value, or its classes are unknown or have changed.
    """
    try:
        return _Reader((package, *COMMON), client).value(orjson.loads(data))
    except NotPlain:
        raise
    except Exception as error:  # whatever there is to find in bytes of any origin
        raise NotPlain(f"{type(error).__name__}: {error}") from None


# Writing


@attrs.frozen
class _Writer:
    met: Callable[[Client], None]

    def simple(self, value: Any) -> Any:
        """The value in terms of JSON."""
        kind: Any = type(value)
        if kind in _AS_THEY_ARE:
            return value
        if (writer := _WRITERS.get(kind)) is not None:
            return writer(value)
        if kind is list:
            return self._all(value)
        if kind is tuple or isinstance(value, _VIEWS):
            return _marked("tuple", self._all(value))
        if kind in _MAPPINGS:
            return self._mapping(value)
        if kind in _SETS:
            # Sorted by what is written: the order of a set differs between processes.
            return _marked(kind.__name__, sorted(self._all(value), key=orjson.dumps))
        if _is_client(kind):
            self.met(value)
            return _marked("client", value.number)
        return self._instance(kind, value)

    def _instance(self, kind: type, value: Any) -> Any:
        """An instance of a class that some game or we have made."""
        if isinstance(value, enum.Enum):
            return _marked("enum", _name_of(kind), value.name)
        if attrs.has(kind):
            return _marked("attrs", _name_of(kind), self._fields(kind, value))
        if isinstance(value, str):  # a class that only says what the text means
            return _marked("text", _name_of(kind), _text(str(value)))
        if _is_named_tuple(kind):
            return _marked("named", _name_of(kind), self._all(value))
        raise NotPlain(f"{kind.__name__} is not plain data")

    def _all(self, values: Iterable[Any]) -> list[Any]:
        return [self.simple(each) for each in values]

    def _fields(self, kind: Any, value: Any) -> dict[str, Any]:
        return {name: self.simple(getattr(value, name)) for name in _fields_of(kind)}

    def _mapping(self, value: Mapping[Any, Any]) -> Any:
        if _MARK not in value and all(type(key) is str and key.isascii() for key in value):
            return {key: self.simple(each) for key, each in value.items()}
        pairs = value.items()
        return _marked("dict", [[self.simple(key), self.simple(each)] for key, each in pairs])


def _marked(*parts: Any) -> dict[str, Any]:
    return {_MARK: parts}


def _name_of(kind: type) -> str:
    return f"{kind.__module__}:{kind.__qualname__}"


@cache
def _fields_of(kind: Any) -> Mapping[str, "attrs.Attribute[Any]"]:
    return {field.name: field for field in attrs.fields(kind)}


@cache
def _is_client(kind: type) -> bool:
    return all(hasattr(kind, name) for name in ("number", "visitor", "origin", "places", "hosted"))


def _is_named_tuple(kind: type) -> bool:
    return issubclass(kind, tuple) and hasattr(kind, "_fields")


def _text(value: str) -> Any:
    try:
        value.encode()
    except UnicodeEncodeError:  # half a character, which some clients send
        return _marked("half", b64encode(value.encode("utf-8", "surrogatepass")).decode())
    return value


def _int(value: int) -> Any:
    return value if value.bit_length() <= _INT_BITS else _marked("int", str(value))


def _float(value: float) -> Any:
    return value if isfinite(value) else _marked("float", str(value))


_AS_THEY_ARE = frozenset({type(None), bool})
_MAPPINGS = frozenset({dict, MappingProxyType})
_SETS = frozenset({set, frozenset})
_VIEWS = (KeysView, ValuesView, ItemsView)
_WRITERS: dict[type, Callable[[Any], Any]] = {
    str: _text,
    int: _int,
    float: _float,
    bytes: lambda value: _marked("bytes", b64encode(value).decode()),
    datetime: lambda value: _marked("date", value.isoformat()),
}


# Reading


@attrs.frozen
class _Reader:
    packages: Collection[str]
    client: Callable[[int], Client | None]

    def value(self, simple: Any) -> Any:
        if isinstance(simple, list):
            return [self.value(each) for each in simple]
        if not isinstance(simple, dict):
            return simple
        if _MARK not in simple:
            return {key: self.value(each) for key, each in simple.items()}
        if len(simple) > 1:
            raise NotPlain("a mark is alone")
        return self._marked(*simple[_MARK])

    def _marked(self, kind: str, *parts: Any) -> Any:
        match kind, [*parts]:
            case "client", [int(number)]:
                return self._client(number)
            case "enum", [str(name), str(member)]:
                return self._class(name, enum.Enum)[member]
            case "attrs", [str(name), dict(fields)]:
                return self._make(self._class(name, object), fields)
            case "text", [str(name), simple]:
                return self._text(self._class(name, str), self.value(simple))
            case "named", [str(name), list(members)]:
                return self._name(self._class(name, tuple), members)
            case "dict", [list(pairs)]:
                return {self.value(key): self.value(each) for key, each in pairs}
            case (("tuple" | "set" | "frozenset"), [list(members)]):
                return _COLLECTIONS[kind](map(self.value, members))
            case _, [str(text)] if kind in _TEXTS:
                return _TEXTS[kind](text)
        raise NotPlain(f"unknown kind of value {kind!r}")

    def _text(self, kind: Any, text: Any) -> Any:
        if not isinstance(text, str):
            raise NotPlain(f"{kind.__name__} is a text")
        return str.__new__(kind, text)

    def _client(self, number: int) -> Client:
        client = self.client(number)
        if client is None:
            raise NotPlain(f"unknown client {number}")
        return client

    def _class(self, name: str, base: type) -> Any:
        module, _, noun = name.partition(":")
        if not any(module == each or module.startswith(f"{each}.") for each in self.packages):
            raise NotPlain(f"{name} is in none of the packages {', '.join(self.packages)}")
        found: Any = importlib.import_module(module)
        for part in noun.split("."):
            found = getattr(found, part)
        # What a module has imported from elsewhere is not its own.
        if not (isinstance(found, type) and issubclass(found, base) and _name_of(found) == name):
            raise NotPlain(f"{name} is something else")
        return found

    def _make(self, kind: Any, fields: dict[str, Any]) -> Any:
        """An instance with these fields, made as `pickle` does it."""
        if not attrs.has(kind):
            raise NotPlain(f"{kind.__name__} has no fields")
        known = _fields_of(kind)
        if strange := fields.keys() - known.keys():
            raise NotPlain(f"{kind.__name__} has no {', '.join(sorted(strange))}")
        values = {
            name: self.value(fields[name]) if name in fields else _default(kind, field)
            for name, field in known.items()
        }
        made: Any = object.__new__(kind)
        if hasattr(kind, "__setstate__"):  # it has slots
            made.__setstate__(values)
        else:
            vars(made).update(values)
        return made

    def _name(self, kind: Any, members: list[Any]) -> Any:
        if not _is_named_tuple(kind) or len(members) != len(kind._fields):
            raise NotPlain(f"{kind.__name__} has other fields")
        return tuple.__new__(kind, map(self.value, members))


def _default(kind: type, field: "attrs.Attribute[Any]") -> Any:
    """The value of a field that was not there yet when the data was written."""
    default: Any = field.default
    made = isinstance(default, attrs.Factory)  # type: ignore[arg-type]
    if default is attrs.NOTHING or (made and default.takes_self):
        raise NotPlain(f"{kind.__name__} lacks {field.name}")
    return default.factory() if made else default


def _binary(text: str) -> bytes:
    return b64decode(text, validate=True)


_COLLECTIONS: dict[str, Callable[[Any], Any]] = {
    "tuple": tuple,
    "set": set,
    "frozenset": frozenset,
}
_TEXTS: dict[str, Callable[[str], Any]] = {
    "bytes": _binary,
    "half": lambda text: _binary(text).decode("utf-8", "surrogatepass"),
    "int": int,
    "float": float,
    "date": datetime.fromisoformat,
}
