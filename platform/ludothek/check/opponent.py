"""The links of opponents that do not simply play."""

from collections.abc import Callable, Sequence
from math import inf

import attrs
import trio

from ludothek.contract.situation import Opponents
from transports import Farewell, Frame
from transports.memory import MemoryLink

# No protocol can read this, and no framer is asked to.
NONSENSE = b"<]nonsense"

# Messages of the match that an opponent sends before it does something else.
BEFORE = 1

# Seconds for which a slow one thinks.
SLOW_SECONDS = 1.5

# How often one that is to be expelled sends nonsense, at most.
MOST = 40


@attrs.define
class OpponentLink:
    """As `play` needs it; what the bot says passes through here."""

    link: MemoryLink
    conduct: Opponents
    playing: Callable[[], bool]  # whether the match runs
    says: Sequence[bytes]  # frames to be sent when it has begun
    is_refusal: Callable[[bytes], bool]
    _sent: int = 0  # while it runs
    _strayed: bool = False

    async def receive(self) -> Frame:
        """The next frame, but not the answer to what the bot has not said."""
        frame = await self.link.receive()
        if self._strayed and isinstance(frame, bytes) and self.is_refusal(frame):
            self._strayed = False
            return await self.link.receive()
        return frame

    async def send(self, frame: bytes) -> None:
        """Send it, unless the opponent misbehaves: then perhaps late, or not at all."""
        if self.playing():
            self._sent += 1
            if self._sent == 1:
                for more in self.says:
                    await self.link.send(more)
            if self._sent > BEFORE:
                await self._misbehave()
        await self.link.send(frame)

    async def _misbehave(self) -> None:
        match self.conduct:
            case Opponents.ARE_SLOW:
                await trio.sleep(SLOW_SECONDS)
            case Opponents.LEAVE:
                await self.link.aclose(Farewell.DONE)
                raise trio.EndOfChannel
            case Opponents.STRAY if self._sent == BEFORE + 1:
                self._strayed = True
                await self.link.send(NONSENSE)
            case Opponents.ARE_EXPELLED if self._sent == BEFORE + 1:
                for _ in range(MOST):  # some servers bear it
                    await self.link.send(NONSENSE)
                    await trio.sleep(0.01)
            case Opponents.ARE_SILENT:
                await trio.sleep(inf)
