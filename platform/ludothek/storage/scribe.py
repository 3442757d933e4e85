"""Writes the log in a thread of its own: who does not read it must not stop the games."""

import os
import select
from collections.abc import Callable
from queue import SimpleQueue
from threading import Lock, Thread

# Characters that may wait for a reader: some ten thousand lines.
MAX_WAITING = 4 * 1024 * 1024

# Seconds that the last lines may take to be written at the end.
LAST_SECONDS = 1.0


class Scribe:
    """Lines for a descriptor, and the thread that writes them.

    A terminal that is stopped, a pager, a journal that hangs: a write to them can take for ever.
    """

    def __init__(
        self, descriptor: int, tell_lost: Callable[[int], str], max_waiting: int = MAX_WAITING
    ) -> None:
        self._descriptor = descriptor
        self._tell_lost = tell_lost
        self._max_waiting = max_waiting
        # A line; or how many are missing at this point; or the end.
        self._queue: SimpleQueue[str | int | None] = SimpleQueue()
        self._taking = Lock()  # any thread may have something to say
        self._taken = 0  # characters
        self._refused = 0  # lines, all together
        self._told = 0  # how many of those the queue knows of
        self._written = 0  # characters; counted by the thread, as are the next two
        self._failed = 0  # lines, all together
        self._missing = 0  # lines that the reader has not been told of
        self._thread = Thread(target=self._work, name="log", daemon=True)
        self._thread.start()

    @property
    def lost(self) -> int:
        """Lines that could not be written."""
        return self._refused + self._failed

    def write(self, text: str) -> None:
        """Have it written soon; if too much waits already, it is lost."""
        with self._taking:
            if self._taken - self._written + len(text) > self._max_waiting:
                self._refused += 1
                return
            if self._told < self._refused:
                self._queue.put(self._refused - self._told)
                self._told = self._refused
            self._taken += len(text)
            self._queue.put(text)

    def close(self, seconds: float = LAST_SECONDS) -> None:
        """Write what waits, unless that takes too long."""
        self._queue.put(None)
        self._thread.join(seconds)

    # In the thread

    def _work(self) -> None:
        while (item := self._queue.get()) is not None:
            if isinstance(item, int):
                self._missing += item
            else:
                self._write_line(item)
                self._written += len(item)

    def _write_line(self, text: str) -> None:
        try:
            if self._missing:
                self._write(self._tell_lost(self._missing))
                self._missing = 0
            self._write(text)
        except OSError:  # nobody is there any more, or the disk is full
            self._failed += 1
            self._missing += 1

    def _write(self, text: str) -> None:
        # Not through sys.stderr: a thread that hangs with its lock would spoil the exit code.
        rest = text.encode(errors="backslashreplace")
        while rest:
            try:
                rest = rest[os.write(self._descriptor, rest) :]
            except BlockingIOError:  # somebody else has made it so
                select.select([], [self._descriptor], [])
