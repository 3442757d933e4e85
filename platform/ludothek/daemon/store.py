"""The descriptor store: sockets that the service manager, or our guardian, holds for us as well.

Whatever ends this process, the next one inherits them under the names that they were stored by.

Closing a socket that is also in the store does not end its connection. To end it, call
`shutdown(SHUT_RDWR)` before closing the socket, and `remove` afterwards. (The manager also forgets
by itself what was shut down by both sides, so that nothing is left over if this cannot be told.)
"""

import socket
from collections.abc import Mapping, Set
from itertools import count
from urllib.parse import quote

import structlog

from ludothek.daemon.messenger import Letter, Messenger
from ludothek.daemon.systemd import LISTENER, listens, passed_on, plain_socket

log = structlog.get_logger()

# All names are passed on in one variable of the environment, which has 128 kB at most.
NAMES_BYTES = 120_000
LONGEST_NAME = 255

# Where nobody says how much room there is.
ANY_NUMBER = 1_000_000


class Store:
    """What is stored under which name, and what could not be."""

    def __init__(
        self, messenger: Messenger, room: int = ANY_NUMBER, names_bytes: int = NAMES_BYTES
    ) -> None:
        self.lost: set[str] = set()  # names of those that will end with this process
        self._messenger = messenger
        self._room, self._names_bytes = room, names_bytes
        self._names: dict[str, Letter | None] = {}  # with the message, while it waits
        self._bytes = 0  # of all names, each with a colon
        self._inherited: dict[str, list[socket.socket]] = {}

    @classmethod
    def of(cls, environ: Mapping[str, str], messenger: Messenger) -> "Store | None":
        """The store of the service manager or guardian that has started this process, if any.

        Before version 254, systemd does not say whether there is a store; `--durable` is
        taken as a promise that there is.
        """
        if messenger.address is None:
            return None
        told = environ.get("FDSTORE", "")
        store = cls(messenger, int(told) if told.isdecimal() else ANY_NUMBER)
        for name, descriptor in passed_on(environ):
            store._inherit(name, descriptor)
        return store

    def _inherit(self, name: str, descriptor: int) -> None:
        found = plain_socket(descriptor)
        if found is None:
            return
        if listens(found) and not name.startswith(LISTENER):
            found.detach()  # a socket unit's, which holds it without being asked
            return
        found.setblocking(False)
        self._inherited.setdefault(name, []).append(found)
        if name not in self._names:
            self._names[name] = None
            self._bytes += len(name) + 1

    @property
    def count(self) -> int:
        """How many names are in it."""
        return len(self._names)

    # Storing

    def put(self, name: str, descriptor: int) -> bool:
        """Have a copy of it held; False, and its name is in `lost`, if that is not possible.

        Names have 1 to 255 printable ASCII characters without a colon; the shorter, the more of
        them fit. Several descriptors may have the same name.
        """
        if not is_name(name):
            raise ValueError(f"not a name for a descriptor: {name!r}")
        self.lost.discard(name)
        if not self._make_room(name):
            self._lose(name)
            return False
        letter = self._messenger.send(
            f"FDSTORE=1\nFDNAME={name}", descriptor, lost=lambda: self._lose(name)
        )
        if name in self._names:
            self._names[name] = letter
        return name not in self.lost

    def _make_room(self, name: str) -> bool:
        if name in self._names:
            return True
        if len(self._names) >= self._room or self._bytes + len(name) + 1 > self._names_bytes:
            return False
        self._names[name] = None
        self._bytes += len(name) + 1
        return True

    def _lose(self, name: str) -> None:
        if not self.lost:
            log.warning("a connection cannot be stored and will end with this process", name=name)
        self.lost.add(name)
        if name in self._names:
            self._forget(name)

    def _forget(self, name: str) -> Letter | None:
        self._bytes -= len(name) + 1
        return self._names.pop(name)

    def remove(self, name: str) -> None:
        """Have it held no longer; does nothing if it is not there."""
        self.lost.discard(name)
        if name not in self._names:
            return
        letter = self._forget(name)
        if letter is None or not self._messenger.take_back(letter):
            self._messenger.send(f"FDSTOREREMOVE=1\nFDNAME={name}")

    # Taking over

    def take(self) -> dict[str, socket.socket]:
        """The inherited connections by name, non-blocking; the caller owns them."""
        taken = {}
        for name in [name for name in self._inherited if not name.startswith(LISTENER)]:
            first, *others = self._inherited.pop(name)
            for other in others:  # the same connection, stored twice
                other.close()
            taken[name] = first
        return taken

    def take_listeners(self, endpoint: str) -> tuple[str, list[socket.socket]]:
        """The listening sockets of an endpoint, and their name.

        If none are inherited that were not taken yet: none, and a free name to put them by.
        """
        found = [name for name in self._inherited if name.partition("#")[0] == endpoint]
        if found:
            # The first one, since a manager passes them on in any order.
            name = min(found, key=lambda name: (len(name), name))
            return name, self._inherited.pop(name)
        names = (f"{endpoint}#{number}" for number in count(1))
        return next(name for name in names if name not in self._names), []

    def close_listeners(self, wanted: Set[str]) -> list[str]:
        """Close inherited listening sockets of other endpoints; returns their addresses."""
        closed = []
        listeners = [name for name in self._inherited if name.startswith(LISTENER)]
        for name in [name for name in listeners if name.partition("#")[0] not in wanted]:
            for found in self._inherited.pop(name):
                closed.append("{} port {}".format(*found.getsockname()))
                found.shutdown(socket.SHUT_RDWR)
                found.close()
            self.remove(name)
        return closed


def is_name(text: str) -> bool:
    """Whether a descriptor may be stored by that name."""
    return (
        0 < len(text) <= LONGEST_NAME and text.isascii() and text.isprintable() and ":" not in text
    )


def listener_name(game: str, host: str, port: int) -> str:
    """How the name of an endpoint's sockets begins: the next process knows it, too.

    A number follows; with port 0, there can be several endpoints that are the same otherwise.
    """
    return f"{LISTENER}{quote(game, safe='')}-{quote(host, safe='*')}-{port}"[:200]
