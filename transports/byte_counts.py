"""How much was read from and written to a TCP connection, whoever did it: the kernel knows.

It counts the end of a stream as one more byte, and not the beginning, for connections that were
accepted. What a peer acknowledges or sends between two looks moves from one count to another, so
the looks are repeated until they agree.
"""

import fcntl
import socket
import struct
import termios

import attrs

# After the state and seven other bytes come 24 numbers of four bytes and two rates of eight.
_INFO = struct.Struct("@B7x96x16xQQ")
_INT = struct.Struct("@i")

# The states of a connection (tcp_states.h) in which we, or the peer, have ended our stream.
_OVER = 7
_WE_ENDED = frozenset({4, 5, 6, 9, 11})
_PEER_ENDED = frozenset({6, 8, 9, 11})


@attrs.frozen
class ByteCounts:
    """What the process has read and written since the connection was accepted."""

    read: int
    written: int
    over: bool  # both streams have ended, or it was reset; the counts mean nothing then


def count_bytes(sock: socket.socket) -> ByteCounts:
    """Raises OSError if it is not a TCP connection."""
    info = _look(sock)
    while True:
        unread, unsent = _ask(sock, termios.FIONREAD), _ask(sock, termios.TIOCOUTQ)
        if info == (again := _look(sock)):
            break
        info = again
    state, acknowledged, received = info
    return ByteCounts(
        read=received - unread - (state in _PEER_ENDED),
        written=acknowledged + unsent - (state in _WE_ENDED),
        over=state == _OVER,
    )


def _look(sock: socket.socket) -> tuple[int, int, int]:
    info = sock.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, _INFO.size)
    state, acknowledged, received = _INFO.unpack(info)
    return state, acknowledged, received


def _ask(sock: socket.socket, question: int) -> int:
    (count,) = _INT.unpack(fcntl.ioctl(sock, question, bytes(_INT.size)))
    return int(count)
