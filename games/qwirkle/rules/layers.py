"""An immutable mapping: an update is a thin layer on top of what was there before."""

from collections.abc import Iterator, Mapping
from typing import Generic, TypeVar

import attrs

Key = TypeVar("Key")
Value = TypeVar("Value")

# A layer is merged into the one below unless that is this many times larger. So n entries are in
# about log8(n) layers, and an update copies, on average, a number of entries that grows with the
# logarithm of the whole and not with the whole.
RATIO = 8


@attrs.frozen(eq=False)
class Layers(Generic[Key, Value]):
    """Old versions stay valid and share what did not change."""

    _layers: tuple[dict[Key, Value], ...] = ()  # the newest is the last

    def get(self, key: Key) -> Value | None:
        """The newest value of the key."""
        for layer in reversed(self._layers):
            if key in layer:
                return layer[key]
        return None

    def updated(self, changes: Mapping[Key, Value]) -> "Layers[Key, Value]":
        """This mapping with some keys set."""
        below = list(self._layers)
        top = dict(changes)
        while below and len(below[-1]) < RATIO * len(top):
            top = {**below.pop(), **top}
        return Layers((*below, top))

    def flat(self) -> dict[Key, Value]:
        """A plain dict with the same content, which the caller may change."""
        flat: dict[Key, Value] = {}
        for layer in self._layers:
            flat.update(layer)
        return flat

    def items(self) -> Iterator[tuple[Key, Value]]:
        """Every key with its newest value, newest layers first, without copying."""
        if self._layers:
            yield from self._layers[-1].items()
        for depth in range(len(self._layers) - 2, -1, -1):
            above = self._layers[depth + 1 :]
            for key, value in self._layers[depth].items():
                if not any(key in layer for layer in above):
                    yield key, value

    def __bool__(self) -> bool:
        return bool(self._layers)

    def __eq__(self, other: object) -> bool:
        return self.flat() == other.flat() if isinstance(other, Layers) else NotImplemented
