"""A crowd of clients in one loop: the games' own players, or clients that wait for an echo.

The loop is plain epoll without any framework, so that the clients cost as little as possible;
the players still cost more than most servers do, so they do not load a server fully.
"""

import select
import socket
import time
from collections.abc import Callable, Iterable
from typing import Any, Protocol

import attrs

from bench.connections import WebSocketConnection, dial, masked_frame
from ludothek.contract.codec import Codec
from ludothek.contract.player import Player, Report, Thought, Utterance
from ludothek.runtime.playing import IDLE_SECONDS
from transports import Transport, Unreadable

RECEIVE_BYTES = 1 << 18


class Wire(Protocol):
    """A non-blocking connection, seen as frames."""

    socket: socket.socket

    def feed(self, data: bytes) -> Iterable[Any]: ...
    def wrap(self, frame: bytes) -> bytes: ...


class WebSocketWire(WebSocketConnection):
    def wrap(self, frame: bytes) -> bytes:
        return masked_frame(frame)


class FramedWire:
    """A TCP connection cut into frames by the game's own transport."""

    def __init__(self, port: int, framer: Any) -> None:
        self.socket = dial(port)
        self.feed = framer.feed
        self._framer = framer

    def wrap(self, frame: bytes) -> bytes:
        return b"".join(self._framer.wrap(frame))


def open_wire(transport: Transport, port: int) -> Wire:
    framer: Callable[[], Any] | None = getattr(transport, "framer", None)
    if framer is not None:
        return FramedWire(port, framer())
    wire = WebSocketWire.open(port)
    assert isinstance(wire, WebSocketWire)
    return wire


class Voice(Protocol):
    """What speaks for a client."""

    def greet(self) -> Iterable[bytes]: ...
    def hear(self, frame: bytes) -> Iterable[bytes]: ...
    def idle(self) -> Iterable[bytes]: ...


@attrs.define
class PlayerVoice:
    """A game's own player; plays one match after the other."""

    player: Player
    codec: Codec
    reports: list[Report] = attrs.field(factory=list)

    def greet(self) -> Iterable[bytes]:
        return self._say(self.player.greet())

    def hear(self, frame: bytes) -> Iterable[bytes]:
        return self._say(self.player.hear(self.codec.decode(frame)))

    def idle(self) -> Iterable[bytes]:
        return self._say(self.player.idle())

    def _say(self, utterances: Iterable[Utterance]) -> Iterable[bytes]:
        for utterance in utterances:
            if isinstance(utterance, Thought):
                utterance = utterance.say(utterance.decide())
            if isinstance(utterance, Report):
                self.reports.append(utterance)
            else:
                yield self.codec.encode(utterance)


@attrs.define
class EchoVoice:
    """Repeats the same message as soon as it has been echoed."""

    frame: bytes

    def greet(self) -> Iterable[bytes]:
        return (self.frame,)

    def hear(self, frame: bytes) -> Iterable[bytes]:
        return (self.frame,)

    def idle(self) -> Iterable[bytes]:
        return ()


@attrs.define(eq=False)
class Member:
    """One client of the crowd."""

    wire: Wire
    voice: Voice
    asked: float | None = None  # when it sent something that is not answered yet
    heard: float = 0.0


@attrs.define
class Tally:
    """What a crowd has sent and received."""

    said: int = 0
    said_bytes: int = 0
    heard: int = 0
    heard_bytes: int = 0
    micros: list[float] = attrs.field(factory=list)  # from a request to the next message


class Crowd:
    """Clients that are served in one loop."""

    def __init__(self) -> None:
        self.tally = Tally()
        self._epoll = select.epoll()
        self._members: dict[int, Member] = {}

    def add(self, wire: Wire, voice: Voice) -> None:
        """Let a client begin."""
        wire.socket.setblocking(False)
        member = Member(wire, voice, heard=time.perf_counter())
        self._members[wire.socket.fileno()] = member
        self._epoll.register(wire.socket.fileno(), select.EPOLLIN)
        self._say(member, voice.greet())

    def run(self, seconds: float) -> None:
        """Let everybody talk for that many seconds."""
        end = time.perf_counter() + seconds
        while (now := time.perf_counter()) < end:
            for number, _ in self._epoll.poll(min(0.1, end - now)):
                self._hear(self._members[number])
            self._ask_idle()

    def settle(self, quiet: float = 0.1, most: float = 1.0) -> None:
        """Let everybody talk until nobody has received anything for a moment."""
        end = time.perf_counter() + most
        before = -1
        while self.tally.heard != before and time.perf_counter() < end:
            before = self.tally.heard
            self.run(quiet)

    def close(self) -> None:
        for member in self._members.values():
            member.wire.socket.close()
        self._epoll.close()

    def _hear(self, member: Member) -> None:
        data = member.wire.socket.recv(RECEIVE_BYTES)
        now = time.perf_counter()
        if not data:
            raise ConnectionError("the server has hung up on a client")
        self.tally.heard_bytes += len(data)
        for frame in member.wire.feed(data):
            if isinstance(frame, Unreadable):
                raise ConnectionError(f"the server sent something unreadable: {frame.reason}")
            self.tally.heard += 1
            member.heard = now
            if member.asked is not None:
                self.tally.micros.append((now - member.asked) * 1e6)
                member.asked = None
            self._say(member, member.voice.hear(frame))

    def _say(self, member: Member, frames: Iterable[bytes]) -> None:
        for frame in frames:
            data = member.wire.wrap(frame)
            member.asked = time.perf_counter()
            member.wire.socket.sendall(data)
            self.tally.said += 1
            self.tally.said_bytes += len(data)

    def _ask_idle(self) -> None:
        now = time.perf_counter()
        for member in self._members.values():
            if now - member.heard > IDLE_SECONDS:
                member.heard = now
                self._say(member, member.voice.idle())
