"""What is kept when not everything can be: fair shares, so that nobody decides by making most."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from math import inf

from ludothek.frozen import frozen

# The part of the room that files of little worth may have when there is not enough for all.
SLIGHT_PART = 0.1


@frozen
class Claim:
    """For whom a file is kept, on one level or several: first the address, then the player.

    Whoever has most of the room on the first level gives some back; of several who share it, the
    one who has most on the next level.
    """

    owners: Sequence[Sequence[str]] = ()
    slight: bool = False  # hardly worth keeping


def no_claim(name: str) -> Claim:
    return Claim()


@frozen(kw_only=True)
class Room:
    """How much is kept in a folder, and how to tell from a file's name for whom."""

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
    """Those that have to go, of files with the oldest first; one of them always stays."""
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
    """Those on a level; files of nobody are all nobody's."""
    owners = file.claim.owners
    return (level < len(owners) and tuple(set(owners[level]))) or ("",)
