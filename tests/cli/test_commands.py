"""What every command bears: terminals with few characters, full disks, Ctrl-C at any moment."""

import os
import subprocess
import sys
from pathlib import Path
from subprocess import PIPE
from typing import Any, NoReturn

import attrs
import pytest

from ludothek import __main__
from ludothek.cli import commands as cli
from ludothek.settings.fields import SettingsError, build, setting
from tests.support.program import PLATFORM, invoke


def test_what_a_terminal_cannot_show_is_escaped(tmp_path: Path) -> None:
    path = tmp_path / "platform.toml"
    path.write_text('[[host]]\ngame = "hexxagon"\nhost = "李ä"\n')
    env = {**os.environ, "PYTHONIOENCODING": "latin-1"}
    command = [*PLATFORM, "check-config", str(path)]
    done = subprocess.run(command, env=env, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.startswith("hexxagon on \\u674eä port 4444\n".encode("latin-1"))


@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_complaint_that_nobody_can_read_does_not_change_the_exit_code(unbuffered: str) -> None:
    env = {**os.environ, "PYTHONUNBUFFERED": unbuffered}
    with open("/dev/full", "w") as full:
        command = [*PLATFORM, "check-config", "/nowhere"]
        assert subprocess.run(command, env=env, stderr=full, check=False).returncode == 2


@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_an_answer_that_cannot_be_written_is_a_failure(unbuffered: str) -> None:
    env = {**os.environ, "PYTHONUNBUFFERED": unbuffered}
    with open("/dev/full", "w") as full:
        done = subprocess.run([*PLATFORM, "games"], env=env, stdout=full, stderr=PIPE, check=False)
    assert (done.returncode, done.stderr) == (1, b"platform: [Errno 28] No space left on device\n")


@pytest.mark.parametrize(
    "error", [KeyboardInterrupt(), BaseExceptionGroup("of trio", [KeyboardInterrupt()])]
)
def test_an_interrupted_command_says_nothing(
    error: BaseException, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(**_: Any) -> NoReturn:
        raise error

    monkeypatch.setattr(cli.cli, "main", interrupted)
    done = invoke("games")
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


def test_so_does_one_that_is_still_being_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    class Interrupted:
        def find_spec(self, name: str, *_: Any) -> None:
            if name == "ludothek.cli.commands":
                raise KeyboardInterrupt

    monkeypatch.setattr(sys, "meta_path", [Interrupted(), *sys.meta_path])
    monkeypatch.setattr(sys, "argv", ["platform", "games"])
    monkeypatch.delitem(sys.modules, "ludothek.cli.commands")
    with pytest.raises(SystemExit) as end:
        __main__.main()
    assert end.value.code == 130


def test_no_text_has_a_zero_byte() -> None:
    @attrs.frozen(kw_only=True)
    class Settings:
        path: str = setting("", "a file")

    with pytest.raises(SettingsError, match="path: expected text without zero bytes"):
        build(Settings, {"path": "a\0b"}, "test")


@pytest.fixture
def broken_plugin(tmp_path: Path) -> dict[str, str]:
    """An environment in which a game is installed that cannot be imported."""
    metadata = tmp_path / "broken-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: broken\nVersion: 1.0\n")
    (metadata / "entry_points.txt").write_text("[ludothek.games]\nbroken = broken_game:GAME\n")
    (tmp_path / "broken_game.py").write_text("raise RuntimeError('no\\nway')\n")
    (tmp_path / "platform.toml").write_text('[[host]]\ngame = "broken"\n')
    paths = [os.environ.get("PYTHONPATH"), str(tmp_path)]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, paths))}


BROKEN = "the game 'broken' cannot be loaded: RuntimeError: no way\n"


@pytest.mark.parametrize(
    ("words", "code", "said", "complaint"),
    [
        (["games"], 0, "hexxagon", f"platform: {BROKEN}"),
        (["run", "--help"], 0, "--match", ""),
        (["bot", "--help"], 0, "--team", ""),
        (["run", "--game", "broken"], 2, "", f"platform: --game: {BROKEN}"),
        (["bot", "--game", "broken"], 2, "", f"platform: --game: {BROKEN}"),
        (["run", "--config=/nowhere"], 2, "", "platform: /nowhere: No such file or directory\n"),
    ],
)
def test_a_game_that_cannot_be_imported_is_in_nobodys_way(
    words: list[str], code: int, said: str, complaint: str, broken_plugin: dict[str, str]
) -> None:
    done = subprocess.run(
        [*PLATFORM, *words], env=broken_plugin, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (code, complaint)
    assert said in done.stdout


def test_a_configuration_with_a_game_that_cannot_be_imported_has_a_problem(
    broken_plugin: dict[str, str], tmp_path: Path
) -> None:
    command = [*PLATFORM, "check-config", str(tmp_path / "platform.toml")]
    done = subprocess.run(command, env=broken_plugin, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.endswith(BROKEN)
