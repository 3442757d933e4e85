"""What waits for all slow peers together."""

from collections.abc import Iterable
from typing import Protocol

# How much of the room is left once it was exceeded: not every frame shall lead to a search.
CLEARED = 0.75


class SlowPeer(Protocol):
    """Somebody for whom frames wait."""

    @property
    def waiting_bytes(self) -> int: ...

    def give_up(self) -> None:
        """Wait for it no longer, and forget what waits for it."""


class Waiting:
    """Counts bytes; a frame that waits for many peers is one object, and counts once."""

    def __init__(self) -> None:
        self.bytes = 0
        self.peers: set[SlowPeer] = set()
        self._copies: dict[int, int] = {}  # in how many queues a frame is, by its identity

    def keep(self, frame: bytes) -> None:
        copies = self._copies.get(id(frame), 0)
        if not copies:
            self.bytes += len(frame)
        self._copies[id(frame)] = copies + 1

    def release(self, frame: bytes) -> None:
        copies = self._copies.pop(id(frame)) - 1
        if copies:
            self._copies[id(frame)] = copies
        else:
            self.bytes -= len(frame)

    def leave(self, peer: SlowPeer, frames: Iterable[bytes]) -> None:
        """Nothing waits for a peer any more."""
        self.peers.discard(peer)
        for frame in frames:
            self.release(frame)

    def make_room(self, most: int) -> None:
        """If more waits than may, give peers up, those first for whom most waits."""
        if self.bytes <= most:
            return
        for peer in sorted(self.peers, key=lambda peer: peer.waiting_bytes, reverse=True):
            if self.bytes <= CLEARED * most:
                return
            peer.give_up()
