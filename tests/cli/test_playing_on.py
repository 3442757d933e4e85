"""platform replay --at N --serve as users and bots call it."""

import json
from pathlib import Path

import pytest
import trio

from games import hexxagon, penguins
from ludothek.contract.game import Game
from ludothek.runtime.record import Record
from tests.support.program import invoke, platform, running
from tests.support.records import record_match


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    path = tmp_path_factory.mktemp("state")
    games = (hexxagon.GAME, penguins.GAME)
    return {game.name: record_match(path, game=game, settings={}) for game in games}


@pytest.mark.parametrize("game", [hexxagon.GAME, penguins.GAME], ids=lambda game: game.name)
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
    moves = [report["moves"] for report in reports]
    assert 0 < sum(moves) < record.about["moves"]


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
