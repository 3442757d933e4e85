"""The names of replays in the state directory, and what they say about their owners."""

import hashlib
import re
from collections.abc import Iterable, Sequence
from datetime import datetime

from games.quidditch.codec.containers import timestamp
from ludothek.contract.keeping import Claim

# Digits that stand for an address: so few that a million addresses share the same ones.
SIGN = 3

_NAME = re.compile(
    r"[\d-]{23}_[A-Za-z0-9]+_([A-Za-z0-9]+)_([A-Za-z0-9]+)"
    rf"(?:_([0-9a-f]{{{SIGN}}})(?:-([0-9a-f]{{{SIGN}}}))?)?(_brief)?(?:-\d+)?\.json"
)


def name(
    date: datetime, lobby: str, players: Iterable[str], tags: Iterable[str], *, brief: bool
) -> str:
    """A name that sorts by time; user and lobby names contain only letters and digits."""
    parts = [re.sub(r"\D", "-", timestamp(date)), lobby, *players]
    if places := "-".join(tags):
        parts.append(places)
    if brief:
        parts.append("brief")
    return "_".join(parts) + ".json"


def tags(origins: Iterable[str]) -> Sequence[str]:
    """Digits for the addresses that players come from."""
    return [hashlib.sha256(each.encode()).hexdigest()[:SIGN] for each in sorted({*origins})]


def claim(name: str) -> Claim:
    """Each address has its share, and within an address each player."""
    found = _NAME.fullmatch(name)
    if found is None:
        return Claim()
    left, right, *places, brief = found.groups()
    return Claim(([place for place in places if place], [left, right]), slight=bool(brief))
