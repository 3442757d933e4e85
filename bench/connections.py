"""Blocking connections for setting things up: one message at a time, no event loop."""

import base64
import os
import socket
from collections.abc import Iterator
from typing import Protocol

import attrs

TIMEOUT = 30.0

# Opcodes of RFC 6455.
TEXT, CLOSE = 1, 8


class HungUp(Exception):
    """The server has closed a connection."""


class Connection(Protocol):
    """A connection that carries messages."""

    socket: socket.socket

    def send(self, message: bytes) -> None: ...
    def receive(self) -> bytes: ...


def dial(port: int) -> socket.socket:
    peer = socket.create_connection(("127.0.0.1", port), timeout=TIMEOUT)
    peer.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return peer


@attrs.define(eq=False)
class LineConnection:
    """One message per line."""

    socket: socket.socket
    _buffer: bytearray = attrs.field(factory=bytearray)

    @classmethod
    def open(cls, port: int) -> "LineConnection":
        return cls(dial(port))

    def send(self, message: bytes) -> None:
        self.socket.sendall(message + b"\n")

    def receive(self) -> bytes:
        while (end := self._buffer.find(b"\n")) < 0:
            _fill(self.socket, self._buffer)
        message = bytes(self._buffer[:end])
        del self._buffer[: end + 1]
        return message


@attrs.define(eq=False)
class WebSocketConnection:
    """One message per text frame."""

    socket: socket.socket
    _buffer: bytearray = attrs.field(factory=bytearray)

    @classmethod
    def open(cls, port: int) -> "WebSocketConnection":
        connection = cls(dial(port))
        connection._ask(port)
        connection._shake_hands()
        return connection

    def _ask(self, port: int) -> None:
        key = base64.b64encode(os.urandom(16)).decode()
        request = (
            f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\n"
            f"Connection: Upgrade\r\nSec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n"
        )
        self.socket.sendall(request.encode())

    def _shake_hands(self) -> None:
        while (end := self._buffer.find(b"\r\n\r\n")) < 0:
            _fill(self.socket, self._buffer)
        if not self._buffer.startswith(b"HTTP/1.1 101"):
            raise HungUp("no WebSocket here")
        del self._buffer[: end + 4]

    def send(self, message: bytes) -> None:
        self.socket.sendall(masked_frame(message))

    def receive(self) -> bytes:
        while (message := self.next_message()) is None:
            _fill(self.socket, self._buffer)
        return message

    def feed(self, data: bytes) -> Iterator[bytes]:
        """The messages that these bytes complete."""
        self._buffer += data
        while (message := self.next_message()) is not None:
            yield message

    def next_message(self) -> bytes | None:
        """A message that has already arrived."""
        while (frame := cut_frame(self._buffer)) is not None:
            opcode, message = frame
            if opcode == CLOSE:
                raise HungUp(f"closed: {message!r}")
            if opcode == TEXT:
                return message
        return None


def cut_frame(buffer: bytearray) -> tuple[int, bytes] | None:
    """Take a complete frame of a server off a buffer: its opcode and its payload."""
    if len(buffer) < 2:
        return None
    size, at = buffer[1] & 0x7F, 2
    if size >= 126:
        at = 4 if size == 126 else 10
        size = int.from_bytes(buffer[2:at], "big")
    if len(buffer) < at + size:
        return None
    frame = buffer[0] & 0x0F, bytes(buffer[at : at + size])
    del buffer[: at + size]
    return frame


def masked_frame(message: bytes) -> bytes:
    """A text frame as clients send it."""
    size, mask = len(message), os.urandom(4)
    head = (
        bytes((0x81, 0x80 | size))
        if size < 126
        else bytes((0x81, 0x80 | 126)) + size.to_bytes(2, "big")
    )
    stream = mask * (size // 4 + 1)
    hidden = int.from_bytes(message, "big") ^ int.from_bytes(stream[:size], "big")
    return head + mask + hidden.to_bytes(size, "big")


def _fill(source: socket.socket, buffer: bytearray) -> None:
    data = source.recv(65536)
    if not data:
        raise HungUp("the server has hung up")
    buffer += data
