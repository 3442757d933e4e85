"""The runtime directory: what a durable daemon needs to continue after its process has died.

Only the standard library is used here, and little of it: the guardian has to stay small.
"""

import fcntl
import os
from collections.abc import Iterator, Mapping

from ludothek.daemon.guarded import RUNTIME_DIR

# Daemons of one user without a directory of their own.
MOST = 100

# Below what systemd has made: the control socket is there too, and locks its directory.
SERVICE = "durable"


class CannotUse(Exception):
    """There is no directory that can be used; the text says why."""


class RuntimeDirectory:
    """A private directory that one daemon at a time uses, with all its successors."""

    @classmethod
    def of(cls, environ: Mapping[str, str], chosen: str | None = None) -> "RuntimeDirectory":
        """The directory of a daemon: the one that was chosen, or the usual one.

        What a daemon has left that died with its guardian is found by the next one.

        Raises:
          CannotUse: there is none.
        """
        if chosen:
            return cls(chosen)
        if directories := environ.get("RUNTIME_DIRECTORY"):  # set by systemd
            return cls(os.path.join(directories.split(":")[0], SERVICE))
        problem = CannotUse("no runtime directory; choose one with --runtime-dir")
        for path in _own(environ):
            try:
                return cls(path)
            except CannotUse as error:
                problem = error
        raise problem

    def __init__(self, path: str) -> None:
        """Make it if need be, and lock it.

        Raises:
          CannotUse: it belongs to another user, another daemon uses it, or it cannot be made.
        """
        self.path = path
        try:
            os.makedirs(path, mode=0o700, exist_ok=True)
            self.lock = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
        except OSError as error:
            raise CannotUse(f"runtime directory {path}: {error.strerror}") from None
        try:
            if os.fstat(self.lock).st_uid != os.geteuid():
                raise CannotUse(f"runtime directory {path}: belongs to another user")
            os.fchmod(self.lock, 0o700)
            fcntl.flock(self.lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            os.close(self.lock)
            busy = isinstance(error, BlockingIOError)
            reason = "another daemon uses it" if busy else error.strerror
            raise CannotUse(f"runtime directory {path}: {reason}") from None
        except CannotUse:
            os.close(self.lock)
            raise


def place_of_daemon(environ: Mapping[str, str], chosen: str | None = None) -> str:
    """Where a daemon keeps what its successor needs; its guardian, if there is one, has the lock.

    Raises:
      CannotUse: there is none.
    """
    return environ.get(RUNTIME_DIR) or RuntimeDirectory.of(environ, chosen).path


def _own(environ: Mapping[str, str]) -> Iterator[str]:
    if session := environ.get("XDG_RUNTIME_DIR"):
        parent = os.path.join(session, "ludothek")
    else:
        # Imported here because it loads a lot.
        from ludothek.storage.temporary import make_own_directory

        private = make_own_directory()
        if private is None:
            return
        parent = str(private)
    for number in range(1, MOST + 1):
        yield os.path.join(parent, f"durable-{number}")
