"""The servers that are compared: how each is started, and which load it gets."""

import socket
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Protocol

import attrs

from bench.connections import Connection, LineConnection, WebSocketConnection
from bench.hexxagon_load import HexxagonLoad
from bench.load import Taken
from bench.measure import Server, memory_place, python, running
from bench.native import compiled
from bench.peer_load import PeerLoad, installed, node

Start = Callable[[], AbstractContextManager[Server]]


class Load(Protocol):
    """Clients that play matches."""

    @property
    def pid(self) -> int:
        """The process they run in."""

    def connect(self, count: int) -> None:
        """Connect that many more clients, which stay idle."""

    def deal(self) -> None:
        """Begin matches between all idle clients, in pairs."""

    def play(self, *, rate: float = 0, seconds: float, moves: int | None = None) -> Taken:
        """Play the matches dealt last, for at most that many seconds and moves each."""

    def leave(self) -> None:
        """End all matches that are not over; all clients are idle then."""

    def close(self) -> None: ...


@attrs.frozen
class Contender:
    """A game server that offers Hexxagon."""

    name: str
    start: Start
    load: Callable[[int, int], Load]  # from port and seed


@attrs.frozen
class Echo:
    """An echo server."""

    name: str
    start: Start
    connect: Callable[[int], Connection]


PROGRAM = python("ludothek")
DURABLE_OPTION = "--durable"


@contextmanager
def daemon(
    *arguments: str,
    endpoints: int = 1,
    tree: Path | None = None,
    program: Sequence[str] = PROGRAM,
) -> Iterator[Server]:
    """Our daemon with a control socket and a state directory of its own.

    It is the one installed for the current Python, or one whose source is in a tree.
    """
    source = {} if tree is None else {"PYTHONPATH": str(tree / "platform")}
    guarded = DURABLE_OPTION in arguments
    with memory_place() as place:
        own = ["--control", f"{place}/control.sock", "--state-dir", f"{place}/state"]
        own += ["--runtime-dir", f"{place}/run"] if guarded else []
        command = [*program, "run", *own, *arguments]
        with running(
            command,
            endpoints=endpoints,
            environment=source,
            folder=tree,
            guarded=guarded,
        ) as server:
            yield server


def _process(command: Callable[[], Sequence[str]]) -> Start:
    return lambda: running(command())


def _peer(script: str, *arguments: str) -> Start:
    return lambda: running(
        node(script, str(free_port()), *arguments),
        environment={"NODE_ENV": "production"},
    )


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _hexxagon(connect: Callable[[int], Connection]) -> Callable[[int, int], Load]:
    return lambda port, seed: HexxagonLoad(port, connect, seed)


def _clients(script: str) -> Callable[[int, int], Load]:
    return lambda port, seed: PeerLoad(port, script, seed)


OURS = "ludothek"
DURABLE = f"{OURS}, durable"
PLAIN = "plain trio-websocket"
TUNED = "Colyseus, tuned"


def ours(name: str = OURS, tree: Path | None = None, *options: str) -> Contender:
    """Our daemon, from a tree if it is not the current one."""
    load = _hexxagon(WebSocketConnection.open)
    arguments = ("--game", "hexxagon", "--port", "0", *options)
    return Contender(name, lambda: daemon(*arguments, tree=tree), load)


def durable() -> Contender:
    """Our daemon with a guardian; only the process that serves is measured."""
    return ours(DURABLE, None, DURABLE_OPTION)


def contenders() -> list[Contender]:
    """The game servers that can be run here."""
    web, lines = _hexxagon(WebSocketConnection.open), _hexxagon(LineConnection.open)
    found = [
        ours(),
        durable(),
        Contender(PLAIN, _process(lambda: python("bench.servers.plain_websocket")), web),
        Contender("plain trio lines", _process(lambda: python("bench.servers.plain_lines")), lines),
    ]
    if installed():
        bgio, colyseus = _clients("boardgame_load.js"), _clients("colyseus_load.js")
        found += [
            Contender("boardgame.io", _peer("boardgame_server.js"), bgio),
            Contender("Colyseus, 50 ms patches", _peer("colyseus_server.js"), colyseus),
            Contender(TUNED, _peer("colyseus_server.js", "tuned"), colyseus),
        ]
    return found


def echoes() -> list[Echo]:
    """The echo servers that can be run here; the two in C come first."""
    web, lines = WebSocketConnection.open, LineConnection.open

    def native(kind: str) -> Start:
        return _process(lambda: [str(compiled("echo.c")), kind])

    def trio(module: str, kind: str) -> Start:
        return _process(lambda: python(f"bench.servers.{module}", kind))

    found = [
        Echo("C, WebSocket", native("websocket"), web),
        Echo("C, lines", native("lines"), lines),
        Echo(f"{OURS}, WebSocket", trio("ludothek_echo", "websocket"), web),
        Echo(f"{OURS}, lines", trio("ludothek_echo", "lines"), lines),
        Echo(PLAIN, trio("plain_echo", "websocket"), web),
        Echo("plain trio lines", trio("plain_echo", "lines"), lines),
    ]
    if installed():
        found.append(Echo("ws on Node", _peer("echo_server.js"), web))
    return found
