"""Playing a game of a tournament from the empty table to the outcome."""

import socket
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

import attrs
import pytest
import trio

from ludothek.arena.entrant import Entrant, Kind
from ludothek.arena.outcome import Finish, Reason
from ludothek.arena.played import Played
from ludothek.contract import registry
from ludothek.runtime.record import Record
from ludothek.runtime.replay import Replay
from tests.arena.games import bot, played, program, task, within

# Settings that make matches short.
SHORT: dict[str, dict[str, Any]] = {
    "roborally": {"max_rounds": 2},
}

# How many seats are tried.
SEATS = {"qwirkle": 4, "roborally": 6}

# The words that our own bot takes in each game.
WORDS = {
    "hexxagon": ("--lobby", "{lobby}", "--username", "{name}"),
    "penguins": ("--reservation", "{reservation}"),
    "quidditch": ("--lobby", "{lobby}", "--username", "{name}", "--password", "{password}"),
    "qwirkle": ("--username", "{name}"),
    "roborally": ("--username", "{name}"),
}

GAMES = sorted(WORDS)


def our_program(name: str, game: str, *more: str) -> Entrant:
    where = ("--address", "{host}", "--port", "{port}", "--difficulty", "{difficulty}")
    command = (sys.executable, "-m", "ludothek", "bot", "--game", game, *where, *WORDS[game])
    return attrs.evolve(program(name, *command, *more), difficulty=2)


def recorded(result: Played) -> Record:
    assert result.outcome.record is not None
    return Record.read(result.files[result.outcome.record])


@pytest.mark.parametrize("game", GAMES)
async def test_bots_play_every_game_and_its_record_can_be_repeated(
    game: str, tmp_path: Path
) -> None:
    bots = [bot(f"Bot {number}") for number in range(SEATS.get(game, 2))]
    result = await played(task(game, *bots, folder=tmp_path, settings=SHORT.get(game, {})))
    assert result.outcome.failure is None
    finishes = result.outcome.finishes
    assert len(finishes) == len(bots)
    assert {each.reason for each in finishes} == {Reason.REGULAR}
    for each in finishes:
        assert each.thinking.moves > 0
        assert 0 <= each.thinking.p50 <= each.thinking.p99 <= each.thinking.longest
        assert each.thinking.longest <= each.thinking.total <= result.outcome.seconds
    record = recorded(result)
    places = record.about["players"]
    assert [place["rank"] for place in places] == [each.rank for each in finishes]
    assert [place["score"] for place in places] == [each.points for each in finishes]
    assert len([*Replay(registry.load(game), record)]) == len(record.notes)


@pytest.mark.parametrize("game", GAMES)
async def test_a_program_sits_where_it_should(game: str, tmp_path: Path) -> None:
    """It connects long after the bots, which would otherwise have the first turn."""
    entrants = (our_program("Ada L.", game), bot("Bo"))
    result = await played(task(game, *entrants, folder=tmp_path, settings=SHORT.get(game, {})))
    assert result.outcome.failure is None
    assert [each.reason for each in result.outcome.finishes] == [Reason.REGULAR] * 2, result
    first, second = (place["name"] for place in recorded(result).about["players"])
    assert first.startswith("Ada")
    assert second.startswith("Bo")
    assert result.outcome.finishes[0].log == "000001-1.log"
    assert b'"moves"' in result.files["000001-1.log"]


@pytest.mark.parametrize("game", ["hexxagon", "penguins", "qwirkle"])
async def test_the_same_seed_gives_the_same_game(game: str, tmp_path: Path) -> None:
    async def once(seed: int) -> list[Finish]:
        result = await played(task(game, bot("A"), bot("B"), folder=tmp_path, seed=seed))
        return [attrs.evolve(each, thinking=Finish().thinking) for each in result.outcome.finishes]

    first = await once(3)
    assert await once(3) == first
    assert await once(4) != first


async def test_a_client_from_elsewhere_plays_at_its_port(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = str(server.getsockname()[1])  # free again in a moment
    ada = Entrant(name="Ada", kind=Kind.REMOTE, options={"port": port})
    results: list[Played] = []

    async def host() -> None:
        results.append(await played(task("hexxagon", bot("Bo"), ada, folder=tmp_path)))

    async with trio.open_nursery() as nursery:
        nursery.start_soon(host)
        words = ("--game", "hexxagon", "--port", port, "--username", "Ada")
        command = [sys.executable, "-m", "ludothek", "bot", *words, "--difficulty", "3"]
        done = await trio.run_process(command, capture_stdout=True)
    assert b'"won"' in done.stdout
    assert [each.reason for each in results[0].outcome.finishes] == [Reason.REGULAR] * 2


async def test_a_port_that_is_taken_is_our_failure_in_plain_words(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        ada = Entrant(name="Ada", kind=Kind.REMOTE, options={"port": str(port)})
        result = await played(task("hexxagon", bot("Bo"), ada, folder=tmp_path))
    expected = f"nobody can connect to 127.0.0.1 port {port}: Address already in use"
    assert result.outcome.failure == expected
    assert "Traceback" not in "".join(capfd.readouterr())


async def test_settings_that_do_not_fit_are_our_failure(tmp_path: Path) -> None:
    game = task("hexxagon", bot(), bot(), folder=tmp_path, settings={"stuck": "never"})
    failure = (await played(game)).outcome.failure
    assert failure is not None
    assert "stuck" in failure


async def test_strangers_at_the_port_of_a_client_do_not_harm_it(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]  # free again in a moment
    ada = Entrant(name="Ada", kind=Kind.REMOTE, options={"port": str(port)})
    results: list[Played] = []

    async def host() -> None:
        game = task("penguins", ada, bot("Bo"), folder=tmp_path, bounds=within(move_seconds=0.5))
        results.append(await played(game))

    async with trio.open_nursery() as nursery:
        nursery.start_soon(host)
        async with await connected(port) as client, await connected(port) as stranger:
            await client.send_all(b"<protocol><join/>")
            assert b"</protocol>" in await stranger.receive_some()  # refused
            async for _ in client:
                pass
    assert results[0].outcome.finishes[0].reason is Reason.SILENT


async def connected(port: int) -> trio.SocketStream:
    """A connection to a server that may not be there yet."""
    with trio.fail_after(30):
        while True:
            with suppress(OSError):
                return await trio.open_tcp_stream("127.0.0.1", port)
            await trio.sleep(0.02)
