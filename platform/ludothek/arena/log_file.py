"""The output of a program, cut to a size."""

from pathlib import Path


def cut(path: Path, most: int) -> bytes:
    """The beginning and the end of a file, if it is longer than that many bytes; blocks on I/O."""
    try:
        size = path.stat().st_size
        with path.open("rb") as file:
            if size <= most:
                return file.read(most)
            beginning = file.read(most // 2)
            file.seek(size - (most - most // 2))
            end = file.read(most)
    except FileNotFoundError:
        return b""
    return b"%s\n[%d bytes are left out here]\n%s" % (beginning, size - most, end)
