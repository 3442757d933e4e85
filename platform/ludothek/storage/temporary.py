"""A private directory among the temporary files, where another user may have been first."""

import os
import tempfile
from contextlib import suppress
from pathlib import Path


def own_directory() -> Path | None:
    """Its path, whether or not it exists; None if there is no directory for temporary files."""
    try:
        return Path(tempfile.gettempdir()) / f"ludothek-{os.getuid()}"
    except FileNotFoundError:  # a container with a read-only file system
        return None


def make_own_directory() -> Path | None:
    """Create it for this user alone; None if that is not possible."""
    directory = own_directory()
    if directory is None:
        return None
    with suppress(OSError):
        directory.mkdir(mode=0o700)
    return directory if is_ours(directory) else None


def is_ours(directory: Path) -> bool:
    """Whether it belongs to this user."""
    try:
        return directory.lstat().st_uid == os.getuid()
    except OSError:
        return False
