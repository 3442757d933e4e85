"""A user without a home, whom this machine does not know: a container that may run as anybody."""

import os
import tempfile
from pathlib import Path
from typing import NoReturn

import pytest
import trio
from structlog.testing import capture_logs

from ludothek.control import places
from ludothek.storage.state import usual_directory
from tests.support.program import PLATFORM, running

# Python reads this when it starts: what it would find in a container.
UNKNOWN = """
import pwd

def getpwuid(uid):
    raise KeyError(f"getpwuid(): uid not found: {uid}")

pwd.getpwuid = getpwuid
"""


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where such a user's directory would be."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(Path, "home", _no_home)
    return tmp_path / f"ludothek-{os.getuid()}"


def _no_home() -> NoReturn:
    raise RuntimeError("Could not determine home directory.")


def test_state_is_kept_in_a_private_place(own: Path) -> None:
    with capture_logs() as logs:
        assert usual_directory({}) == own / "state"
    assert own.stat().st_mode & 0o777 == 0o700
    assert [entry["kept_in"] for entry in logs] == [str(own)]
    assert usual_directory({}) == own / "state"


def test_nothing_is_kept_where_somebody_else_was_first(
    own: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    me = os.getuid()
    (tmp_path / f"ludothek-{me + 1}").mkdir()
    monkeypatch.setattr(os, "getuid", lambda: me + 1)
    with capture_logs() as logs:
        assert usual_directory({}) is None
    assert [entry["kept_in"] for entry in logs] == ["nothing"]


def test_a_machine_without_temporary_files_has_no_place_at_all(
    monkeypatch: pytest.MonkeyPatch, own: Path
) -> None:
    def none() -> NoReturn:
        raise FileNotFoundError(2, "No usable temporary directory found")

    monkeypatch.setattr(tempfile, "gettempdir", none)
    assert usual_directory({}) is None
    assert places.to_listen({}) is None
    assert places.to_call({}) == [places.SERVICE]


async def test_every_command_works_for_nobody(tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(UNKNOWN)
    config = tmp_path / "platform.toml"
    config.write_text('[[host]]\ngame = "quidditch"\nport = 0\n')
    own = tmp_path / f"ludothek-{os.getuid()}"
    env = {"PATH": os.environ["PATH"], "PYTHONPATH": str(tmp_path), "TMPDIR": str(tmp_path)}
    async with running("--config", str(config), env=env) as daemon:
        for words, code in (
            (("ctl", "status"), 0),
            (("check-config", str(config)), 0),
            (("games",), 0),
            (("wire", os.devnull), 0),
            (("bot", "--game", "hexxagon", "-p", str(daemon.port), "--games", "1"), 1),
        ):
            command = [*PLATFORM, *words]
            done = await trio.run_process(
                command, env=env, capture_stdout=True, capture_stderr=True, check=False
            )
            assert b"Traceback" not in done.stderr
            assert done.returncode == code, (words, done.stderr)
        assert os.listdir(own) == ["control.sock"]
        assert await daemon.stop() == 0
        assert "no home directory" in await daemon.log()
