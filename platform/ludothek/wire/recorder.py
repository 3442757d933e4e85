"""Writes the wire log in a thread of its own, so that no disk ever disturbs a game."""

from contextlib import suppress
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Thread

from ludothek.storage.rotating_file import Limits
from ludothek.wire.recording import Recording

# What may wait for the disk, of all files together: some seconds of a busy evening.
MAX_LINES = 50_000
MAX_BYTES = 32 * 1024 * 1024

# Bytes that are written at once.
BATCH_BYTES = 256 * 1024

# Seconds that the last lines may take to be written at the end.
LAST_SECONDS = 1.0

# A line for a file; without a line, the end of that file; without a file, the end of everything.
Item = tuple[Recording | None, bytes | None]
END: Item = (None, None)


class Recorder:
    """A bounded queue of lines, and the thread that empties it; it starts with the first line."""

    def __init__(self, max_lines: int = MAX_LINES, max_bytes: int = MAX_BYTES) -> None:
        self._max_lines, self._max_bytes = max_lines, max_bytes
        self._queue: SimpleQueue[Item] = SimpleQueue()
        self._thread: Thread | None = None
        self._taken = 0  # bytes; counted by the event loop
        self._done = 0  # bytes; counted by the thread

    def open(
        self, path: Path, limits: Limits, *, called: str = "the wire log", notes: bool = True
    ) -> Recording:
        """A file to which lines can be added; it is made when the first one is written.

        Where lines are lost it says so in the file itself, unless it has no such notes.
        """
        return Recording(path, limits, self._take, called=called, notes=notes)

    def _take(self, recording: Recording, line: bytes | None) -> bool:
        if line is not None:
            waiting = self._taken - self._done
            if self._queue.qsize() >= self._max_lines or waiting + len(line) > self._max_bytes:
                return False
            self._taken += len(line)
        self._queue.put((recording, line))
        if self._thread is None:
            # What writes to a dead disk may hang for ever: the process does not wait for it.
            self._thread = Thread(target=self._work, name="wire log", daemon=True)
            self._thread.start()
        return True

    def close(self, seconds: float = LAST_SECONDS) -> None:
        """Write what waits, unless that takes too long."""
        if self._thread is not None:
            self._queue.put(END)
            self._thread.join(seconds)
            self._thread = None

    # In the thread

    def _work(self) -> None:
        files: set[Recording] = set()
        going = True
        while going:
            batch = self._batch()
            self._write(batch)
            files |= {recording for recording, _ in batch if recording}
            going = END not in batch
            ended = {r for r, line in batch if r and line is None} if going else files
            for recording in ended:
                recording.end()
            files -= ended

    def _write(self, batch: list[Item]) -> None:
        lines: dict[Recording, list[bytes]] = {}
        for recording, line in batch:
            if recording and line:
                lines.setdefault(recording, []).append(line)
        caught_up = self._queue.empty()
        for recording, some in lines.items():
            data = b"".join(some)
            recording.write(data, caught_up=caught_up)
            self._done += len(data)

    def _batch(self) -> list[Item]:
        """What waits, but not too much of it; at least one item."""
        items = [self._queue.get()]
        size = 0
        with suppress(Empty):
            while size < BATCH_BYTES:
                items.append(self._queue.get_nowait())
                size += len(items[-1][1] or b"")
        return items
