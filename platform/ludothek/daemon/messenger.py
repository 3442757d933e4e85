"""The one socket on which the daemon talks to its service manager, or to its guardian."""

import errno
import os
import select
import socket
from array import array
from collections import deque
from collections.abc import Callable
from contextlib import suppress

import attrs
import trio

# What may wait for a manager that does not read: descriptors, which stay open, and messages. There
# is at most one for each descriptor that it holds, and few others.
MOST_DESCRIPTORS = 512
MOST_WAITING = 100_000

# Managers queue ten messages on some systems. One that reads has room for the next within this
# time; whoever sends waits for it, but only once while messages are waiting.
PATIENCE_MS = 2

RETRY_SECONDS = 0.1

# The manager may have room later.
LATER = (errno.EAGAIN, errno.ENOBUFS, errno.ENOMEM, errno.ETOOMANYREFS, errno.EINTR)


@attrs.frozen(eq=False)
class Letter:
    """A message, with a copy of the descriptor that belongs to it."""

    text: bytes
    descriptor: int | None
    lost: Callable[[], None]


class Messenger:
    """Sends messages in order, without ever waiting long for a manager that does not read."""

    def __init__(self, address: str | None = None) -> None:
        self.address = address or None  # None: there is nobody to talk to
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) if self.address else None
        self._connected = False
        self._waiting: deque[Letter] = deque()
        self._descriptors = 0  # among them
        self._some_wait = trio.Event()
        if self._socket:
            self._socket.setblocking(False)

    def close(self) -> None:
        """Say no more; what is waiting is lost."""
        while self._waiting:
            self._drop(self._waiting.popleft())
        if self._socket:
            self._socket.close()

    def mention(self, text: str) -> None:
        """Send what soon will be out of date; if others wait, this is not sent at all."""
        if not self._waiting or self._hand_over():
            with suppress(OSError):
                self._send(text.encode(), None)

    def send(
        self,
        text: str,
        descriptor: int | None = None,
        lost: Callable[[], None] = lambda: None,
    ) -> Letter | None:
        """Send a message, with a descriptor if there is one; `lost` is called if that fails.

        Returns the message if it has to wait.
        """
        encoded = text.encode()
        if not self._waiting or self._hand_over():
            try:
                self._send_patiently(encoded, descriptor)
                return None
            except OSError as error:
                if error.errno not in LATER:
                    lost()
                    return None
        return self._keep(encoded, descriptor, lost)

    def take_back(self, letter: Letter) -> bool:
        """Do not send it after all; False if it was sent already."""
        try:
            self._waiting.remove(letter)
        except ValueError:
            return False
        self._drop(letter)
        return True

    def _drop(self, letter: Letter) -> None:
        if letter.descriptor is not None:
            self._descriptors -= 1
            os.close(letter.descriptor)

    def _keep(self, text: bytes, descriptor: int | None, lost: Callable[[], None]) -> Letter | None:
        try:
            full = len(self._waiting) >= MOST_WAITING
            if full or (descriptor is not None and self._descriptors >= MOST_DESCRIPTORS):
                raise OSError(errno.ENOBUFS, "too many messages are waiting")
            # The owner may close its own before this is sent.
            letter = Letter(text, None if descriptor is None else os.dup(descriptor), lost)
        except OSError:
            lost()
            return None
        self._waiting.append(letter)
        self._descriptors += descriptor is not None
        self._some_wait.set()
        return letter

    async def run(self) -> None:
        """Send what has to wait as soon as the manager reads again, until cancelled."""
        while self._socket is not None:
            await self._some_wait.wait()
            await trio.lowlevel.wait_writable(self._socket)
            if not self._hand_over():
                await trio.sleep(RETRY_SECONDS)

    def _hand_over(self) -> bool:
        """Send what is waiting; False if some of it has to wait on."""
        while self._waiting:
            letter = self._waiting[0]
            try:
                self._send(letter.text, letter.descriptor)
            except OSError as error:
                if error.errno in LATER:
                    return False
                letter.lost()
            self._drop(self._waiting.popleft())
        self._some_wait = trio.Event()
        return True

    def _send_patiently(self, text: bytes, descriptor: int | None) -> None:
        try:
            self._send(text, descriptor)
        except BlockingIOError:
            poll = select.poll()
            poll.register(self._socket, select.POLLOUT)  # type: ignore[arg-type] # it has sent
            poll.poll(PATIENCE_MS)
            self._send(text, descriptor)

    def _send(self, text: bytes, descriptor: int | None) -> None:
        """Raises OSError."""
        if self._socket is None or self.address is None:
            raise OSError(errno.ENOTCONN, "there is no manager")
        rights = [] if descriptor is None else [_rights(descriptor)]
        if self._connected:
            with suppress(ConnectionRefusedError):  # by a manager that is there again
                self._socket.sendmsg([text], rights)
                return
        # In the abstract namespace, @ stands for the zero byte.
        self._connected = False
        self._socket.connect("\0" + self.address[1:] if self.address[0] == "@" else self.address)
        self._connected = True
        self._socket.sendmsg([text], rights)


def _rights(descriptor: int) -> tuple[int, int, "array[int]"]:
    return socket.SOL_SOCKET, socket.SCM_RIGHTS, array("i", [descriptor])
