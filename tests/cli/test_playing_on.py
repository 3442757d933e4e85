"""platform replay --at N --serve as users and bots call it."""

import json
from pathlib import Path
from typing import Any

import attrs
import pytest
import trio

from games import hexxagon, penguins, quidditch, qwirkle, roborally
from games.qwirkle.configuration import FOR_TWO, Milliseconds, save
from ludothek.contract.game import Game
from ludothek.runtime.record import Record
from tests.games.quidditch.scene import BRIEF
from tests.support.program import invoke, platform, running
from tests.support.records import record_match

GAMES = [hexxagon.GAME, penguins.GAME, quidditch.GAME, qwirkle.GAME, roborally.GAME]


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    path = tmp_path_factory.mktemp("state")
    # Matches that are played quickly, since the clocks are real.
    hasty = attrs.evolve(FOR_TWO, time_visualization=Milliseconds(0))
    save(hasty, path / "hasty.json")
    settings: dict[str, dict[str, Any]] = {
        "quidditch": {"match": str(BRIEF), "accounts": "memory"},
        "qwirkle": {"configuration": str(path / "hasty.json"), "auto_skip": True},
        "roborally": {"max_rounds": 4},
    }
    return {
        game.name: record_match(path / game.name, game=game, settings=settings.get(game.name, {}))
        for game in GAMES
    }


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
async def test_bots_play_on_to_the_end(game: Game, files: dict[str, Path]) -> None:
    file = files[game.name]
    record = Record.read(file.read_bytes())
    at = str(len(record.notes) // 2)
    async with running(str(file), "--at", at, "--serve", "-p", "0", verb="replay") as daemon:
        assert daemon.ready[0].startswith(f"{game.name} ready on ")
        reports = []

        async def play() -> None:
            done = await platform("bot", "--game", game.name, "-p", str(daemon.port), "-d", "1")
            assert (done.returncode, done.stderr) == (0, "")
            reports.append(json.loads(done.stdout))

        async with trio.open_nursery() as nursery:
            nursery.start_soon(play)
            nursery.start_soon(play)
        assert await daemon.stop() == 0
    assert [report["errors"] for report in reports] == [0, 0]
    assert all(report["moves"] for report in reports)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_a_note_without_a_match_is_refused(game: Game, files: dict[str, Path]) -> None:
    done = invoke("replay", str(files[game.name]), "--at", "0", "--serve")
    assert (done.returncode, done.stdout) == (1, "")
    assert "no match is running after note 0" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["--at", "1", "--serve"], 1, "no match is running after note 1"),
        (["--at", "1000", "--serve"], 2, "this record has"),
        (["--at", "10"], 2, "--at and --serve belong together"),
        (["--serve"], 2, "--at and --serve belong together"),
        (["--at", "10", "--serve", "--show", "1"], 2, "exclude each other"),
    ],
)
def test_what_cannot_be_done_is_told(
    arguments: list[str], code: int, words: str, files: dict[str, Path]
) -> None:
    done = invoke("replay", str(files["hexxagon"]), *arguments)
    assert (done.returncode, done.stdout) == (code, "")
    assert words in done.stderr
