"""The bag: a shuffled tuple of tiles that is drawn from its end."""

import random
from collections.abc import Iterable

from games.qwirkle.rules.tiles import Tile

Bag = tuple[Tile, ...]


def draw(bag: Bag, count: int) -> tuple[Bag, tuple[Tile, ...]]:
    """What stays in the bag, and up to `count` tiles from it."""
    rest = max(len(bag) - count, 0)
    return bag[:rest], bag[rest:]


def put_back(bag: Bag, tiles: Iterable[Tile], rng: random.Random) -> Bag:
    """The bag with these tiles returned to unpredictable places."""
    returned = list(tiles)
    places = set(rng.sample(range(len(bag) + len(returned)), len(returned)))
    rng.shuffle(returned)
    kept, back = iter(bag), iter(returned)
    return tuple(next(back if n in places else kept) for n in range(len(bag) + len(returned)))
