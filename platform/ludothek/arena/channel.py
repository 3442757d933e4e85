"""Messages between a pool and its serving processes."""

import pickle
import socket
from struct import Struct
from typing import Any

import trio

_SIZE = Struct("<Q")


class Closed(Exception):
    """The other process has ended."""


def send(sock: socket.socket, message: Any) -> None:
    """Send something; blocks. Raises Closed."""
    data = pickle.dumps(message)
    try:
        sock.sendall(_SIZE.pack(len(data)) + data)
    except OSError:
        raise Closed from None


def receive(sock: socket.socket) -> Any:
    """The next message; blocks. Raises Closed, and TimeoutError if the socket has a timeout."""
    (size,) = _SIZE.unpack(_exactly(sock, _SIZE.size))
    return pickle.loads(_exactly(sock, size))


def _exactly(sock: socket.socket, size: int) -> bytes:
    parts, left = [], size
    while left:
        try:
            part = sock.recv(min(left, 1024 * 1024))
        except TimeoutError:
            raise
        except OSError:
            part = b""
        if not part:
            raise Closed
        parts.append(part)
        left -= len(part)
    return b"".join(parts)


async def asend(stream: trio.SocketStream, message: Any) -> None:
    """The same in Trio; raises trio.BrokenResourceError."""
    data = pickle.dumps(message)
    await stream.send_all(_SIZE.pack(len(data)) + data)


async def areceive(stream: trio.SocketStream) -> Any:
    """The same in Trio; raises Closed."""
    (size,) = _SIZE.unpack(await _aexactly(stream, _SIZE.size))
    return pickle.loads(await _aexactly(stream, size))


async def _aexactly(stream: trio.SocketStream, size: int) -> bytes:
    data = b""
    while len(data) < size:
        part = await stream.receive_some(size - len(data))
        if not part:
            raise Closed
        data += part
    return data
