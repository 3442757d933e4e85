"""A match that has begun."""

from base64 import b32encode
from hashlib import blake2b

from ludothek.contract.effects import Began
from ludothek.contract.frozen import frozen

# Characters of a match's id, each of which stands for five bits of a hash.
ID = 10


@frozen
class Begun:
    """Who plays, and since when."""

    began: Began
    time: float
    date: float
    id: str  # the same for this match in every process, and in its record

    @classmethod
    def at(cls, began: Began, time: float, date: float, game: str, lobby: str) -> "Begun":
        """A match of that game that begins now, in the lobby of that key."""
        # Half a character in a key must not end the match.
        told = f"{game}\n{lobby}\n{date!r}".encode(errors="backslashreplace")
        digest = blake2b(told, digest_size=ID).digest()
        return cls(began, time, date, b32encode(digest).decode()[:ID].lower())
