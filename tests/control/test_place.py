"""The socket file of the program itself: it comes and goes with the daemon."""

import os
import signal
from pathlib import Path

import pytest

from tests.support.program import invoke_aside, platform, running

HEXXAGON = ("--game", "hexxagon", "--port", "0")


def modes(*paths: Path) -> list[int]:
    return [path.stat().st_mode & 0o777 for path in paths]


def is_there(path: Path) -> bool:
    return path.exists()


async def test_the_socket_comes_and_goes_with_the_daemon(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    path = tmp_path / "ludothek" / "control.sock"
    async with running(*HEXXAGON) as daemon:
        assert modes(path, path.parent) == [0o600, 0o700]
        assert (await invoke_aside("ctl", "status")).returncode == 0
        assert await daemon.stop() == 0
    assert not is_there(path)


async def test_a_place_that_is_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever chose it is told; where nobody chose it, games are served without organisers."""
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    path = tmp_path / "ludothek" / "control.sock"
    async with running(*HEXXAGON):
        rival = await platform("run", *HEXXAGON, "--control", str(path))
        assert (rival.returncode, rival.stdout) == (1, "")
        last = rival.stderr.splitlines()[-1]
        assert last == f"platform: control socket {path}: another daemon listens there"
        async with running(*HEXXAGON) as modest:
            assert await modest.stop() == 0
            assert "no organiser's interface" in await modest.log()
        assert (await invoke_aside("ctl", "status")).returncode == 0


async def test_a_killed_daemon_leaves_nothing_in_the_way(tmp_path: Path) -> None:
    path = tmp_path / "control.sock"
    async with running(*HEXXAGON, "--control", str(path)) as daemon:
        await daemon.stop(signal.SIGKILL)
    assert is_there(path)
    async with running(*HEXXAGON, "--control", str(path)) as daemon:
        assert await daemon.stop(signal.SIGINT) == 0
    assert not is_there(path)


async def test_a_machine_without_sessions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("XDG_RUNTIME_DIR", raising=False)
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    async with running(*HEXXAGON):
        own = tmp_path / f"ludothek-{os.getuid()}"
        assert modes(own / "control.sock", own) == [0o600, 0o700]
        assert (await platform("ctl", "status")).returncode == 0
    monkeypatch.setenv("XDG_RUNTIME_DIR", "/proc/nowhere")
    async with running(*HEXXAGON) as daemon:
        assert await daemon.stop() == 0
