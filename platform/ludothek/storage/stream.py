"""A descriptor that takes lines, such as standard error."""

import os
import select

from ludothek.storage.lines import NotKept


class Stream:
    """Writes to a descriptor, however long its reader takes.

    A stopped terminal, a pager or a hanging journal can block a write forever.
    """

    def __init__(self, descriptor: int) -> None:
        # Not a file object: a thread that hangs with its lock would spoil the exit code.
        self._descriptor = descriptor

    def append(self, lines: bytes) -> None:
        rest = lines
        try:
            while rest:
                try:
                    rest = rest[os.write(self._descriptor, rest) :]
                except BlockingIOError:  # another process has made it non-blocking
                    select.select([], [self._descriptor], [])
        except OSError as error:  # the reader is gone, or the disk is full
            raise NotKept(rest.count(b"\n"), error) from None

    def close(self) -> None:
        """Do nothing: whoever opened the descriptor closes it."""
