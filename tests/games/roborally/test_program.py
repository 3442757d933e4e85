"""Robo Rally as a user runs it: the daemon and its bots as processes of their own."""

import json
from pathlib import Path
from typing import Any

import pytest
import trio

from games.roborally import courses
from games.roborally.framing import ObjectFramer
from tests.games.roborally.client import RoboRallyClient
from tests.support.helpers import Peer
from tests.support.program import invoke, platform, running
from transports import Tcp

ROBORALLY = ("--game", "roborally", "--port", "0")


async def test_bots_play_each_other_to_the_end() -> None:
    lines: list[dict[str, Any]] = []

    async def bot(port: int, name: str, difficulty: str) -> None:
        options = ("-p", str(port), "-u", name, "-d", difficulty, "--seed", "1")
        done = await platform("bot", "--game", "roborally", *options)
        assert (done.returncode, done.stderr) == (0, "")
        lines.append(json.loads(done.stdout))

    settings = ("--set", "min_players=3", "--set", "max_rounds=1", "--seed", "1")
    async with running(*ROBORALLY, *settings) as daemon:
        assert daemon.ready == [f"roborally ready on tcp://127.0.0.1:{daemon.port}"]
        async with trio.open_nursery() as nursery:
            for difficulty, name in enumerate(("Search", "Greedy", "Random")):
                nursery.start_soon(bot, daemon.port, name, str(difficulty))
        assert await daemon.stop() == 0
    assert [line["errors"] for line in lines] == [0] * 3
    assert len({line["winner"] for line in lines}) == 1
    assert sum(line["won"] for line in lines) == 1
    assert set(lines[0]["points"]) == {"Search", "Greedy", "Random"}


async def test_sigterm_in_the_middle_of_a_game_is_told_to_everybody() -> None:
    async with running(*ROBORALLY) as daemon:
        transport = Tcp(ObjectFramer)
        async with (
            transport.connect("127.0.0.1", daemon.port) as one,
            transport.connect("127.0.0.1", daemon.port) as two,
        ):
            clients = [await RoboRallyClient.arrive(Peer(link)) for link in (one, two)]
            for figure, client in enumerate(clients, 1):
                await client.register(f"Nr. {figure}", figure)
            for client in clients:
                await client.say("SetStatus", ready=True)
            for client in clients:
                await client.hear_until("CurrentPlayer")
            assert await daemon.stop() == 0
            for client in clients:
                assert await client.hear("Error") == {"error": "The server is shutting down."}
                await client.peer.hear_end()


@pytest.mark.parametrize(
    ("setting", "line"),
    [
        ("course=DizyHighway", "There is no course 'DizyHighway'; choose one of BurnRun, "),
        ("course=nowhere.json", "The course file cannot be read"),
        ("on_disconnect=wait", "expected one of remove, ignore, ai, reconnect, not 'wait'"),
        ("max_players=7", "must be from 1 to 6, not 7"),
        ("timer=5", "did you mean 'timer_seconds'?"),
    ],
)
def test_a_wrong_setting_costs_one_line_and_exit_code_two(setting: str, line: str) -> None:
    done = invoke("run", *ROBORALLY, "--set", setting)
    assert (done.returncode, done.stdout) == (2, "")
    assert line in done.stderr
    assert done.stderr.count("\n") == 1


async def test_a_course_of_ones_own_is_played(tmp_path: Path) -> None:
    path = tmp_path / "own.json"
    path.write_text(json.dumps({"gameMap": courses.game_map(courses.load("RiskyCrossing"))}))
    settings = ("--set", f"course={path}", "--set", "min_players=1")
    async with (
        running(*ROBORALLY, *settings) as daemon,
        Tcp(ObjectFramer).connect("127.0.0.1", daemon.port) as link,
    ):
        client = await RoboRallyClient.arrive(Peer(link))
        await client.register("Alone", 1)
        await client.say("SetStatus", ready=True)
        columns = (await client.hear_until("GameStarted"))["gameMap"]
        assert columns == courses.game_map(courses.load("RiskyCrossing"))
