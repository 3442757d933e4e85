"""Chance that can be repeated: a tree of seeds grown from one number."""

import hashlib
import random
import uuid

import attrs


@attrs.frozen
class Chance:
    """A seed and the independent seeds that grow from it by name.

    Children are derived by a one-way hash: whoever guesses the state of one generator from what
    it gave out (ids are public) learns nothing about its siblings (hidden cards, boards).
    """

    seed: int

    def child(self, *names: object) -> "Chance":
        text = ":".join(map(str, (self.seed, *names)))
        return Chance(int.from_bytes(hashlib.sha256(text.encode()).digest()[:8]))

    def random(self) -> random.Random:
        return random.Random(self.seed)


def random_uuid(rng: random.Random) -> str:
    return str(uuid.UUID(int=rng.getrandbits(128), version=4))
