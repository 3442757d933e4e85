"""Blocking connections for setting things up: one message at a time, no event loop."""

import base64
import os
import socket
from typing import Protocol

import attrs

TIMEOUT = 30.0


class HungUp(Exception):
    """The server has closed a connection."""


class Connection(Protocol):
    """A connection that carries messages."""

    socket: socket.socket

    def send(self, message: bytes) -> None: ...
    def receive(self) -> bytes: ...


def _dial(port: int) -> socket.socket:
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
        return cls(_dial(port))

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
        connection = cls(_dial(port))
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
        while True:
            opcode, message = self._frame()
            if opcode == 1:
                return message
            if opcode == 8:
                raise HungUp(f"closed: {message!r}")

    def _frame(self) -> tuple[int, bytes]:
        self._need(2)
        size, at = self._buffer[1] & 0x7F, 2
        if size >= 126:
            at = 4 if size == 126 else 10
            self._need(at)
            size = int.from_bytes(self._buffer[2:at], "big")
        self._need(at + size)
        opcode, message = self._buffer[0] & 0x0F, bytes(self._buffer[at : at + size])
        del self._buffer[: at + size]
        return opcode, message

    def _need(self, size: int) -> None:
        while len(self._buffer) < size:
            _fill(self.socket, self._buffer)


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
