"""Files that are not finished yet: hidden beside the place where they belong, until they are."""

import fcntl
import os
import re
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

# How they are called: a dot, the name they will have, and something nobody else has chosen.
_NAME = re.compile(r"\..+\.([0-9a-f]{16}|\d{1,10})")


@contextmanager
def partial_file(path: Path, mode: int = 0o666) -> Iterator[Path]:
    """An empty file beside `path`, to be filled and then put there; otherwise it is removed.

    It is locked as long as somebody writes to it, which tells it from what a crash has left.
    """
    while True:
        partial = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
        lock = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not os.fstat(lock).st_nlink:
                continue  # taken for a remainder, between the two calls
            yield partial
            return
        finally:
            partial.unlink(missing_ok=True)
            os.close(lock)


def sweep(folder: Path) -> None:
    """Remove what crashes have left of files in a folder; what cannot be removed stays."""
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            if _NAME.fullmatch(entry.name) and entry.is_file(follow_symlinks=False):
                with suppress(OSError):
                    _remove_if_abandoned(entry.path)


def _remove_if_abandoned(path: str) -> None:
    lock = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        os.unlink(path)
    finally:
        os.close(lock)
