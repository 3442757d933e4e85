"""A recording of the wire log, read while it is being written."""

from collections import deque
from collections.abc import Callable
from pathlib import Path
from typing import Any

import attrs
import trio

from ludothek.web.events import COMMENT, Event
from ludothek.web.feed import Say
from ludothek.wire.reading import read_line
from ludothek.wire.rendering import spread
from ludothek.wire.tail import Tail

# Seconds between two looks at the file, and between two signs of life.
LOOK_SECONDS = 0.5
ALIVE_SECONDS = 15.0

# Read at once; whatever else has come since the last time is left out, as nobody reads so fast.
MAX_BYTES = 256 * 1024
MAX_LINES = 200
# Characters of a frame that are shown; the file has all of them.
MAX_TEXT = 8000


@attrs.frozen
class Batch:
    """Lines for people, and how many were left out before them."""

    entries: list[dict[str, Any]]
    skipped: int


class WireStream:
    """Follows the file of one recording for one browser."""

    def __init__(self, path: Path, is_recorded: Callable[[], bool]) -> None:
        self._path = path
        self._is_recorded = is_recorded
        self._tail: Tail | None = None

    async def tell(self, say: Say, goes_on: Callable[[], bool]) -> None:
        """Say what is in the file now, and what is added, until the recording ends."""
        silent_since = trio.current_time()
        try:
            while goes_on():
                # In this order, so that the last lines are read, too.
                recorded = self._is_recorded()
                batch = await trio.to_thread.run_sync(self._read, abandon_on_cancel=True)
                now = trio.current_time()
                if batch.entries or batch.skipped:
                    await say(Event.of("lines", attrs.asdict(batch)).text)
                    silent_since = now
                elif now - silent_since >= ALIVE_SECONDS:
                    await say(COMMENT)
                    silent_since = now
                if not recorded:
                    await say(Event.of("end", {}).text)
                    return
                await trio.sleep(LOOK_SECONDS)
        finally:
            if self._tail is not None:
                self._tail.close()

    def _read(self) -> Batch:
        """In a thread, as it waits for a disk."""
        try:
            if self._tail is None:
                self._tail = Tail(self._path)
            skipped = self._tail.skip_to_end(MAX_BYTES)
            lines: deque[bytes] = deque(maxlen=MAX_LINES)
            for line in self._tail.read():
                skipped += len(lines) == MAX_LINES
                lines.append(line)
        except FileNotFoundError:
            return Batch([], 0)  # the first line is about to be written
        return Batch([_show(line) for line in lines], skipped)


def _show(line: bytes) -> dict[str, Any]:
    entry = read_line(line)
    text, cut = entry.text, len(entry.text) > MAX_TEXT
    pretty = spread(text) if entry.direction and not cut else None
    return {
        "time": entry.time.timestamp() if entry.time else None,
        "direction": entry.direction,
        "client": entry.client,
        "name": entry.name,
        "lobby": entry.lobby,
        "text": f"{text[:MAX_TEXT]}…" if cut else "\n".join(pretty) if pretty else text,
    }
