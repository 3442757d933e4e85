"""The computer player as the standard describes it: a program with options."""

import json
from pathlib import Path
from typing import Any

import trio

from tests.games.quidditch.scene import BRIEF, CONFIG
from tests.support.program import platform, running

BOT = ("bot", "--game", "quidditch")
SERVER = ("--game", "quidditch", "-p", "0", "--set", "accounts=memory", "-m", str(BRIEF))


async def test_two_bots_without_options_play_each_other() -> None:
    """«(default --lobby hogwarts)»"""
    reports: list[dict[str, Any]] = []

    async def bot(port: int, *options: str) -> None:
        done = await platform(*BOT, "-p", str(port), *options)
        assert (done.returncode, done.stderr) == (0, "")
        reports.append(json.loads(done.stdout))

    async with running(*SERVER) as daemon:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(bot, daemon.port)
            nursery.start_soon(bot, daemon.port, "--lobby", "hogwarts")
        assert await daemon.stop() == 0
    one, two = reports
    assert [one["won"], two["won"]] in ([True, False], [False, True])
    assert {one["side"], two["side"]} == {"left", "right"}
    assert one["winner"] == two["winner"]
    assert (one["errors"], two["errors"]) == (0, 0)


async def test_help_names_every_option() -> None:
    done = await platform(*BOT, "-h")
    assert done.returncode == 0
    names = ("address", "team", "lobby", "username", "password", "port", "difficulty")
    for short, name in zip("atlukpdvh", (*names, "verbosity", "help"), strict=True):
        assert f"-{short}, --{name}" in done.stdout


async def test_a_bot_that_is_refused_says_why(tmp_path: Path) -> None:
    """«"code":207 ... invalid teamConfig by player», then «"code":206 ... wrong password»"""
    team = json.loads((CONFIG / "team-badgers.json").read_text())
    team["payload"]["name"] = "#"
    file = tmp_path / "team.json"
    file.write_text(json.dumps(team))
    async with running(*SERVER) as daemon:
        port = str(daemon.port)
        short = ("-a", "127.0.0.1", "-p", port, "-l", "MemesOnly", "-u", "harry", "-d", "1")
        bad_team = await platform(*BOT, *short, "-t", str(file), "-k", "1337", "-v", "0")
        long = ("--address", "localhost", "--port", port, "--lobby", "MemesOnly")
        who = ("--username", "harry", "--password", "guess", "--verbosity", "0")
        bad_password = await platform(*BOT, *long, *who, "--difficulty", "1")
    for done, reason in ((bad_team, "invalid teamConfig"), (bad_password, "wrong password")):
        assert (done.returncode, done.stdout) == (1, "")
        assert reason in done.stderr
        assert done.stderr.count("\n") == 1
