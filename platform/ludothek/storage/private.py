"""Folders that only the daemon's user may look into."""

from pathlib import Path


def make_private(folder: Path) -> None:
    """Create a folder, and those above it that are missing, for this user alone; raises OSError.

    Unlike `Path.mkdir`, which leaves those above it to the umask.
    """
    if folder.is_dir():
        return  # as nearly always
    missing = [each for each in (folder, *folder.parents) if not each.is_dir()]
    for each in reversed(missing):
        each.mkdir(mode=0o700, exist_ok=True)
