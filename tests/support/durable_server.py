"""A small server that is killed and goes on: what the next process finds, this module hands over.

It answers each frame with a number and the frame, so that a message which is lost, handled twice or
sent twice shows. The test holds the descriptors, like a service manager.
"""

import os
import select
import signal
import socket
import sys
from collections import Counter
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Any

import attrs
import orjson
import trio

import transports
from transports import Farewell, Frame, Link, Transport, open_poller
from transports.durable_link import DurableLink
from transports.ledger import Ledger
from transports.link import OutboxLimits
from transports.listening import Accepted
from transports.recovered_ledger import NoLedger, RecoveredLedger, read_back
from transports.terms import OPEN_DOOR, Door

# Where a process may be killed between any two lines: all that writes or reads the ledger.
_FILES = frozenset(
    str(Path(transports.__file__).with_name(f"{name}.py"))
    for name in (
        "commit_log",
        "custody",
        "draft",
        "durable_link",
        "ledger",
        "input_account",
        "ledger_files",
        "link_account",
        "link_notes",
        "mapped_file",
        "margin",
        "promise",
        "recovered_ledger",
        "recovered_link",
        "peek_stream",
        "tape",
        "turns",
    )
)


TIMES = 2

# Until a test gives up: a new process may have to wait for its turn on a busy machine.
SECONDS = 60.0


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def die_at_line(number: int) -> None:
    """Let this process be killed before that line of the code above is executed.

    Each line counts as often as `TIMES`: the hundredth turn of a loop is like the first one.
    """
    lines: Counter[tuple[str, int]] = Counter()
    count = 0

    def at_line(frame: FrameType, event: str, arg: object) -> Any:
        nonlocal count
        line = frame.f_code.co_filename, frame.f_lineno
        if event == "line" and lines[line] < TIMES:
            lines[line] += 1
            count += 1
            if count == number:
                die()
        return at_line

    def at_call(frame: FrameType, event: str, arg: object) -> Any:
        return at_line if frame.f_code.co_filename in _FILES else None

    sys.settrace(at_call)


@attrs.frozen
class SentStore:
    """Sends descriptors to whoever keeps them."""

    channel: socket.socket

    def put(self, name: str, fd: int) -> None:
        socket.send_fds(self.channel, [b"+" + name.encode()], [fd])

    def remove(self, name: str) -> None:
        self.channel.send(b"-" + name.encode())


@attrs.define(eq=False)
class Counting:
    """Numbers the frames of each link; `bye` is the last one."""

    ledger: Ledger
    counts: dict[int, int] = attrs.field(factory=dict)
    outbox: OutboxLimits = attrs.field(factory=OutboxLimits)
    length: int = 0  # of what is added to each answer

    def recall(self, notes: Iterable[bytes]) -> None:
        for note in notes:
            number, count = orjson.loads(note)
            self.counts[number] = count

    def notes(self) -> list[bytes]:
        return [orjson.dumps(each) for each in self.counts.items()]

    async def serve(self, link: Link) -> None:
        assert isinstance(link, DurableLink)
        if link.complaint is None:
            with suppress(trio.EndOfChannel, trio.BrokenResourceError):
                await link.converse(partial(self._hear, link))
        await link.flush()
        await link.aclose(Farewell.GOING_AWAY)

    def _hear(self, link: DurableLink, frame: Frame) -> None:
        count = self.counts[link.number] = self.counts.get(link.number, 0) + 1
        self.ledger.at_work(link.number)
        self.ledger.note(orjson.dumps([link.number, count]))
        said = frame if isinstance(frame, bytes) else frame.reason.encode()
        link.post(b"<a>%d:%b%b</a>" % (count, said.replace(b"<", b"["), b"." * self.length))
        if frame == b"bye":
            link.end(Farewell.GOING_AWAY)
        self.ledger.at_work(0)


@attrs.define(eq=False)
class Guardian:
    """Holds the sockets; runs the server in processes of its own, one after the other."""

    transport: Transport
    directory: Path
    length: int = 0
    door: Door = OPEN_DOOR
    arrange: Callable[[], None] = lambda: None  # called in each process before it begins
    checkpoint_every: int = 0  # frames
    kept: dict[str, int] = attrs.field(factory=dict)
    listener: socket.socket = attrs.field(factory=lambda: socket.create_server(("127.0.0.1", 0)))
    channels: tuple[socket.socket, socket.socket] = attrs.field(
        factory=lambda: socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    )
    clients: list[socket.socket] = attrs.field(factory=list)
    pid: int = 0
    pidfd: int = -1

    def connect(self) -> socket.socket:
        client = socket.create_connection(self.listener.getsockname())
        client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        client.setblocking(False)
        self.clients.append(client)
        return client

    def start(self, die_at: int = 0) -> None:
        """Start the next process; it is killed before line `die_at`."""
        self._look_after()
        self.pid = os.fork()
        if not self.pid:
            self._be_child(die_at)
        self.pidfd = os.pidfd_open(self.pid)

    def kill(self) -> None:
        os.kill(self.pid, signal.SIGKILL)
        self.bury()

    def bury(self) -> int:
        """Wait until the process is gone; returns the signal that has ended it."""
        _, status = os.waitpid(self.pid, 0)
        os.close(self.pidfd)
        self.pid, self.pidfd = 0, -1
        return os.WTERMSIG(status)

    def end(self) -> None:
        if self.pid:
            self.kill()
        if self.listener.fileno() < 0:
            return
        self._look_after()
        for fd in self.kept.values():
            os.close(fd)
        self.kept.clear()
        self.listener.close()
        for sock in (*self.channels, *self.clients):
            sock.close()

    def wait_for_news(self) -> None:
        """Until the process has handed over a connection, or given one up."""
        assert select.select([self.channels[0]], [], [], SECONDS)[0]

    @property
    def names(self) -> set[str]:
        """Of the descriptors that the next process would get."""
        self._look_after()
        return set(self.kept)

    def wait_with(self, client: socket.socket) -> tuple[bool, bool]:
        """Until the client can read or the process is dead: which of these is true."""
        ready = select.select([client.fileno(), self.pidfd], [], [], SECONDS)[0]
        assert ready, "nothing more comes, and nobody has died"
        return client.fileno() in ready, self.pidfd in ready

    def _look_after(self) -> None:
        """Take what the last process has sent."""
        channel = self.channels[0]
        while select.select([channel], [], [], 0)[0]:
            message, fds, _, _ = socket.recv_fds(channel, 256, 1)
            name = message[1:].decode()
            if (old := self.kept.pop(name, None)) is not None:
                os.close(old)
            if fds:
                self.kept[name] = fds[0]

    def _be_child(self, die_at: int) -> None:
        try:
            ours = {*self.kept.values(), self.listener.fileno(), self.channels[1].fileno(), 0, 1, 2}
            for fd in map(int, os.listdir("/proc/self/fd")):
                if fd not in ours:
                    with suppress(OSError):
                        os.close(fd)
            self.arrange()
            if die_at:
                die_at_line(die_at)
            trio.run(self._serve)
        except BaseException:
            sys.settrace(None)
            sys.excepthook(*sys.exc_info())
        finally:
            os._exit(1)

    async def _serve(self) -> None:
        past: RecoveredLedger | None = None
        try:
            past = read_back(self.directory)
        except NoLedger:
            for fd in self.kept.values():
                os.close(fd)
            self.kept.clear()
        async with open_poller() as poller, trio.open_nursery() as clients:
            assert poller is not None
            store = SentStore(self.channels[1])
            ledger = Ledger(self.directory, poller.turns, store, recovered=past, names=self.kept)
            poller.ledger = ledger
            counting = Counting(ledger, length=self.length)
            known = set()
            if past is not None:
                counting.recall(past.notes)
                for link_past in past.links.values():
                    known.add(link_past.name)
                    if link_past.name in self.kept:
                        sock = socket.socket(fileno=self.kept[link_past.name])
                        link = self.transport.resume(sock, link_past, poller, self.door)
                        clients.start_soon(counting.serve, link)
            ledger.checkpoint(counting.notes())
            newcomers = [
                Accepted(socket.socket(fileno=fd), int(name[1:]))
                for name, fd in self.kept.items()
                if name not in known
            ]
            listener = trio.socket.from_stdlib_socket(self.listener)
            clients.start_soon(self._keep_small, ledger, counting)
            await self.transport.serve(
                counting.serve,
                [trio.SocketListener(listener)],
                clients,
                poller=poller,
                door=self.door,
                accepted=newcomers,
            )

    async def _keep_small(self, ledger: Ledger, counting: Counting) -> None:
        done = sum(counting.counts.values())
        while self.checkpoint_every:
            await trio.sleep(0.001)
            if (now := sum(counting.counts.values())) - done >= self.checkpoint_every:
                done = now
                ledger.checkpoint(counting.notes())


def expect(
    client: socket.socket, enough: Callable[[bytes], bool], seconds: float = SECONDS
) -> bytes:
    """What the client is sent until that is enough, or the connection ends."""
    heard = b""
    while not enough(heard):
        if not select.select([client], [], [], seconds)[0]:
            raise AssertionError(f"nothing after {heard[-200:]!r}")
        try:
            piece = client.recv(65536)
        except ConnectionResetError:
            piece = b""
        if not piece:
            break
        heard += piece
    return heard
