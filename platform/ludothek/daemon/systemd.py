"""The service manager's protocol: inherited sockets, notifications, watchdog."""

import os
import socket
import time
from collections.abc import Mapping, Sequence

import attrs

from ludothek.daemon.messenger import Messenger

# The first inherited descriptor.
FIRST = 3

# Seconds between two status messages, unless the watchdog needs them more often.
STATUS_SECONDS = 10.0

# How the names of listening sockets begin that the daemon itself has stored with its manager.
LISTENER = "listener-"


def passed_on(environ: Mapping[str, str]) -> list[tuple[str, int]]:
    """The descriptors that this process has inherited on purpose, each with its name."""
    if environ.get("LISTEN_PID") != str(os.getpid()):
        return []
    descriptors = range(FIRST, FIRST + _number(environ.get("LISTEN_FDS")))
    names = environ.get("LISTEN_FDNAMES", "").split(":")
    if len(names) != len(descriptors):
        names = ["" for _ in descriptors]
    return list(zip(names, descriptors, strict=True))


def plain_socket(descriptor: int) -> socket.socket | None:
    """The socket with that number, if it is one; from now on no other program inherits it."""
    try:
        os.set_inheritable(descriptor, False)
        return socket.socket(fileno=descriptor)
    except OSError:
        return None


def listens(found: socket.socket) -> bool:
    """Whether it accepts connections over TCP."""
    internet = found.family in (socket.AF_INET, socket.AF_INET6)
    return internet and bool(found.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN))


@attrs.frozen
class Inherited:
    """Listening sockets that the service manager keeps open across restarts.

    Clients that connect during a restart wait in their queue instead of being refused.
    """

    sockets: tuple[socket.socket, ...] = ()

    @classmethod
    def of(cls, environ: Mapping[str, str]) -> "Inherited":
        """The sockets that this process has inherited, if any; not those that it has stored."""
        descriptors = [fd for name, fd in passed_on(environ) if not name.startswith(LISTENER)]
        return cls(tuple(found for fd in descriptors if (found := _tcp_socket(fd))))

    def take(self, host: str, port: int) -> list[socket.socket]:
        """Copies of those that listen on that address; the originals stay open."""
        return [found.dup() for found in self.sockets if listens_at(found, host, port)]

    def unclaimed(self, addresses: Sequence[tuple[str, int]]) -> list[str]:
        """Those that belong to none of these addresses: clients that connect there would hang."""
        return [
            "{} port {}".format(*found.getsockname())
            for found in self.sockets
            if not any(listens_at(found, host, port) for host, port in addresses)
        ]


def listens_at(found: socket.socket, host: str, port: int) -> bool:
    """Whether it accepts connections for exactly that address."""
    address, its_port = found.getsockname()[:2]
    return its_port == port and host in ("*", address)


def _tcp_socket(descriptor: int) -> socket.socket | None:
    found = plain_socket(descriptor)
    if found is not None and not listens(found):
        found.detach()
        return None
    return found


@attrs.frozen
class Manager:
    """The service manager that has started the daemon; without an address, there is none."""

    messenger: Messenger = attrs.field(factory=Messenger)
    watchdog_seconds: float | None = None

    @classmethod
    def of(cls, environ: Mapping[str, str]) -> "Manager":
        ours = environ.get("WATCHDOG_PID") in (None, str(os.getpid()))
        microseconds = _number(environ.get("WATCHDOG_USEC")) if ours else 0
        return cls(Messenger(environ.get("NOTIFY_SOCKET")), microseconds / 1e6 or None)

    def ready(self, status: str) -> None:
        self.messenger.send(f"READY=1\nSTATUS={status}")

    def reloading(self) -> None:
        now = time.clock_gettime_ns(time.CLOCK_MONOTONIC) // 1000
        self.messenger.send(f"RELOADING=1\nMONOTONIC_USEC={now}")

    def stopping(self, status: str) -> None:
        self.messenger.send(f"STOPPING=1\nSTATUS={status}")

    def alive(self, status: str) -> None:
        self.messenger.mention(f"WATCHDOG=1\nSTATUS={status}")

    @property
    def interval(self) -> float:
        """Seconds between two watchdog messages: half of the watchdog's timeout."""
        return min(STATUS_SECONDS, (self.watchdog_seconds or 2 * STATUS_SECONDS) / 2)


def _number(text: str | None) -> int:
    return int(text) if text and text.isascii() and text.isdecimal() else 0
