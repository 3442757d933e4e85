"""What was told to a table lately, for the report of a crash."""

from collections import deque
from collections.abc import Iterator
from typing import Any, NamedTuple

from ludothek.client import Client

# A whole match fits in all our games, and a lobby still costs a few kilobytes; long messages
# (chat) push out older ones.
HAPPENINGS = 500
HAPPENING_BYTES = 256 * 1024


class Happening(NamedTuple):
    """Something that was told to the table."""

    time: float
    what: str
    who: int | None  # the number of a client; the client itself and all that is its may be gone
    args: tuple[Any, ...]
    size: int  # of the message that was heard

    def __str__(self) -> str:
        words = [] if self.who is None else [f"<client {self.who}>"]
        return f"{self.time:.3f} {self.what}({', '.join([*words, *map(repr, self.args)])})"


class Journal:
    """The latest happenings, limited in number and in bytes."""

    __slots__ = ("_bytes", "_happenings")

    def __init__(self) -> None:
        self._happenings: deque[Happening] = deque()
        self._bytes = 0

    def __iter__(self) -> Iterator[Happening]:
        return iter(self._happenings)

    def __len__(self) -> int:
        return len(self._happenings)

    def note(self, time: float, what: str, args: tuple[Any, ...]) -> None:
        if args and isinstance(client := args[0], Client):
            size = client.heard_bytes if what == "receive" else 0
            happening = Happening(time, what, client.number, args[1:], size)
            self._bytes += size
        else:
            happening = Happening(time, what, None, args, 0)
        self._happenings.append(happening)
        while len(self._happenings) > HAPPENINGS or self._bytes > HAPPENING_BYTES:
            self._bytes -= self._happenings.popleft().size
