"""The kernel's counts of a connection: exact, whatever was read, written or ended."""

import select
import socket
import struct
from collections.abc import Iterator

import pytest

from transports.byte_counts import count_bytes

Pair = tuple[socket.socket, socket.socket]


@pytest.fixture
def pair() -> Iterator[Pair]:
    """The accepted end of a connection, and the other one."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        client = socket.create_connection(listener.getsockname())
        ours, _ = listener.accept()
    ours.setblocking(False)
    yield ours, client
    ours.close()
    client.close()


def wait(sock: socket.socket, event: int = select.POLLIN) -> None:
    poll = select.poll()
    poll.register(sock, event)
    assert poll.poll(5000)


def counts(sock: socket.socket) -> tuple[int, int]:
    counted = count_bytes(sock)
    return counted.read, counted.written


def test_what_has_arrived_counts_when_it_is_read(pair: Pair) -> None:
    ours, client = pair
    client.send(b"0123456789")
    wait(ours)
    assert counts(ours) == (0, 0)
    ours.recv(4)
    assert counts(ours) == (4, 0)


def test_the_end_of_the_peers_stream_is_no_byte(pair: Pair) -> None:
    ours, client = pair
    client.send(b"0123456789")
    client.shutdown(socket.SHUT_WR)
    wait(ours, select.POLLRDHUP)
    ours.recv(4)
    assert counts(ours) == (4, 0)
    ours.recv(100)
    assert counts(ours) == (10, 0)
    assert ours.recv(100) == b""
    assert counts(ours) == (10, 0)


def test_what_was_written_counts_whether_the_peer_has_got_it_or_not(pair: Pair) -> None:
    ours, client = pair
    written = 0
    try:
        while True:
            written += ours.send(bytes(100_000))
    except BlockingIOError:
        pass
    assert counts(ours) == (0, written)
    client.recv(50_000)
    assert counts(ours) == (0, written)


def test_the_end_of_our_stream_is_no_byte(pair: Pair) -> None:
    ours, client = pair
    ours.send(b"seven..")
    ours.shutdown(socket.SHUT_WR)
    assert counts(ours) == (0, 7)
    client.recv(100)
    assert client.recv(100) == b""
    assert counts(ours) == (0, 7)


def test_a_connection_that_was_reset_is_over(pair: Pair) -> None:
    ours, client = pair
    client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    client.close()
    wait(ours, select.POLLHUP)
    assert count_bytes(ours).over
