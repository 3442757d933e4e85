"""The program as a user runs it: in a process of its own."""

import io
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, redirect_stderr, redirect_stdout
from functools import partial
from typing import Any
from unittest.mock import patch

import attrs
import pytest
import structlog
import trio

from ludothek.cli.commands import main

PLATFORM = (sys.executable, "-m", "ludothek")


@attrs.define(eq=False)
class Daemon:
    """A running `platform run`."""

    process: trio.Process
    ready: list[str]
    port: int

    async def stop(self, number: int = signal.SIGTERM) -> int:
        self.process.send_signal(number)
        with trio.fail_after(60):
            return await self.process.wait()

    async def logged(self, words: str) -> None:
        """Wait until the log says so."""
        text = ""
        with trio.fail_after(60):
            while words not in text:
                text += (await self.process.stderr.receive_some()).decode()  # type: ignore[union-attr]

    async def log(self) -> str:
        assert self.process.stderr is not None
        return b"".join([chunk async for chunk in self.process.stderr]).decode()


@asynccontextmanager
async def running(
    *arguments: str,
    endpoints: int = 1,
    launcher: Sequence[str] = (),
    program: Sequence[str] = PLATFORM,
    verb: str = "run",
    **options: Any,
) -> AsyncIterator[Daemon]:
    """Start the daemon, wait until it is ready, kill it at the end if need be.

    Without the page, unless it is asked for: tests that run side by side have one usual port.
    """
    no_page = ["--no-web"] if verb == "run" and "--web" not in arguments else []
    command = [*launcher, *program, verb, *arguments, *no_page]
    async with trio.open_nursery() as nursery:
        process = await nursery.start(
            partial(
                trio.run_process,
                command,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                check=False,
                **options,
            )
        )
        try:
            ready = await _ready_lines(process, endpoints)
            yield Daemon(process, ready, int(ready[0].rpartition(":")[2]))
        finally:
            nursery.cancel_scope.cancel()


async def _ready_lines(process: trio.Process, count: int) -> list[str]:
    text = ""
    with trio.fail_after(60):
        while text.count("\n") < count:
            chunk = await process.stdout.receive_some()  # type: ignore[union-attr]
            assert chunk, "the daemon ended before it was ready"
            text += chunk.decode()
    return text.splitlines()


async def platform(*arguments: str) -> "subprocess.CompletedProcess[str]":
    """Run a command to its end."""
    with trio.fail_after(120):
        done = await trio.run_process(
            [*PLATFORM, *arguments],
            capture_stdout=True,
            capture_stderr=True,
            check=False,
            env={**os.environ, "COLUMNS": "200"},
        )
    return subprocess.CompletedProcess(
        done.args, done.returncode, done.stdout.decode(), done.stderr.decode()
    )


def invoke(*arguments: str) -> "subprocess.CompletedProcess[str]":
    """Run a command to its end in this process, which saves the second that loading takes.

    Trio runs once per thread: a command that needs it has to be called in another one.
    """
    said = io.BytesIO(), io.BytesIO()
    out, err = [io.TextIOWrapper(stream, write_through=True) for stream in said]
    before = structlog.get_config()
    with (
        patch.object(sys, "argv", ["platform", *arguments]),
        patch.dict(os.environ, COLUMNS="200"),
        redirect_stdout(out),
        redirect_stderr(err),
        pytest.raises(SystemExit) as ended,
    ):
        main()
    structlog.configure(**before)
    assert isinstance(ended.value.code, int)
    return subprocess.CompletedProcess(
        arguments, ended.value.code, *(stream.getvalue().decode() for stream in said)
    )


async def invoke_aside(*arguments: str) -> "subprocess.CompletedProcess[str]":
    """The same for a command that talks to a daemon."""
    return await trio.to_thread.run_sync(partial(invoke, *arguments))
