"""platform ctl open with a configuration file, which only the organiser may be able to read."""

import json
import os
from pathlib import Path
from threading import Thread

import pytest

from ludothek.contract.registry import load
from tests.games.qwirkle.party import QUIET
from tests.support.organiser_console import Organiser, open_control
from tests.support.program import invoke_aside


async def open_with(organiser: Organiser, file: str) -> tuple[int, str]:
    words = ("ctl", "open", "--game", "qwirkle", "--file", file, "--control", str(organiser.path))
    done = await invoke_aside(*words)
    assert "Traceback" not in done.stderr
    said = done.stderr if done.returncode else done.stdout
    return done.returncode, said.splitlines()[-1]


async def test_a_file_is_read_where_the_command_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A pipe is nothing that a daemon could open by its name."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = Thread(target=pipe.write_text, args=['{"turnTime": 777}'])
    writer.start()
    monkeypatch.chdir(tmp_path)
    async with open_control(tmp_path, load("qwirkle"), settings=QUIET) as organiser:
        assert await open_with(organiser, "pipe") == (0, "qwirkle/1")
        (lobby,) = await organiser.get("/lobbies")
    writer.join()
    assert lobby["facts"]["configuration"]["turnTime"] == 777


WRONG = [
    ("wrong.json", b'{"turnTime": "soon"}', 1, "wrong.json: turnTime: expected a whole number"),
    ("none.json", None, 2, "--file none.json: No such file or directory"),
    (".", None, 2, "--file .: Is a directory"),
    ("latin.json", b'{"turnTime": "\xe4"}', 2, "--file latin.json: not UTF-8"),
    ("long.json", b" " * 65537, 2, "--file long.json: longer than 65536 bytes"),
]


@pytest.mark.parametrize(("name", "content", "code", "words"), WRONG)
async def test_what_is_wrong_with_it_is_said_of_the_name_that_was_typed(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    content: bytes | None,
    code: int,
    words: str,
) -> None:
    if content is not None:
        (tmp_path / name).write_bytes(content)
    monkeypatch.chdir(tmp_path)
    async with open_control(tmp_path, load("qwirkle"), settings=QUIET) as organiser:
        found, said = await open_with(organiser, name)
        assert (found, said.startswith(f"platform: {words}")) == (code, True), said
        assert await organiser.get("/lobbies") == []


async def test_the_longest_file_fits_into_a_request(tmp_path: Path) -> None:
    path = tmp_path / "padded.json"
    text = json.dumps({"turnTime": 5}, indent=2)
    path.write_text(text + "\n" * (65536 - len(text)))
    async with open_control(tmp_path, load("qwirkle"), settings=QUIET) as organiser:
        assert (await open_with(organiser, str(path)))[0] == 0
