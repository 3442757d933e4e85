"""Directories for the programs of one game, which do not outlive it."""

import fcntl
import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

# The names of those that are in use, or were when somebody was killed. They get their name once
# they are locked: one that has a name and no lock is abandoned.
PREFIX, NEW = "ludothek-play-", ".ludothek-play-"


@contextmanager
def scratch() -> Iterator[Path]:
    """An empty directory that is removed, whatever programs have put there."""
    new = Path(tempfile.mkdtemp(prefix=NEW))
    lock = os.open(new, os.O_RDONLY | os.O_DIRECTORY)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield new.rename(new.with_name(new.name.removeprefix(".")))
    finally:
        remove(new.with_name(new.name.removeprefix(".")))
        os.close(lock)


def sweep() -> None:
    """Remove what killed processes of this user have left behind; blocks on I/O."""
    with suppress(OSError), os.scandir(tempfile.gettempdir()) as entries:
        for entry in entries:
            if entry.name.startswith(PREFIX) and entry.is_dir(follow_symlinks=False):
                with suppress(OSError):
                    _remove_abandoned(Path(entry.path))


def _remove_abandoned(path: Path) -> None:
    lock = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        if os.fstat(lock).st_uid == os.getuid():
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            remove(path)
    finally:
        os.close(lock)


def remove(path: Path) -> None:
    """Remove a directory with all that is in it, as far as possible."""
    try:
        shutil.rmtree(path, onerror=_insist)
    except RecursionError:  # a program has put a thousand folders into each other
        with suppress(OSError):
            subprocess.run(["rm", "-rf", "--", path], stderr=subprocess.DEVNULL, check=False)


def _insist(function: Callable[..., Any], path: str, _: Any) -> None:
    """A program may have taken away its own right to change or to list a directory."""
    with suppress(OSError):
        os.chmod(os.path.dirname(path), 0o700)
        if os.path.isdir(path) and not os.path.islink(path):
            os.chmod(path, 0o700)
            shutil.rmtree(path, ignore_errors=True)
        else:
            os.unlink(path)
