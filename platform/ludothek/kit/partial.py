"""Unfinished files: hidden in the directory they belong to until they are complete."""

import fcntl
import os
import re
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

# Their names: a dot, the final name, and something random.
_NAME = re.compile(r"\..+\.([0-9a-f]{16}|\d{1,10})")


@contextmanager
def partial_file(path: Path, mode: int = 0o666) -> Iterator[Path]:
    """An empty file beside `path`, to be filled and renamed to it; otherwise it is removed.

    It is locked while it is being written, unlike what a crash leaves behind.
    """
    while True:
        partial = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
        lock = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not os.fstat(lock).st_nlink:
                continue  # a sweep between the two calls took it for abandoned
            yield partial
            return
        finally:
            partial.unlink(missing_ok=True)
            os.close(lock)


def sweep(folder: Path) -> None:
    """Remove unfinished files that crashes have left in a folder, as far as possible."""
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
