"""The descriptors that daemons have stored with their guardian.

As all that the guardian uses, this is plain code on the standard library.
"""

import os
import select
from collections.abc import Mapping
from contextlib import suppress
from fcntl import ioctl
from termios import FIONREAD


class Deposit:
    """Holds descriptors by the names that daemons gave them, until their connections are over."""

    def __init__(self, epoll: select.epoll, room: int) -> None:
        self.room = room  # for so many
        self._epoll = epoll
        self._names: dict[int, str] = {}  # by descriptor
        self._named: dict[str, set[int]] = {}  # descriptors by name
        self._unwatched: set[int] = set()

    @property
    def names(self) -> Mapping[int, str]:
        """The names of all descriptors."""
        return self._names

    def hold(self, name: str, descriptor: int) -> None:
        """Keep a descriptor; without room for it, close it."""
        if len(self._names) >= self.room:
            os.close(descriptor)
            return
        self._names[descriptor] = name
        self._named.setdefault(name, set()).add(descriptor)
        self._watch(descriptor)

    def release(self, name: str) -> None:
        """Close the descriptors of that name."""
        for descriptor in tuple(self._named.get(name, ())):
            self._close(descriptor)

    def notice_end(self, descriptor: int, *, served: bool) -> None:
        """Both sides have hung up, but somebody may still have to read what one has said before."""
        if served and not _has_more(descriptor):
            self._close(descriptor)
        else:
            self._epoll.unregister(descriptor)  # which would tell us again and again
            self._unwatched.add(descriptor)

    def look_again(self) -> None:
        """Somebody is there who has read what was said before."""
        unwatched, self._unwatched = self._unwatched, set()
        for descriptor in unwatched:
            self._watch(descriptor)

    def _watch(self, descriptor: int) -> None:
        with suppress(OSError):  # what cannot be watched can be held
            self._epoll.register(descriptor, 0)  # only for what is always told: hanging up, errors

    def _close(self, descriptor: int) -> None:
        name = self._names.pop(descriptor)
        self._unwatched.discard(descriptor)
        self._named[name].remove(descriptor)
        if not self._named[name]:
            del self._named[name]
        with suppress(OSError):
            # Closing is not enough while the daemon has a copy.
            self._epoll.unregister(descriptor)
        os.close(descriptor)


def _has_more(descriptor: int) -> bool:
    """Whether a connection has received something that nobody has read yet."""
    try:
        return any(ioctl(descriptor, FIONREAD, bytes(4)))
    except OSError:
        return False
