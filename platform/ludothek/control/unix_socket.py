"""The socket file: creating it with the right permissions, and removing it."""

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
from ludothek.control.places import SocketPlace
from ludothek.storage.temporary import is_ours

# A daemon holds the lock only for a moment; another program could hold it to block us.
LOCK_SECONDS = 1.0
LOCK_RETRY_SECONDS = 0.01


@attrs.frozen
class UnixListener:
    """A listening Unix socket and its file."""

    path: Path
    socket: socket.socket
    _file: tuple[int, int]

    def close(self) -> None:
        """Stop listening and remove the file, unless another daemon has replaced it."""
        self.socket.close()
        with suppress(OSError):
            if _identity(self.path) == self._file:
                self.path.unlink()


async def listen(place: SocketPlace) -> UnixListener:
    """Listen on a socket that only this user and the place's group, if any, may open.

    A file left behind by a dead daemon is replaced.

    Raises:
      OSError: another program listens there, the path is taken, or permission is denied.
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
        # Two daemons that start at once must not take each other's file for a stale one.
        await _lock(directory)
        _remove_stale(path)
        if group and (made or not place.chosen):  # leave other directories as they are
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
        raise OSError(errno.EEXIST, "the path exists and is not a socket")
    if _answers(path):
        raise OSError(errno.EADDRINUSE, "another daemon listens there")
    path.unlink()


def _answers(path: Path) -> bool:
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
        probe.setblocking(False)  # a live daemon whose queue is full would make us wait
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
        # With a full queue, connections to a Unix socket are refused: make it long.
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
