"""Which files to keep when there is no room for all: each owner gets a fair share."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from math import inf

from ludothek.contract.frozen import frozen

# The share of the room for files of little value, when there is not enough for all.
SLIGHT_PART = 0.1


@frozen
class Claim:
    """The owners of a file, on one level or several: first the address, then the player.

    The owner that uses most on the first level loses a file; if several owners share that level,
    the one of them that uses most on the next level.
    """

    owners: Sequence[Sequence[str]] = ()
    slight: bool = False  # hardly worth keeping


def no_claim(name: str) -> Claim:
    return Claim()


def all_files(name: str) -> bool:
    return True


@frozen(kw_only=True)
class Room:
    """How much is kept in a folder, and how a file's name tells whose it is."""

    files: int
    bytes: float = inf
    claim: Callable[[str], Claim] = no_claim
    counts: Callable[[str], bool] = all_files  # whether a file of this name takes this room


@frozen
class Kept:
    """A file in a folder."""

    name: str
    size: int
    claim: Claim


Weigh = Callable[[Kept], int]


def superfluous(files: Iterable[Kept], room: Room) -> Iterator[Kept]:
    """The files to remove, given all files from oldest to newest; one of them always stays."""
    rest = dict(enumerate(files))
    yield from _thin_out(rest, room.files, lambda file: 1)
    yield from _thin_out(rest, room.bytes, lambda file: file.size)


def _thin_out(rest: dict[int, Kept], most: float, weigh: Weigh) -> Iterator[Kept]:
    if sum(map(weigh, rest.values())) <= most:
        return
    worthy, slight = _Pool(weigh), _Pool(weigh)
    for number, file in rest.items():
        (slight if file.claim.slight else worthy).add(number, file)
    while worthy.weight + slight.weight > most and len(rest) > 1:
        pool = slight if slight.weight > most * SLIGHT_PART else worthy
        victim = pool.pick() if pool else next(iter(rest))
        (slight if rest[victim].claim.slight else worthy).remove(victim)
        yield rest.pop(victim)


class _Pool:
    """Files of equal value, from oldest to newest, by number; thousands, of which many may go."""

    def __init__(self, weigh: Weigh) -> None:
        self.weight = 0
        self._weigh = weigh
        self._weights: dict[int, int] = {}
        self._owners: dict[int, Sequence[Sequence[str]]] = {}  # of each file, level by level
        self._shares: Counter[str] = Counter()  # on the first level
        self._levels = 0

    def __len__(self) -> int:
        return len(self._owners)

    def add(self, number: int, file: Kept) -> None:
        # Files without an owner share one.
        owners = [tuple(dict.fromkeys(each)) or ("",) for each in file.claim.owners] or [("",)]
        self._owners[number], self._weights[number] = owners, self._weigh(file)
        self._levels = max(self._levels, len(owners))
        self._count(number, 1)

    def remove(self, number: int) -> None:
        self._count(number, -1)
        del self._owners[number], self._weights[number]

    def _count(self, number: int, sign: int) -> None:
        weight = sign * self._weights[number]
        self.weight += weight
        for owner in self._owners[number][0]:
            self._shares[owner] += weight

    def pick(self) -> int:
        """The oldest file of those that have most."""
        found, shares = list(self._owners), self._shares
        for level in range(self._levels):
            if level:
                shares = self._shares_of(found, level)
            most = max(shares.values())
            greedy = {owner for owner, share in shares.items() if share == most}
            found = [n for n in found if not greedy.isdisjoint(self._on(level, n))]
        return found[0]

    def _shares_of(self, numbers: Iterable[int], level: int) -> Counter[str]:
        shares: Counter[str] = Counter()
        for number in numbers:
            weight = self._weights[number]
            for owner in self._on(level, number):
                shares[owner] += weight
        return shares

    def _on(self, level: int, number: int) -> Sequence[str]:
        owners = self._owners[number]
        return owners[level] if level < len(owners) else ("",)
