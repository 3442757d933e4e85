"""What a game knows about a connection, serialised and read back."""

from collections.abc import Iterable, Mapping
from typing import Any

import attrs
from cattrs.preconf.orjson import make_converter

from ludothek.contract.client import Client

_CONVERTER = make_converter()


def assert_plain(clients: Iterable[Client]) -> int:
    """Fail unless all visitors are plain data that survives JSON; returns how many there are."""
    visitors = [client.visitor for client in clients if client.visitor is not None]
    for visitor in visitors:
        written = _CONVERTER.dumps(visitor)
        again = _CONVERTER.loads(written, type(visitor))
        assert alike(visitor, again), f"{visitor!r} is {again!r} when it is read back"
    return len(visitors)


def alike(one: Any, other: Any) -> bool:
    """Whether two values have the same classes and contents, recursively.

    The classes of visitors need not define equality.
    """
    if type(one) is not type(other):
        return False
    if attrs.has(type(one)):
        names = [field.name for field in attrs.fields(type(one))]
        return all(alike(getattr(one, name), getattr(other, name)) for name in names)
    if isinstance(one, Mapping):
        return [*one] == [*other] and all(alike(one[key], other[key]) for key in one)
    if isinstance(one, list | tuple):
        return len(one) == len(other) and all(map(alike, one, other))
    return bool(one == other)
