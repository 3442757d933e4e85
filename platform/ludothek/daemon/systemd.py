"""The service manager's protocol: inherited sockets, notifications, watchdog."""

import os
import socket
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress

import attrs
import trio

# The first inherited descriptor.
FIRST = 3

# Seconds between two status messages, unless the watchdog needs them more often.
STATUS_SECONDS = 10.0


@attrs.frozen
class Inherited:
    """Listening sockets that the service manager keeps open across restarts.

    Clients that connect during a restart wait in their queue instead of being refused.
    """

    sockets: tuple[socket.socket, ...] = ()

    @classmethod
    def of(cls, environ: Mapping[str, str]) -> "Inherited":
        """The sockets that this process has inherited, if any."""
        if environ.get("LISTEN_PID") != str(os.getpid()):
            return cls()
        descriptors = range(FIRST, FIRST + _number(environ.get("LISTEN_FDS")))
        return cls(tuple(found for fd in descriptors if (found := _tcp_socket(fd))))

    def take(self, host: str, port: int) -> list[trio.SocketListener]:
        """Copies of those that listen on that address; the originals stay open."""
        return [
            trio.SocketListener(trio.socket.from_stdlib_socket(found.dup()))
            for found in self.sockets
            if listens_at(found, host, port)
        ]

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
    try:
        os.set_inheritable(descriptor, False)
        found = socket.socket(fileno=descriptor)
    except OSError:
        return None
    internet = found.family in (socket.AF_INET, socket.AF_INET6)
    if not internet or not found.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN):
        found.detach()
        return None
    return found


@attrs.frozen
class Manager:
    """The service manager that has started the daemon; without an address, there is none."""

    address: str | None = None
    watchdog_seconds: float | None = None

    @classmethod
    def of(cls, environ: Mapping[str, str]) -> "Manager":
        ours = environ.get("WATCHDOG_PID") in (None, str(os.getpid()))
        microseconds = _number(environ.get("WATCHDOG_USEC")) if ours else 0
        return cls(environ.get("NOTIFY_SOCKET") or None, microseconds / 1e6 or None)

    def ready(self, status: str) -> None:
        self._tell("READY=1", f"STATUS={status}")

    def reloading(self) -> None:
        now = time.clock_gettime_ns(time.CLOCK_MONOTONIC) // 1000
        self._tell("RELOADING=1", f"MONOTONIC_USEC={now}")

    def stopping(self, status: str) -> None:
        self._tell("STOPPING=1", f"STATUS={status}")

    def alive(self, status: str) -> None:
        self._tell("WATCHDOG=1", f"STATUS={status}")

    @property
    def interval(self) -> float:
        """Seconds between two watchdog messages: half of the watchdog's timeout."""
        return min(STATUS_SECONDS, (self.watchdog_seconds or 2 * STATUS_SECONDS) / 2)

    def _tell(self, *lines: str) -> None:
        if self.address is None:
            return
        # In the abstract namespace, @ stands for the zero byte.
        address = "\0" + self.address[1:] if self.address[0] == "@" else self.address
        with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as sender:
            sender.setblocking(False)  # a manager that does not read must not block the games
            sender.sendto("\n".join(lines).encode(), address)


def _number(text: str | None) -> int:
    return int(text) if text and text.isascii() and text.isdecimal() else 0
