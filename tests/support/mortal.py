"""A durable daemon that dies when a test wants it to, and goes on."""

import json
import os
import signal
import socket
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from textwrap import dedent
from typing import Any

import attrs
import trio

from tests.support.program import Daemon, invoke_aside, running

PROGRAM = """\
#!{python}
import os, signal
import ludothek.__main__ as program

def die():
    os.kill(os.getpid(), signal.SIGKILL)

def live(LIFE):
{code}

# A spare process has to be free of what is done to the process before it.
def stand_by(environ):
    has_taken_over = leave_spare(environ)
    live(int(environ["LUDOTHEK_RESTARTS"]) + 1)
    return has_taken_over

if "LUDOTHEK_GUARDIAN" in os.environ:
    from ludothek.cli import run
    leave_spare, run.stand_by = run.stand_by, stand_by
program.main()
"""


@attrs.define(eq=False)
class Mortal:
    """The daemon, and where to find it."""

    directory: Path
    daemon: Daemon
    control: Path
    _callers: "list[Caller]" = attrs.field(factory=list)

    @property
    def ports(self) -> list[int]:
        return [int(line.rpartition(":")[2]) for line in self.daemon.ready]

    async def status(self) -> Any:
        """As soon as somebody answers."""
        with trio.fail_after(60):
            while True:
                done = await invoke_aside("ctl", "status", "--json", "--control", str(self.control))
                if done.returncode == 0:
                    return json.loads(done.stdout)
                await trio.sleep(0.05)

    async def restarted(self, times: int) -> Any:
        """The status after so many restarts."""
        with trio.fail_after(60):
            while True:
                status = await self.status()
                if status["restarts"] >= times:
                    return status
                await trio.sleep(0.05)

    async def kill(self) -> Any:
        """Kill the serving process; returns the status of the next one."""
        status = await self.status()
        os.kill(status["pid"], signal.SIGKILL)
        return await self.restarted(status["restarts"] + 1)

    async def connect(self, port: int = 0) -> "Caller":
        caller = Caller(await trio.open_tcp_stream("127.0.0.1", port or self.daemon.port))
        self._callers.append(caller)
        return caller

    def hang_up(self) -> None:
        for caller in self._callers:
            caller.stream.socket.close()

    async def end(self) -> str:
        """End it politely; returns its log."""
        assert await self.daemon.stop() == 0
        return await self.daemon.log()


@attrs.define(eq=False)
class Caller:
    """A client that speaks lines."""

    stream: trio.SocketStream
    _text: bytes = b""

    async def say(self, line: bytes) -> None:
        await self.stream.send_all(line + b"\n")

    async def hear(self) -> bytes:
        """The next line; empty when the server has hung up."""
        with trio.fail_after(60):
            while b"\n" not in self._text:
                try:
                    some = await self.stream.receive_some()
                except trio.BrokenResourceError:
                    some = b""
                if not some:
                    return b""
                self._text += some
        line, _, self._text = self._text.partition(b"\n")
        return line

    def reset(self) -> None:
        self.stream.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
        self.stream.socket.close()


@asynccontextmanager
async def mortal(
    directory: Path, code: str = "pass", config: str = "", **options: Any
) -> AsyncIterator[Mortal]:
    """Start a daemon in which this code is executed; `LIFE` is 1 in the first process."""
    program = directory / "platform"
    indented = "".join(f"    {line}\n" for line in dedent(code).strip().splitlines())
    program.write_text(PROGRAM.format(python=sys.executable, code=indented))
    program.chmod(0o755)
    (directory / "platform.toml").write_text(config or "[[host]]\ngame = 'roborally'\nport = 0\n")
    control = directory / "control.sock"
    arguments = ["--config", str(directory / "platform.toml"), "--durable", "--control"]
    arguments += [str(control), "--runtime-dir", str(directory / "runtime")]
    arguments += ["--state-dir", str(directory / "state")]
    async with running(*arguments, program=[str(program)], **options) as daemon:
        found = Mortal(directory, daemon, control)
        try:
            yield found
        finally:
            found.hang_up()
