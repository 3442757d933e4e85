"""A file of lines that is rotated when it has reached a size limit."""

import os
from itertools import pairwise
from pathlib import Path

import attrs

from ludothek.storage.lines import NotKept
from ludothek.storage.private import make_private


@attrs.frozen(kw_only=True)
class RotationPolicy:
    """The size limit of each file, and how many rotated files are kept."""

    max_bytes: int = 64 * 1024 * 1024
    older_files: int = 2


class RotatingFile:
    """Appends whole lines; at the limit the file becomes ``.1``, that one ``.2``, and so on."""

    def __init__(self, path: Path, rotation: RotationPolicy) -> None:
        self._path = path
        self._rotation = rotation
        self._file: int | None = None
        self._size = 0
        self._torn = False  # whether the last line is incomplete

    def __str__(self) -> str:
        return str(self._path)

    def append(self, lines: bytes) -> None:
        rest = memoryview(lines)
        try:
            file = self._ready(len(lines))
            if self._torn:
                self._write(file, memoryview(b"\n"))
                self._torn = False
            while rest:
                written = self._write(file, rest)
                self._torn = rest[written - 1] != ord("\n")
                rest = rest[written:]
        except OSError as error:
            raise NotKept(bytes(rest).count(b"\n"), error) from None

    def tail(self, size: int) -> list[bytes]:
        """About that many bytes of lines that were written last, the first of them perhaps cut."""
        text = _last_bytes(self._path, size)
        if len(text) < size:  # it may have been rotated just now
            text = _last_bytes(self._older(1), size - len(text)) + text
        return text.splitlines()

    def close(self) -> None:
        if self._file is not None:
            os.close(self._file)
            self._file = None

    def _write(self, file: int, data: memoryview) -> int:
        written = os.write(file, data)
        self._size += written
        return written

    def _ready(self, size: int) -> int:
        """The open file, after rotation if it has no room for that many bytes."""
        if self._file is None or not self._still_there(self._file):
            self.close()
            self._file = self._open()
        if self._size and self._size + size > self._rotation.max_bytes:
            self.close()
            self._rotate()
            self._file = self._open()
        return self._file

    def _still_there(self, file: int) -> bool:
        """Whether the path still leads to this file, so that others can read what we write."""
        try:
            return os.path.samestat(os.stat(self._path), os.fstat(file))
        except FileNotFoundError:
            return False

    def _open(self) -> int:
        make_private(self._path.parent)
        file = os.open(self._path, os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o600)
        self._size = os.fstat(file).st_size
        # A daemon that was killed may have left half a line.
        self._torn = self._size > 0 and os.pread(file, 1, self._size - 1) != b"\n"
        return file

    def _rotate(self) -> None:
        names = [self._path, *map(self._older, range(1, self._rotation.older_files + 1))]
        names[-1].unlink(missing_ok=True)
        for younger, older in reversed(list(pairwise(names))):
            if younger.exists():
                younger.rename(older)

    def _older(self, age: int) -> Path:
        return self._path.with_name(f"{self._path.name}.{age}")


def _last_bytes(path: Path, size: int) -> bytes:
    try:
        with open(path, "rb") as file:
            file.seek(max(0, os.fstat(file.fileno()).st_size - size))
            return file.read(size)
    except OSError:  # there is nothing yet, or nothing that can be read
        return b""
