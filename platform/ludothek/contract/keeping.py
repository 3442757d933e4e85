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


@frozen(kw_only=True)
class Room:
    """How much is kept in a folder, and how a file's name tells whose it is."""

    files: int
    bytes: float = inf
    claim: Callable[[str], Claim] = no_claim


@frozen
class Kept:
    """A file in a folder."""

    name: str
    size: int
    claim: Claim


Weigh = Callable[[Kept], int]


def superfluous(files: Iterable[Kept], room: Room) -> Iterator[Kept]:
    """The files to remove, given all files from oldest to newest; one of them always stays."""
    rest = list(files)
    yield from _thin_out(rest, room.files, lambda file: 1)
    yield from _thin_out(rest, room.bytes, lambda file: file.size)


def _thin_out(files: list[Kept], most: float, weigh: Weigh) -> Iterator[Kept]:
    total = sum(map(weigh, files))
    while total > most and len(files) > 1:
        victim = _pick(files, most, weigh)
        files.remove(victim)
        total -= weigh(victim)
        yield victim


def _pick(files: Sequence[Kept], most: float, weigh: Weigh) -> Kept:
    slight = [file for file in files if file.claim.slight]
    too_many = sum(map(weigh, slight)) > most * SLIGHT_PART
    pool = slight if too_many else [file for file in files if not file.claim.slight]
    for level in range(max((len(file.claim.owners) for file in pool), default=0)):
        pool = _of_the_greediest(pool, level, weigh)
    return (pool or files)[0]


def _of_the_greediest(files: Sequence[Kept], level: int, weigh: Weigh) -> list[Kept]:
    shares: Counter[str] = Counter()
    for file in files:
        for owner in _owners(file, level):
            shares[owner] += weigh(file)
    most = max(shares.values())
    return [file for file in files if any(shares[one] == most for one in _owners(file, level))]


def _owners(file: Kept, level: int) -> Sequence[str]:
    """The owners on a level; files without an owner share one."""
    owners = file.claim.owners
    return (level < len(owners) and tuple(set(owners[level]))) or ("",)
