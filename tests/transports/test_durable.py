"""Connections that survive the process: not a byte is lost or doubled, wherever it is killed."""

import os
import random
import resource
import signal
import socket
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from games.roborally.framing import ObjectFramer
from tests.support.durable_server import Guardian, expect
from transports import LineFramer, Tcp, Transport, WebSocket, XmlFramer
from transports.complaint import Complaint
from transports.masking import apply_mask
from transports.recovered_ledger import NoLedger, read_back
from transports.terms import OpenDoor

LINES = Tcp(LineFramer)
XML = Tcp(lambda: XmlFramer("protocol"))
OBJECTS = Tcp(ObjectFramer)

# Every line takes a minute per protocol; usually each protocol has some of them.
STRIDE = 1 if os.environ.get("LUDOTHEK_ALL_LINES") else 13

Guard = Callable[..., Guardian]


@pytest.fixture
def guard(tmp_path: Path) -> Iterator[Guard]:
    guardians = []

    def make(transport: Transport, **options: Any) -> Guardian:
        guardian = Guardian(transport, tmp_path / "run", **options)
        guardians.append(guardian)
        return guardian

    yield make
    for guardian in guardians:
        guardian.end()


def line(heard: bytes) -> bool:
    return heard.endswith(b"\n")


def answers(frames: list[bytes], first: int = 1) -> bytes:
    return b"".join(b"<a>%d:%b</a>\n" % (n, frame) for n, frame in enumerate(frames, first))


def meet(guardian: Guardian, words: bytes = b"first\n") -> socket.socket:
    """A client that was answered once, by a process that is gone."""
    guardian.start()
    client = guardian.connect()
    client.send(words)
    expect(client, lambda heard: heard.strip().endswith(b"</a>"))
    guardian.kill()
    return client


class Play:
    """A client that sends its script in small pieces, while processes come and go."""

    def __init__(self, guardian: Guardian, client: socket.socket, script: list[bytes]) -> None:
        self.guardian = guardian
        self.client = client
        self.script = b"".join(script)
        self.ends = [len(b"".join(script[: n + 1])) for n in range(len(script))]
        self.heard = b""
        self._sent = 0
        self._chance = random.Random(7)

    def go(self, deaths: Iterator[int], count: Callable[[bytes], int]) -> None:
        """Until all is answered; `count` tells how many answers there are in what was heard."""
        self.guardian.start(next(deaths, 0))
        while (answered := count(self.heard)) < len(self.ends):
            self._send(answered)
            heard, dead = self.guardian.wait_with(self.client)
            if heard:
                piece = self.client.recv(65536)
                assert piece, f"hung up after {self.heard[-100:]!r}"
                self.heard += piece
            if dead:
                assert self.guardian.bury() == signal.SIGKILL
                self.guardian.start(next(deaths, 0))

    def _send(self, answered: int) -> None:
        """At least one frame that has to be answered."""
        if self._sent < len(self.script):
            self._send_piece()
        while self._sent < self.ends[answered]:
            self._send_piece()

    def _send_piece(self) -> None:
        size = self._chance.randrange(1, 30)
        self._sent += self.client.send(self.script[self._sent : self._sent + size])


def deaths(offset: int) -> Iterator[int]:
    """At which lines processes die."""
    return iter(range(1 + offset, 560, STRIDE))


def test_a_connection_goes_on_in_the_next_process(guard: Guard) -> None:
    guardian = guard(LINES)
    guardian.start()
    client = guardian.connect()
    client.send(b"one\ntw")
    assert expect(client, line) == answers([b"one"])
    guardian.kill()
    client.send(b"o\n")
    guardian.start()
    assert expect(client, line) == b"<a>2:two</a>\n"


def test_lines_are_answered_once_wherever_the_process_is_killed(guard: Guard) -> None:
    guardian = guard(LINES, checkpoint_every=3)
    client = meet(guardian)
    frames = [b"message %d" % n for n in range(700)]
    play = Play(guardian, client, [frame + b"\n" for frame in frames])
    play.go(deaths(0), lambda heard: heard.count(b"\n"))
    assert play.heard == answers(frames, 2)


def test_elements_are_answered_once_wherever_the_process_is_killed(guard: Guard) -> None:
    guardian = guard(XML)
    client = meet(guardian, b"<protocol><first/>")
    frames = [b"<move n='%d'><to x='1'>&lt;</to></move>" % n for n in range(300)]
    play = Play(guardian, client, [frame + b" <!-- - -->\n" for frame in frames])
    play.go(deaths(1), lambda heard: heard.count(b"</a>"))
    said = answers([frame.replace(b"<", b"[") for frame in frames], 2)
    assert play.heard.strip() == said.strip()


def test_objects_are_answered_once_wherever_the_process_is_killed(guard: Guard) -> None:
    guardian = guard(OBJECTS)
    client = meet(guardian, b"{}")
    frames = [b'{"a":\n  {"n": "}%d\\""}}' % n for n in range(300)]
    play = Play(guardian, client, frames)
    play.go(deaths(2), lambda heard: heard.count(b"</a>"))
    assert play.heard == answers(frames, 2)


HANDSHAKE = (
    b"GET / HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)
MASK = b"\1\2\3\4"
PING, PONG, TEXT, MORE, CLOSE = 0x89, 0x8A, 0x81, 0x80, 0x88


def masked(first: int, payload: bytes) -> bytes:
    return bytes((first, 0x80 | len(payload))) + MASK + apply_mask(payload, MASK)


def unpack(heard: bytes) -> list[tuple[int, bytes]]:
    """The complete frames behind the handshake's answer."""
    frames, at = [], heard.find(b"\r\n\r\n") + 4
    while at >= 4 and len(heard) >= at + 2:
        size, start = heard[at + 1], at + 2
        if size == 126:
            size, start = int.from_bytes(heard[start : start + 2], "big"), start + 2
        if len(heard) < start + size:
            break
        frames.append((heard[at], heard[start : start + size]))
        at = start + size
    return frames


def texts(heard: bytes) -> list[bytes]:
    return [payload for kind, payload in unpack(heard) if kind == TEXT]


def test_websocket_messages_are_answered_once_wherever_the_process_is_killed(guard: Guard) -> None:
    guardian = guard(WebSocket())
    guardian.start()
    client = guardian.connect()
    guardian.wait_for_news()
    client.send(HANDSHAKE[:50])
    guardian.kill()
    script, expected = [HANDSHAKE[50:] + masked(TEXT, b"first")], [b"<a>1:first</a>"]
    for n in range(300):
        ping = masked(PING, b"%d" % n)
        fragments = masked(0x01, b"mess") + ping + masked(0x00, b"age\xc3") + masked(MORE, b"\xa4")
        script.append(fragments if n % 2 else ping + masked(TEXT, "messageä".encode()))
        expected.append(f"<a>{n + 2}:messageä</a>".encode())
    play = Play(guardian, client, script)
    play.go(deaths(3), lambda heard: len(texts(heard)))
    assert texts(play.heard) == expected
    assert play.heard.count(b"HTTP/1.1 101") == 1
    # Of pings that come faster than we read, only the latest are answered.
    pongs = [int(payload) for kind, payload in unpack(play.heard) if kind == PONG]
    assert pongs == sorted(set(pongs))
    assert pongs[-1] >= 298


def test_a_handshake_under_way_goes_on_in_the_next_process(guard: Guard) -> None:
    guardian = guard(WebSocket())
    guardian.start()
    client = guardian.connect()
    guardian.wait_for_news()
    for at in range(0, len(HANDSHAKE), 40):
        client.send(HANDSHAKE[at : at + 40])
        guardian.kill()
        guardian.start()
    client.send(masked(TEXT, b"one"))
    heard = expect(client, lambda heard: bool(texts(heard)))
    assert texts(heard) == [b"<a>1:one</a>"]
    assert heard.count(b"HTTP/1.1 101") == 1


class TrustedProxy(OpenDoor):
    """Whoever connects is a proxy, which says for whom it speaks."""

    def trusts(self, host: str) -> bool:
        return host == "127.0.0.1"


@pytest.mark.parametrize("transport", [WebSocket(), LINES])
def test_a_proxys_header_is_skipped_once(guard: Guard, transport: Transport) -> None:
    guardian = guard(transport, door=TrustedProxy(proxy_protocol=True))
    guardian.start()
    client = guardian.connect()
    guardian.wait_for_news()
    header = b"PROXY TCP4 10.1.2.3 127.0.0.1 4711 80\r\n"
    talk = HANDSHAKE + masked(TEXT, b"one") if transport != LINES else b"one\n"
    script, at = header + talk, 0
    for death in range(1, 700, 2 * STRIDE):
        guardian.kill()
        client.send(script[at : (at := at + 20)])
        guardian.start(death)
        if at >= len(script):
            break
    guardian.kill()
    guardian.start()
    heard = expect(client, lambda heard: b"</a>" in heard)
    assert heard.count(b"<a>1:one</a>") == 1
    assert read_back(guardian.directory).links[1].peer == "10.1.2.3:4711"


def test_a_refused_handshake_is_answered_once_and_not_kept(guard: Guard) -> None:
    guardian = guard(WebSocket())
    guardian.start()
    client = guardian.connect()
    client.send(b"GET / HTTP/1.1\r\n\r\n")
    heard = expect(client, lambda heard: False)
    assert heard.count(b"HTTP/1.1 400") == 1
    guardian.kill()
    assert guardian.names == set()


class ClosedDoor(OpenDoor):
    """Lets nobody in."""

    def enter(self, host: str) -> Complaint:
        return Complaint.TOO_MANY_CONNECTIONS


def test_a_peer_that_is_not_let_in_is_not_kept(guard: Guard) -> None:
    guardian = guard(LINES, door=ClosedDoor())
    guardian.start()
    client = guardian.connect()
    assert expect(client, lambda heard: False) == b""
    guardian.kill()
    assert guardian.names == set()


def test_a_slow_reader_gets_every_byte_of_what_was_waiting(guard: Guard) -> None:
    guardian = guard(LINES, length=60_000)
    # Hardly anything fits into the buffers of the system.
    guardian.listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 10_000)
    client = meet(guardian)
    frames = [b"message %d" % n for n in range(12)]
    expected = b"".join(
        b"<a>%d:%b%b</a>\n" % (n, frame, b"." * 60_000) for n, frame in enumerate(frames, 2)
    )
    heard = b""
    for number, frame in enumerate(frames):
        client.send(frame + b"\n")
        guardian.start(0 if number % 3 else 370 + 17 * number)
        guardian.wait_with(client)
        with suppress(BlockingIOError):
            heard += client.recv(50_000)
        guardian.wait_with(client)
        guardian.kill()
    guardian.start()
    heard += expect(client, lambda more: len(heard) + len(more) >= len(expected))
    assert heard == expected


def test_a_line_of_single_bytes_is_heard_once(guard: Guard) -> None:
    guardian = guard(LINES)
    client = meet(guardian)
    guardian.start()
    client.send(b"x\n")
    expect(client, line)
    for byte in b"y" * 3000:
        client.send(bytes((byte,)))
    guardian.kill()
    guardian.start()
    client.send(b"\n")
    assert expect(client, line) == b"<a>3:%b</a>\n" % (b"y" * 3000)


def test_a_backlog_is_handled_by_the_next_process(guard: Guard) -> None:
    guardian = guard(LINES)
    client = meet(guardian)
    frames = [b"%d" % n for n in range(2000)]
    data = b"".join(frame + b"\n" for frame in frames)
    heard, lines = b"", iter((*range(340, 600, 10), *[0] * 100))
    client.send(data)
    while len(heard) < len(answers(frames, 2)):
        guardian.start(next(lines))
        dead = False
        while not dead and len(heard) < len(answers(frames, 2)):
            dead = guardian.wait_with(client)[1]
            with suppress(BlockingIOError):
                heard += client.recv(65536)
        guardian.kill()
    assert heard == answers(frames, 2)


def test_a_farewell_is_said_once_and_to_its_end(guard: Guard) -> None:
    for death in range(350, 620, 3 * STRIDE):
        guardian = guard(WebSocket())
        guardian.start()
        client = guardian.connect()
        client.send(HANDSHAKE + masked(TEXT, b"one"))
        heard = expect(client, lambda heard: bool(texts(heard)))
        guardian.kill()
        client.send(masked(TEXT, b"bye"))
        guardian.start(death)
        while True:
            news, dead = guardian.wait_with(client)
            if news:
                piece = client.recv(65536)
                heard += piece
                if not piece:
                    break
                if unpack(heard)[-1][0] == CLOSE:
                    client.send(masked(CLOSE, b"\x03\xe9"))
            if dead:
                guardian.bury()
                guardian.start()
        assert [kind for kind, _ in unpack(heard)] == [TEXT, TEXT, CLOSE]
        guardian.end()


def test_a_last_word_that_was_said_is_not_said_again(guard: Guard) -> None:
    guardian = guard(WebSocket())
    guardian.start()
    client = guardian.connect()
    client.send(HANDSHAKE + masked(TEXT, b"bye"))
    heard = expect(client, lambda heard: len(unpack(heard)) == 2)
    guardian.kill()  # while it waits for the answer
    guardian.start()
    client.send(masked(CLOSE, b"\x03\xe9"))
    heard += expect(client, lambda heard: False)
    assert [kind for kind, _ in unpack(heard)] == [TEXT, CLOSE]


def test_a_peer_that_hangs_up_while_nobody_serves_is_noticed(guard: Guard) -> None:
    guardian = guard(LINES)
    client = meet(guardian)
    client.send(b"last\n")
    client.shutdown(socket.SHUT_WR)
    guardian.start()
    assert expect(client, lambda heard: False) == answers([b"last"], 2)
    guardian.wait_for_news()
    guardian.kill()
    assert guardian.names == set()


def test_without_room_the_promise_ends_and_the_connection_goes_on(guard: Guard) -> None:
    def no_room() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (64 * 1024, 64 * 1024))

    guardian = guard(LINES)
    client = meet(guardian)
    guardian.arrange = no_room
    guardian.start()
    client.send(b"two\n")
    assert expect(client, line) == b"<a>2:two</a>\n"
    with pytest.raises(NoLedger):
        read_back(guardian.directory)
    guardian.kill()
    assert guardian.names == set()


def test_an_urgent_byte_is_one_like_all_others(guard: Guard) -> None:
    """The kernel counts it, so it has to be read."""
    guardian = guard(LINES)
    client = meet(guardian)
    client.send(b"one")
    client.send(b"!", socket.MSG_OOB)
    client.send(b"two\nthree")
    guardian.start()
    assert expect(client, line) == b"<a>2:one!two</a>\n"
    guardian.kill()
    client.send(b"\n")
    guardian.start()
    assert expect(client, line) == b"<a>3:three</a>\n"
