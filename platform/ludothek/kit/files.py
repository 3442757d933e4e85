"""Reading files without ever blocking the daemon."""

import os
import stat
from pathlib import Path


def read_small_file(path: Path, max_bytes: int) -> bytes:
    """The content of a regular file; a pipe or device, which could block, is refused.

    Raises:
      OSError: it cannot be read, is not a regular file, or is too long.
      ValueError: the path contains a zero byte.
    """
    with open(os.open(path, os.O_RDONLY | os.O_NONBLOCK), "rb") as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise OSError("not a regular file")
        content = file.read(max_bytes + 1)
    if len(content) > max_bytes:
        raise OSError(f"longer than {max_bytes} bytes")
    return content
