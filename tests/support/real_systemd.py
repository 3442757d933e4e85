"""A real systemd that is not the first process of the machine, in namespaces of its own."""

import os
import shutil
import socket
import subprocess
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

import attrs
import pytest
import trio

NAMESPACES = ("--pid", "--fork", "--mount", "--mount-proc", "--uts", "--ipc", "--cgroup")

START = """
mount -t tmpfs tmpfs /run || exit 1
exec systemd --system --unit=basic.target --log-target=console --show-status=no
"""

needs_systemd = pytest.mark.skipif(
    os.geteuid() != 0
    or any(shutil.which(tool) is None for tool in ("systemd", "systemctl", "unshare", "nsenter"))
    or subprocess.run(["unshare", *NAMESPACES, "true"], check=False, capture_output=True).returncode
    != 0,
    reason="needs systemd, and root who may make namespaces",
)


@attrs.frozen
class Systemd:
    """A running systemd."""

    pid: int

    async def ctl(self, *words: str) -> str:
        """Call systemctl."""
        command = ["nsenter", "-t", str(self.pid), "-a", "systemctl", *words]
        with trio.fail_after(60):
            done = await trio.run_process(
                command, capture_stdout=True, capture_stderr=True, check=False
            )
        assert done.returncode == 0, done.stderr.decode()
        return done.stdout.decode()

    async def show(self, unit: str, *keys: str) -> dict[str, str]:
        """Properties of a unit."""
        lines = (await self.ctl("show", "-p", ",".join(keys), unit)).splitlines()
        return dict(line.split("=", 1) for line in lines)


@asynccontextmanager
async def running_systemd(units: Path, tmp_path: Path) -> AsyncIterator[Systemd]:
    """Start systemd with these units; skips the test where that turns out to be impossible."""
    (units / "basic.target").write_text("[Unit]\nDescription=Nothing\n")
    address = str(tmp_path / "booted")
    environment = {
        "PATH": os.environ["PATH"],
        "container": "unshared",
        "SYSTEMD_UNIT_PATH": str(units),
        "NOTIFY_SOCKET": address,
    }
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as booted:
        booted.bind(address)
        booted.setblocking(False)
        async with trio.open_nursery() as nursery:
            process = await nursery.start(
                partial(
                    trio.run_process,
                    ["unshare", *NAMESPACES, "--kill-child", "sh", "-c", START],
                    env=environment,
                    capture_stdout=True,
                    stderr=subprocess.STDOUT,
                    check=False,
                )
            )
            try:
                if not await _is_up(booted):
                    pytest.skip("systemd does not start here")
                yield Systemd(int(_children(process.pid)))
            finally:
                process.kill()  # and systemd with it
                nursery.cancel_scope.cancel()


def _children(pid: int) -> str:
    return Path(f"/proc/{pid}/task/{pid}/children").read_text()


async def _is_up(booted: socket.socket) -> bool:
    with trio.move_on_after(30):
        while True:
            await trio.lowlevel.wait_readable(booted)
            if b"READY=1" in booted.recv(4096).split(b"\n"):
                return True
    return False
