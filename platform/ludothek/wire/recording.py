"""One file of the wire log, between the event loop that fills it and the thread that writes it."""

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from ludothek.kit.trouble import Trouble
from ludothek.storage.rotating_file import Limits, NotKept, RotatingFile
from ludothek.wire.line import note_line


class Recording:
    """Lines for one file.

    The event loop counts in `lines` and `_refused`, the thread in `_failed` and `_noted`: each
    number has one writer, so nothing has to be locked.
    """

    def __init__(
        self,
        path: Path,
        limits: Limits,
        take: Callable[["Recording", bytes | None], bool],
        *,
        called: str = "the wire log",
        notes: bool = True,
    ) -> None:
        self.path = path
        self._called = called
        self._notes = notes
        self.lines = 0  # handed in
        self.ended = False  # whether the thread has written the last one
        self._take = take
        self._file = RotatingFile(path, limits)
        self._trouble = Trouble(path=str(path))
        self._refused = 0  # lost because too many waited
        self._failed = 0  # lost because they could not be written
        self._noted = 0  # losses that the file itself tells of

    @property
    def lost(self) -> int:
        return self._refused + self._failed

    def put(self, line: bytes) -> None:
        """Hand in a line, with its end; if too many wait already it is lost."""
        self.lines += 1
        if not self._take(self, line):
            self._refused += 1
            self._trouble.failed(f"{self._called} loses lines", "the disk is too slow")

    def close(self) -> None:
        """End it after the lines handed in so far."""
        self._take(self, None)

    # In the thread

    def write(self, lines: bytes, *, caught_up: bool) -> None:
        """Write lines; if nothing waits any more, whatever was wrong is over."""
        lost = self.lost
        try:
            if self._notes and lost > self._noted:
                self._file.append(note_line(datetime.now(UTC), "lost", lines=lost - self._noted))
                self._noted = lost
            if lines:
                self._file.append(lines)
        except NotKept as error:
            # If already the note has failed, so have all lines after it.
            noting = self._notes and lost > self._noted
            self._failed += lines.count(b"\n") if noting else error.lines
            self._trouble.failed(f"{self._called} loses lines", str(error))
        else:
            if caught_up:
                self._trouble.worked(f"{self._called} is complete again", lost_so_far=lost)

    def end(self) -> None:
        """Write what is left to say, and no more."""
        self.write(b"", caught_up=True)
        self._file.close()
        self.ended = True
