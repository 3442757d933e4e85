"""Reading files that somebody names, inside a daemon that must never wait for them."""

import os
import stat
from pathlib import Path


def read_small_file(path: Path, max_bytes: int) -> bytes:
    """What is in a file; whatever could keep the reader waiting is no file.

    Raises:
      OSError: it cannot be read, is no regular file, or is too long.
      ValueError: the path is none.
    """
    with open(os.open(path, os.O_RDONLY | os.O_NONBLOCK), "rb") as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise OSError("not a regular file")
        content = file.read(max_bytes + 1)
    if len(content) > max_bytes:
        raise OSError(f"longer than {max_bytes} bytes")
    return content
