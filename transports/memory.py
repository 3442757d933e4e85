"""A connection inside this process, for players that the daemon itself brings along."""

import attrs
import trio

from transports.link import Farewell, Unreadable

# Frames under way in one direction. The reader is a task of ours that reads whenever it can.
ROOM = 100


@attrs.define(eq=False)
class MemoryLink:
    """One end of it."""

    _outgoing: trio.MemorySendChannel[bytes]
    _incoming: trio.MemoryReceiveChannel[bytes]
    peer: str = "this server"
    farewell: Farewell | None = None

    async def receive(self) -> bytes | Unreadable:
        return await self._incoming.receive()

    async def send(self, frame: bytes) -> None:
        await self._outgoing.send(frame)

    async def aclose(self, farewell: Farewell = Farewell.DONE) -> None:
        self.close(farewell)
        await trio.lowlevel.checkpoint()

    def close(self, farewell: Farewell = Farewell.DONE) -> None:
        self.farewell = farewell
        self._outgoing.close()
        self._incoming.close()


def memory_link_pair(room: int = ROOM) -> tuple[MemoryLink, MemoryLink]:
    """Two ends; `room` frames may be under way before a sender has to wait."""
    there = trio.open_memory_channel[bytes](room)
    back = trio.open_memory_channel[bytes](room)
    return MemoryLink(there[0], back[1]), MemoryLink(back[0], there[1])
