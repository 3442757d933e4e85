"""Reproducible randomness: a tree of seeds grown from one number."""

import hashlib
import random
import secrets
import uuid
from typing import Any

import attrs

# Of a seed that nobody has chosen, and of seeds derived from others.
SEED_BITS = 256

# Bytes of one keyed hash.
_BLOCK = hashlib.blake2b.MAX_DIGEST_SIZE

_FLOAT_BITS, _FLOAT_UNIT = 53, 2.0**-53


class KeyedRandom(random.Random):
    """A generator whose past and future cannot be computed from its output.

    A game draws what it shows (ids, boards, dice) and what it hides (codes, bags, decks) from the
    same generator. The state of Python's own, a Mersenne Twister, is known after 624 numbers; this
    one is a keyed hash of a counter. The same seed gives the same numbers in every process.
    """

    def __init__(self, seed: int | str | None = None) -> None:
        super().__init__(seed)  # which calls `seed`

    def seed(self, a: Any = None, version: int = 2) -> None:
        self.gauss_next = None  # of the base class: the second half of its latest pair
        text = f"{secrets.randbits(SEED_BITS):x}" if a is None else str(a)
        self._key = hashlib.sha256(text.encode()).digest()
        self._block = 0
        self._pool, self._used = b"", 0

    def getstate(self) -> tuple[Any, ...]:
        return self._key, self._block, self._pool[self._used :], self.gauss_next

    def setstate(self, state: tuple[Any, ...]) -> None:
        self._key, self._block, self._pool, self.gauss_next = state
        self._used = 0

    def random(self) -> float:
        return self.getrandbits(_FLOAT_BITS) * _FLOAT_UNIT

    def getrandbits(self, k: int, /) -> int:
        if k < 0:
            raise ValueError("number of bits must be non-negative")
        size = (k + 7) // 8
        if self._used + size > len(self._pool):
            self._refill(size)
        start = self._used
        self._used = end = start + size  # no byte is ever used twice
        return int.from_bytes(self._pool[start:end]) >> (8 * size - k)

    def _refill(self, size: int) -> None:
        """Keep the unused bytes and append blocks until the pool has `size` bytes."""
        pieces = [self._pool[self._used :]]
        for _ in range(0, size - len(pieces[0]), _BLOCK):
            number = self._block.to_bytes(8)
            pieces.append(hashlib.blake2b(number, key=self._key, person=b"numbers").digest())
            self._block += 1
        self._pool, self._used = b"".join(pieces), 0


@attrs.frozen
class Chance:
    """A seed and the independent seeds that grow from it by name.

    Children are derived by a keyed hash, and so is the output of generators: none of it reveals
    anything about the seed, its siblings or its children. Only the seed itself must not be guessed,
    so one that the operator has not chosen has 256 bits.
    """

    seed: int | str = attrs.field(factory=lambda: f"{secrets.randbits(SEED_BITS):064x}", repr=False)

    def child(self, *names: object) -> "Chance":
        key = hashlib.sha256(str(self.seed).encode()).digest()
        # Encoded as a list, so that no two lists of names look the same.
        text = repr(list(map(str, names))).encode()
        hashed = hashlib.blake2b(text, key=key, person=b"child", digest_size=SEED_BITS // 8)
        return Chance(hashed.hexdigest())

    def random(self) -> random.Random:
        return KeyedRandom(self.seed)


def random_uuid(rng: random.Random) -> str:
    return str(uuid.UUID(int=rng.getrandbits(128), version=4))
