"""A guardian in a process of its own, and daemons that do what a test tells them."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any

import attrs
import trio

GUARDIAN = """
import sys
from ludothek.daemon.guardian import Guardian
from ludothek.daemon.runtime_directory import RuntimeDirectory
guardian = Guardian(RuntimeDirectory(sys.argv[1]), sys.argv[2:])
try:
    sys.exit(guardian.run())
finally:
    guardian.close()
"""

# It leaves a copy of itself behind.
STAND_BY = """
import os
from ludothek.daemon.spare import stand_by
stand_by(os.environ)
"""

# It tells about itself, and then executes whatever it is told.
DAEMON = """
import json, os, signal, socket, sys
test = socket.socket(socket.AF_UNIX)
test.connect(sys.argv[1])
manager = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
manager.connect(os.environ["NOTIFY_SOCKET"])
def tell(**facts):
    test.sendall(json.dumps(facts).encode() + b"\\n")
def put(name, descriptor):
    socket.send_fds(manager, [f"FDSTORE=1\\nFDNAME={name}".encode()], [descriptor])
def inherited(name):
    return socket.socket(fileno=3 + os.environ["LISTEN_FDNAMES"].split(":").index(name))
tell(pid=os.getpid(), environ=dict(os.environ), group=os.getpgid(0))
for line in test.makefile():
    exec(line)
"""


@attrs.define
class Child:
    """One of the daemons that a guardian starts."""

    facts: dict[str, Any]
    stream: trio.SocketStream
    _text: bytes = b""

    @property
    def pid(self) -> int:
        return int(self.facts["pid"])

    @property
    def environ(self) -> dict[str, str]:
        found: dict[str, str] = self.facts["environ"]
        return found

    @property
    def names(self) -> list[str]:
        """Under which names it has inherited descriptors."""
        return self.environ["LISTEN_FDNAMES"].split(":") if self.environ["LISTEN_FDNAMES"] else []

    async def do(self, *lines: str) -> None:
        """Have it execute Python code, each line on its own."""
        await self.stream.send_all("".join(f"{line}\n" for line in lines).encode())

    async def heard(self) -> Any:
        """What it tells next."""
        with trio.fail_after(60):
            while b"\n" not in self._text:
                some = await self.stream.receive_some()
                assert some, "the daemon is gone"
                self._text += some
        line, _, self._text = self._text.partition(b"\n")
        return json.loads(line)

    async def is_ready(self) -> None:
        await self.do("manager.send(b'READY=1')")

    def kill(self, number: int = signal.SIGKILL) -> None:
        os.kill(self.pid, number)


@attrs.define
class Guarding:
    """A running guardian."""

    process: trio.Process
    directory: Path
    _listener: trio.SocketListener
    _children: list[Child] = attrs.field(factory=list)

    async def child(self) -> Child:
        """The next daemon that is started."""
        with trio.fail_after(60):
            child = Child({}, await self._listener.accept())
        self._children.append(child)
        child.facts = await child.heard()
        return child

    async def code(self) -> int:
        with trio.fail_after(60):
            return await self.process.wait()

    def close(self) -> None:
        self.process.kill()  # the daemon follows
        for child in self._children:
            child.stream.socket.close()

    async def said(self) -> str:
        assert self.process.stdout is not None
        return b"".join([some async for some in self.process.stdout]).decode()

    async def complained(self) -> str:
        assert self.process.stderr is not None
        return b"".join([some async for some in self.process.stderr]).decode()


def children(pid: int) -> list[int]:
    """The processes that a process has started."""
    return [*map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text().split())]


@asynccontextmanager
async def guarding(
    tmp_path: Path, *, stand_by: bool = False, trouble: str = "", **options: Any
) -> AsyncIterator[Guarding]:
    """Start a guardian whose daemons do what they are told; `trouble` is code for itself."""
    listening = trio.socket.socket(trio.socket.AF_UNIX)
    await listening.bind(str(tmp_path / "test"))
    listening.listen()
    directory = tmp_path / "runtime"
    program = ["-c", STAND_BY + DAEMON] if stand_by else ["-S", "-c", DAEMON]
    daemon = [sys.executable, *program, str(tmp_path / "test")]
    async with trio.SocketListener(listening) as listener, trio.open_nursery() as nursery:
        process = await nursery.start(
            partial(
                trio.run_process,
                [sys.executable, "-c", trouble + GUARDIAN, str(directory), *daemon],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                check=False,
                **options,
            )
        )
        guard = Guarding(process, directory, listener)
        try:
            yield guard
        finally:
            guard.close()
            nursery.cancel_scope.cancel()
