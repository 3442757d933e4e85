"""What a program can see and reach."""

import json
import os
import shutil
import socket
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ludothek.arena import sandbox
from ludothek.arena.cores import own_cores
from ludothek.arena.local_pool import LocalPool
from ludothek.arena.outcome import Reason
from tests.arena.games import ZOO, animal, bot, played, program, running, task, within


@pytest.fixture
def elsewhere() -> Iterator[int]:
    """A port of this machine that has nothing to do with the game."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server.getsockname()[1]


async def spied(players: Path, elsewhere: int, tmp_path: Path) -> dict[str, Any]:
    """What a program finds whose folder is one of several."""
    for name in ("ada", "bo"):
        (players / name).mkdir(parents=True)
        shutil.copy(ZOO / "spy.py", players / name)
    command = (sys.executable, "spy.py", "{port}", str(elsewhere), "bo")
    spy = program("Ada", *command, folder=players / "ada")
    result = await played(task("hexxagon", spy, bot(), folder=tmp_path / "games"))
    finish = result.outcome.finishes[0]
    assert finish.reason is Reason.EXITED, finish
    assert finish.log is not None
    found: dict[str, Any] = json.loads(result.files[finish.log])
    return found


@pytest.mark.usefixtures("enclosed")
async def test_a_program_reaches_the_server_and_nothing_else(
    elsewhere: int, tmp_path: Path
) -> None:
    assert await spied(tmp_path / "players", elsewhere, tmp_path) == {
        "directory": [],
        "reaches the server": True,
        "reaches others": False,
        "sees a rival": False,
        "sees itself": True,
        "changes itself": False,
        "writes where it is": True,
        "descriptors": [0, 1, 2],
        "processes": 2,  # itself and the launcher
        "variables": [
            "DOTNET_EnableWriteXorExecute",
            "ENTRANT",
            "HOME",
            "LANG",
            "PATH",
            "TMPDIR",
        ],
    }


@pytest.mark.usefixtures("enclosed")
@pytest.mark.skipif(len(own_cores()) < 2, reason="there is no other core to take")
async def test_a_program_gets_no_more_than_its_share(tmp_path: Path) -> None:
    climber = program("Ada", sys.executable, "climber.py", folder=ZOO)
    async with LocalPool(own_cores()[:1]) as pool:
        outcome = await pool.play(task("hexxagon", climber, bot(), folder=tmp_path))
    assert outcome.finishes[0].reason is Reason.EXITED, outcome
    found = json.loads((tmp_path / "000001-1.log").read_text())
    assert found.pop("in flight") < 1500  # whoever has more of them blocks all of the same user
    assert found == {"cores": [1, 1], "slows the launcher": False, "has our keys": False}


async def test_an_entrant_may_bring_its_own_interpreter(tmp_path: Path) -> None:
    """A virtual environment in its folder: a link to somewhere else on the machine."""
    (tmp_path / "venv").symlink_to(sys.prefix)
    (tmp_path / "python").symlink_to(sys.executable)
    for command in ("./python", "venv/bin/python"):
        own = program("Ada", command, "-c", "print('hello')", folder=tmp_path)
        result = await played(task("hexxagon", own, bot(), folder=tmp_path / "games"))
        assert result.files["000001-1.log"] == b"hello\n", result


async def test_a_program_can_read_files_that_its_command_names(tmp_path: Path) -> None:
    (tmp_path / "cup").mkdir()
    (tmp_path / "team.json").write_text("seven names")
    team = f"{tmp_path}/cup/../team.json"  # as a file says that lies in another folder
    reader = program("Ada", "cat", team, folder=tmp_path / "cup")
    result = await played(task("hexxagon", reader, bot(), folder=tmp_path / "games"))
    assert result.files["000001-1.log"] == b"seven names", result


async def test_a_sandbox_that_cannot_be_started_says_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = ("bash", "-c", "echo no more namespaces >&2; exit 1")
    monkeypatch.setattr(sandbox, "bubblewrap", lambda: broken)
    result = await played(task("hexxagon", program("Ada", "true"), bot(), folder=tmp_path))
    assert result.outcome.failure is not None
    assert "the sandbox could not be started: no more namespaces" in result.outcome.failure


@pytest.fixture
def without_bubblewrap(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(shutil, "which", lambda name, **_: None)
    sandbox.bubblewrap.cache_clear()
    yield
    sandbox.bubblewrap.cache_clear()


@pytest.mark.usefixtures("without_bubblewrap")
async def test_without_bubblewrap_a_program_still_has_a_directory_of_its_own(
    elsewhere: int, tmp_path: Path
) -> None:
    found = await spied(tmp_path / "players", elsewhere, tmp_path)
    assert found["directory"] == []
    assert found["reaches the server"]
    assert found["reaches others"]
    assert found["sees a rival"]
    assert "USER" not in found["variables"]


@pytest.mark.usefixtures("without_bubblewrap")
@pytest.mark.parametrize(
    ("kind", "bounds", "reason"),
    [
        ("glutton", within(memory_megabytes=64), Reason.MEMORY),
        ("rabbit", within(processes=20), Reason.PROCESSES),
        ("hydra", within(), Reason.EXITED),
        ("sleeper", within(move_seconds=0.5), Reason.SILENT),
    ],
)
async def test_without_bubblewrap_bounds_hold_and_nothing_stays_behind(
    kind: str, bounds: Any, reason: Reason, tmp_path: Path
) -> None:
    mark = f"plain-{os.getpid()}"
    entrant = animal(kind, "{host}", "{port}", "{reservation}", mark)
    result = await played(task("penguins", entrant, bot(), folder=tmp_path, bounds=bounds))
    assert result.outcome.failure is None
    assert result.outcome.finishes[0].reason is reason
    assert running(mark) == []


async def hoarded(folder: Path, private: tuple[str, ...] = ()) -> dict[str, Any]:
    shutil.copy(ZOO / "hoarder.py", folder)
    hoarder = program("Ada", sys.executable, "hoarder.py", folder=folder)
    bounds = within(files_megabytes=2)
    game = task("hexxagon", hoarder, bot(), folder=folder, bounds=bounds, private=private)
    result = await played(game)
    finish = result.outcome.finishes[0]
    assert finish.log is not None, result
    found: dict[str, Any] = json.loads(result.files[finish.log])
    return found


@pytest.mark.usefixtures("enclosed")
async def test_there_is_little_room_for_files_and_no_way_to_make_more(tmp_path: Path) -> None:
    found = await hoarded(tmp_path)
    assert found["megabytes"] <= 2 * 2  # one half of it in /dev/shm
    assert not found["namespaces"]


@pytest.mark.usefixtures("enclosed")
async def test_results_and_rivals_are_hidden_in_the_folder_of_the_file(tmp_path: Path) -> None:
    """The folder of an entrant is that of the file, unless it has one of its own."""
    private = ("arena.db.txt", "arena.games", "rival")
    for name in ("arena.db.txt", "arena.games/1.txt", "rival/opening.txt", "mine.txt"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("secret")
    paths = (str(tmp_path), *(str(tmp_path / name) for name in private))
    assert (await hoarded(tmp_path, paths))["texts"] == ["mine.txt"]


async def test_the_name_of_an_entrant_is_no_file(tmp_path: Path) -> None:
    (tmp_path / "Ada").touch()
    (tmp_path / "words.py").write_text("import sys; print(sys.argv[1:])")
    words = (sys.executable, "words.py", "{name}", "{lobby}", "Ada")
    ada = program("Ada", *words, folder=tmp_path)
    result = await played(task("hexxagon", ada, bot(), folder=tmp_path / "games"))
    assert result.files["000001-1.log"].decode() == f"['Ada', 'game1', '{tmp_path / 'Ada'}']\n"
