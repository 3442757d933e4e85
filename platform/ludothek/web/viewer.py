"""A browser that follows a broadcast."""

import os
from contextlib import suppress

import trio

# A browser that accepts nothing for so long is dropped.
PATIENCE = 30.0

NOTHING = memoryview(b"")

# Of an answer in chunks. Without it, browsers take the end for a broken connection.
END = b"0\r\n\r\n"


class Viewer:
    """The end of one HTTP answer, which is written without waiting.

    What a browser has no room for is not kept: it skips to the newest event when it reads again.
    """

    __slots__ = ("_descriptor", "_dropped", "_rest", "behind", "gone")

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._dropped = False
        self._rest = NOTHING  # of what it was sent last; the bytes are everybody's
        self.behind = False  # whether it has missed something
        self.gone = trio.CancelScope()  # cancelled to drop it

    @property
    def stuck(self) -> bool:
        """Whether it has not read all that it was sent."""
        return bool(self._rest)

    def push(self, data: bytes) -> bool:
        """Send this, unless there is no room; whether it waits for room from now on."""
        if self._dropped:
            return False  # the descriptor may be somebody else's by now
        if self._rest:
            self.behind = True
            return False
        return self._write(data)

    def _write(self, data: bytes | memoryview) -> bool:
        """Send as much as there is room for; whether something is left."""
        try:
            written = os.write(self._descriptor, data)
        except BlockingIOError:
            written = 0
        except OSError:
            self.drop()
            return False
        if written == len(data):
            self._rest = NOTHING
            return False
        self._rest = memoryview(data)[written:]
        return True

    def finish(self) -> None:
        """End the answer as HTTP wants it, if all that was sent before has been read."""
        if not self._rest:
            self.push(END)
        self.drop()

    def drop(self) -> None:
        """End the connection."""
        self._dropped, self._rest = True, NOTHING
        self.gone.cancel()

    async def catch_up(self) -> None:
        """Wait until it has read what it was sent; drop it if that takes too long."""
        while self._rest:
            with trio.move_on_after(PATIENCE) as patience, suppress(trio.ClosedResourceError):
                await trio.lowlevel.wait_writable(self._descriptor)
                self._write(self._rest)
                continue
            if patience.cancelled_caught or self._rest:
                self.drop()
