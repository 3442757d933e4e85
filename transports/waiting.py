"""The backlog of all slow peers together."""

from typing import Protocol

# The share of the limit to which the total is reduced, so that not every frame causes a search.
CLEARED = 0.75


class SlowPeer(Protocol):
    """A peer with a backlog."""

    @property
    def waiting_bytes(self) -> int: ...

    def give_up(self) -> None:
        """Drop it, and discard its backlog."""


class Waiting:
    """Counts bytes; a broadcast frame is one object, and counts once."""

    def __init__(self) -> None:
        self.bytes = 0
        self.peers: set[SlowPeer] = set()
        self._copies: dict[int, int] = {}  # in how many queues a piece is, by its identity

    def keep(self, piece: bytes) -> None:
        copies = self._copies.get(id(piece), 0)
        if not copies:
            self.bytes += len(piece)
        self._copies[id(piece)] = copies + 1

    def release(self, piece: bytes) -> None:
        copies = self._copies.pop(id(piece)) - 1
        if copies:
            self._copies[id(piece)] = copies
        else:
            self.bytes -= len(piece)

    def make_room(self, most: int) -> None:
        """If too much is waiting, drop peers, starting with the largest backlogs."""
        if self.bytes <= most:
            return
        for peer in sorted(self.peers, key=lambda peer: peer.waiting_bytes, reverse=True):
            if self.bytes <= CLEARED * most:
                return
            peer.give_up()
