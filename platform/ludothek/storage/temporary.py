"""A directory of one's own among the temporary files, where anybody may have been first."""

import os
import tempfile
from contextlib import suppress
from pathlib import Path


def own_directory() -> Path | None:
    """Where it is, whether or not it is there; None if this machine has no place for it."""
    try:
        return Path(tempfile.gettempdir()) / f"ludothek-{os.getuid()}"
    except FileNotFoundError:  # a container whose files cannot be written to
        return None


def make_own_directory() -> Path | None:
    """The same, made for this user alone; None if that is not possible."""
    directory = own_directory()
    if directory is None:
        return None
    with suppress(OSError):
        directory.mkdir(mode=0o700)
    return directory if is_ours(directory) else None


def is_ours(directory: Path) -> bool:
    """Whether this user made it."""
    try:
        return directory.lstat().st_uid == os.getuid()
    except OSError:
        return False
