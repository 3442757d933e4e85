"""The socket file: where it is, who may open it, and how it comes and goes."""

import errno
import fcntl
import os
import socket
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import attrs
import trio

from ludothek.control.group import Group
from ludothek.control.places import Place
from ludothek.storage.temporary import is_ours

# Only we hold the lock, and for a moment; whoever holds it longer wants to be in our way.
LOCK_SECONDS = 1.0
LOCK_RETRY_SECONDS = 0.01


@attrs.frozen
class UnixListener:
    """A socket that listens at a path, and the file that stands for it."""

    path: Path
    socket: socket.socket
    _file: tuple[int, int]

    def close(self) -> None:
        """Stop listening and remove the file, unless it has become somebody else's."""
        self.socket.close()
        with suppress(OSError):
            if _identity(self.path) == self._file:
                self.path.unlink()


async def listen(place: Place) -> UnixListener:
    """Listen at a path that only this user may open; a file left by a dead daemon is replaced.

    The members of a group may open it too, if the place names one.

    Raises:
      OSError: a living program listens there, something else is there, or it is not permitted.
    """
    path = place.path
    group = Group.named(place.group) if place.group else None
    with _umask(0o077):
        made = not path.parent.exists()
        path.parent.mkdir(parents=True, exist_ok=True)
    if not (place.chosen or is_ours(path.parent)):
        raise PermissionError(errno.EPERM, "its directory belongs to another user")
    directory = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
    try:
        # Two daemons that start at once must not both take the other's file for a dead one's.
        await _lock(directory)
        _remove_stale(path)
        if group and (made or not place.chosen):  # another's directory is as its owner wants it
            group.admit(path.parent, stat.S_IXGRP)
        return _bind(path, group)
    finally:
        os.close(directory)


async def _lock(directory: int) -> None:
    deadline = trio.current_time() + LOCK_SECONDS
    while True:
        try:
            fcntl.flock(directory, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return
        except BlockingIOError:
            if trio.current_time() >= deadline:
                raise OSError(errno.EBUSY, "its directory is locked by another program") from None
        await trio.sleep(LOCK_RETRY_SECONDS)


def _remove_stale(path: Path) -> None:
    try:
        mode = path.lstat().st_mode
    except FileNotFoundError:
        return
    if not stat.S_ISSOCK(mode):
        raise OSError(errno.EEXIST, "there is a file that is no socket")
    if _answers(path):
        raise OSError(errno.EADDRINUSE, "another daemon listens there")
    path.unlink()


def _answers(path: Path) -> bool:
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
        probe.setblocking(False)  # with its queue full, a living daemon would make us wait
        try:
            probe.connect(str(path))
        except ConnectionRefusedError:
            return False
        except BlockingIOError:
            return True
        return True


def _bind(path: Path, group: Group | None) -> UnixListener:
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        with _umask(0o177):
            listener.bind(str(path))
        bound = UnixListener(path, listener, _identity(path))
    except OSError:
        listener.close()
        raise
    try:
        if group:
            group.admit(path, stat.S_IRGRP | stat.S_IWGRP)
        # Whoever finds the queue full is turned away, not made to wait: keep it long.
        listener.listen(socket.SOMAXCONN)
    except OSError:
        bound.close()
        raise
    return bound


def _identity(path: Path) -> tuple[int, int]:
    found = path.lstat()
    return found.st_dev, found.st_ino


@contextmanager
def _umask(mask: int) -> Iterator[None]:
    before = os.umask(mask)
    try:
        yield
    finally:
        os.umask(before)
