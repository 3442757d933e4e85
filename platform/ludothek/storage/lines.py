"""Lines for one file or stream, which a writer's thread writes there."""

from collections.abc import Callable
from typing import Protocol

from ludothek.kit.outage import Outage
from ludothek.storage.writer import Sink, Writer


class NotKept(Exception):
    """Lines that could not be written."""

    def __init__(self, lines: int, error: OSError) -> None:
        super().__init__(error.strerror or str(error))
        self.lines = lines


class LineFile(Protocol):
    """Takes whole lines."""

    def append(self, lines: bytes) -> None:
        """Write lines, in few pieces; raises NotKept."""

    def close(self) -> None: ...


class Lines(Sink[bytes]):
    """Hands lines to a writer and counts those that are lost.

    Callers of `put` count in `lines`, the thread in `_failed` and `_told`.
    """

    def __init__(
        self,
        writer: Writer,
        file: LineFile,
        *,
        called: str = "",
        note: Callable[[int], bytes] | None = None,
    ) -> None:
        """With a name, losses are reported to the log; with a note, to readers of the lines."""
        self.lines = 0  # handed in
        self.ended = False  # whether the thread has written the last one
        self._writer = writer
        self._file = file
        self._called = called
        self._note = note
        self._trouble = Outage(path=str(file))
        self._failed = 0  # lost because they could not be written
        self._told = 0  # losses that the file itself mentions

    @property
    def lost(self) -> int:
        return self.refused + self._failed

    def put(self, line: bytes) -> None:
        """Hand in a line, with its end; if too much is waiting, it is lost."""
        self.lines += 1
        if not self._writer.put(self, line, len(line)):
            self._report("the disk is too slow")

    def close(self) -> None:
        """End after the lines handed in so far."""
        self._writer.end(self)

    # In the thread

    def write(self, items: list[bytes], refused: int, *, caught_up: bool) -> None:
        lost = refused + self._failed
        try:
            if lost > self._told:
                if self._note:
                    self._file.append(self._note(lost - self._told))
                self._told = lost
            if items:
                self._file.append(b"".join(items))
        except NotKept as error:
            # If the note could not be written, neither could any line after it.
            noted = self._told == lost
            self._failed += min(error.lines, len(items)) if noted else len(items)
            self._report(str(error))
        else:
            if caught_up and self._called:
                self._trouble.worked(f"{self._called} is complete again", lost_so_far=lost)

    def end(self) -> None:
        self.write([], self.refused, caught_up=True)
        self._file.close()
        self.ended = True

    def _report(self, problem: str) -> None:
        if self._called:
            self._trouble.failed(f"{self._called} loses lines", problem)
