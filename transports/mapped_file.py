"""A file whose bytes are memory: what is written there survives the process, without a system call.

Even a process that is killed between two instructions leaves behind everything that it has stored:
the pages belong to the file. A store through `words` is one instruction, so it is all or nothing;
`struct` fills its place with zeros first.
"""

import mmap
import os
from contextlib import suppress
from pathlib import Path


class MappedFile:
    """A mapping that never fails: its blocks are reserved, so a full disk is an error when they
    are asked for, and not a signal when they are used."""

    __slots__ = ("_fd", "_page", "map", "size", "words")

    def __init__(self, path: Path | None, size: int) -> None:
        """Create the file; without a path it is memory that ends with the process.

        Raises:
          OSError: there is no room, or the directory cannot be written to.
        """
        self._fd = -1
        self.size = size
        if path is not None:
            # Never a file that is there already: it may be another user's, or a link to any file.
            with suppress(FileNotFoundError):
                path.unlink()
            self._fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        try:
            if path is not None:
                os.posix_fallocate(self._fd, 0, size)
            self.map = mmap.mmap(self._fd, size)
            # The first page once more, since a mapping that somebody looks at cannot grow.
            self._page = mmap.mmap(self._fd, min(size, mmap.PAGESIZE))
            self.words = memoryview(self._page).cast("@Q")
        except BaseException:
            self._forget_descriptor()
            raise

    def grow(self, size: int) -> None:
        """Have room for that many bytes; raises OSError like the constructor."""
        os.posix_fallocate(self._fd, 0, size)
        self.map.resize(size)
        self.size = size

    def is_at(self, path: Path) -> bool:
        """Whether whoever looks there finds this file."""
        try:
            return os.path.samestat(os.fstat(self._fd), path.stat())
        except OSError:
            return False

    def close(self) -> None:
        self.words.release()
        self._page.close()
        self.map.close()
        self._forget_descriptor()

    def _forget_descriptor(self) -> None:
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1
