"""A program of an entrant while it runs."""

import json
import os
import signal
import socket
import subprocess
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import attrs
import structlog
import trio

from ludothek.arena.failure import Failure
from ludothek.arena.outcome import Reason
from ludothek.arena.sandbox import Sandbox

log = structlog.get_logger()

# Seconds until the launcher must have started; it is ours.
LAUNCH_SECONDS = 20.0

# Seconds that a program has to end by itself after the game, and after SIGTERM.
LEAVE_SECONDS, TERM_SECONDS = 0.5, 1.0

# The part of its memory that a program must have had for a lack of it to explain its end.
NEARLY_ALL = 0.8

MEGABYTE = 1024 * 1024

# Characters of the last line that a program has printed before it crashed.
LAST_WORDS = 160

# The end of a log, in which that line is looked for.
TAIL = 4096


class CannotLaunch(Failure):
    """The sandbox itself could not be started."""


@attrs.frozen
class End:
    """How a program has ended, in a word and in a sentence."""

    reason: Reason
    words: str


class Program:
    """Started by the launcher in its sandbox; its output goes to a file."""

    def __init__(self, sandbox: Sandbox, log_file: Path, cores: Sequence[int]) -> None:
        self.sandbox = sandbox
        self.log_file = log_file
        self.end: End | None = None  # once it has ended
        self.ended = trio.Event()
        self._cores = cores
        self._process: trio.Process
        self._control: trio.socket.SocketType

    async def launch(self, listen: tuple[str, int] | None) -> socket.socket | None:
        """Prepare everything up to the start.

        In a network of its own, the program reaches nothing but a socket that listens there, at the
        given address; that socket is returned.

        Raises:
          CannotLaunch, OSError: this has failed.
        """
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        ours.setblocking(False)
        self._control = trio.socket.from_stdlib_socket(ours)
        with theirs, self.log_file.open("ab") as output:
            self._process = await trio.lowlevel.open_process(
                self.sandbox.enclose(theirs.fileno()),
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                pass_fds=[theirs.fileno()],
                start_new_session=True,
                cwd="/",
                env={"PATH": os.defpath, "LANG": "C.UTF-8"},
            )
        with trio.move_on_after(LAUNCH_SECONDS), suppress(ConnectionError):  # it has ended
            await self._control.send(json.dumps(self._orders(listen)).encode())
            await trio.lowlevel.wait_readable(ours)
            _, descriptors, _, _ = socket.recv_fds(ours, 1024, 1)
            if bool(descriptors) is (listen is not None):
                return socket.socket(fileno=descriptors[0]) if descriptors else None
        self.ended.set()
        raise CannotLaunch(f"the sandbox could not be started: {self.last_words}")

    def _orders(self, listen: tuple[str, int] | None) -> dict[str, Any]:
        bounds = self.sandbox.bounds
        return {
            "listen": listen,
            "cores": [*self._cores],
            "command": self.sandbox.command,
            "environment": self.sandbox.environment,
            "directory": self.sandbox.directory,
            "confined": self.sandbox.confined,
            "limits": {
                "memory": bounds.memory_megabytes,
                "processes": bounds.processes,
                "files": bounds.files_megabytes,
                "cpu": int(bounds.cpu_seconds),
            },
        }

    async def watch(self) -> None:
        """Wait until the program has ended, and note how."""
        report = b""
        with suppress(OSError, trio.ClosedResourceError):
            report = await self._control.recv(64 * 1024)
        self.end = self._judge(json.loads(report) if report else {})
        self.ended.set()

    async def stop(self) -> None:
        """End it and everything that it has started; it may be asleep, or refuse to."""
        if not hasattr(self, "_process"):
            return
        with trio.CancelScope(shield=True):
            for seconds, word in ((LEAVE_SECONDS, b"term"), (TERM_SECONDS, b"")):
                with trio.move_on_after(seconds):
                    await self.ended.wait()
                    break
                if word:
                    with suppress(OSError, trio.ClosedResourceError):
                        await self._control.send(word)
            self._control.close()  # upon which the launcher kills what is left
            with trio.move_on_after(TERM_SECONDS):
                await self._process.wait()
            if self._process.returncode is None:
                with suppress(ProcessLookupError):
                    os.killpg(self._process.pid, signal.SIGKILL)
                await self._process.wait()

    # How it has ended

    def _judge(self, report: dict[str, Any]) -> End:
        if (problem := report.get("not_started")) is not None:
            return End(Reason.NOT_STARTED, f"The program cannot be started: {problem}.")
        if (bound := report.get("exceeded")) is not None:
            return self._exceeded(Reason(bound))
        if "exit" not in report:
            return End(Reason.CRASHED, "The program has killed the process that watches it.")
        return self._exited(report["exit"], report["left"], report["peak"])

    def _exited(self, code: int, left: int, peak: int) -> End:
        bounds = self.sandbox.bounds
        if code == -signal.SIGXFSZ or self._log_size >= bounds.files_megabytes * MEGABYTE:
            return self._exceeded(Reason.FILES)
        if code == -signal.SIGXCPU:
            return self._exceeded(Reason.CPU)
        if left >= bounds.processes:
            return self._exceeded(Reason.PROCESSES)
        if code and peak > NEARLY_ALL * bounds.memory_megabytes * MEGABYTE:
            return self._exceeded(Reason.MEMORY)
        if code < 0:
            return End(Reason.CRASHED, f"The program was ended by {_signal(-code)}{self._said}")
        if code:
            return End(Reason.CRASHED, f"The program ended with exit code {code}{self._said}")
        others = f" and left {left} process{'es' if left > 1 else ''} behind" if left else ""
        return End(Reason.EXITED, f"The program ended before the game{others}.")

    def _exceeded(self, reason: Reason) -> End:
        bounds = self.sandbox.bounds
        return End(
            reason,
            {
                Reason.MEMORY: f"The program used more than {bounds.memory_megabytes} megabytes.",
                Reason.PROCESSES: f"The program had more than {bounds.processes} processes.",
                Reason.CPU: f"The program computed for more than {bounds.cpu_seconds:g} seconds.",
                Reason.FILES: f"The program wrote more than {bounds.files_megabytes} megabytes.",
            }[reason],
        )

    @property
    def _log_size(self) -> int:
        try:
            return self.log_file.stat().st_size
        except OSError:
            return 0

    @property
    def last_words(self) -> str:
        """The last line of its output."""
        with suppress(OSError), self.log_file.open("rb") as file:
            file.seek(max(0, self._log_size - TAIL))
            lines = file.read().decode(errors="replace").strip().splitlines()
            return lines[-1][:LAST_WORDS] if lines else ""
        return ""

    @property
    def _said(self) -> str:
        words = self.last_words
        return f": {words.rstrip('.')}." if words else "."


def _signal(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
