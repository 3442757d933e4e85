"""The computer player as the standard describes it: a program with options."""

import json
from pathlib import Path
from typing import Any

import trio

from tests.program import platform, running
from tests.quidditch import BRIEF, CONFIG

BOT = ("bot", "--game", "quidditch")


async def two_bots(*options: tuple[str, ...]) -> list[list[dict[str, Any]]]:
    """The reports of two bots that play each other on a server of their own."""
    reports: list[list[dict[str, Any]]] = []

    async def bot(*own: str) -> None:
        done = await platform(*BOT, *own)
        assert (done.returncode, done.stderr) == (0, "")
        reports.append([json.loads(line) for line in done.stdout.splitlines()])

    server = ("--game", "quidditch", "-p", "0", "--set", "accounts=memory", "-m", str(BRIEF))
    async with running(*server, "--seed", "1") as daemon:
        async with trio.open_nursery() as nursery:
            for own in options:
                nursery.start_soon(bot, "-p", str(daemon.port), *own)
        assert await daemon.stop() == 0
    return reports


async def test_two_bots_without_options_play_each_other() -> None:
    one, two = await two_bots((), ())
    assert [one[0]["won"], two[0]["won"]] in ([True, False], [False, True])
    assert {one[0]["side"], two[0]["side"]} == {"left", "right"}
    assert one[0]["winner"] == two[0]["winner"]
    assert one[0]["errors"] == two[0]["errors"] == 0


async def test_the_options_of_the_standard_in_both_spellings() -> None:
    """«-a --address, -t --team, -l --lobby, -u --username, -k --password, -d, -v»"""
    team = str(CONFIG / "team-badgers.json")
    short = ("-a", "127.0.0.1", "-t", team, "-l", "MemesOnly", "-u", "harry", "-k", "1337")
    long = ("--address", "localhost", "--team", team, "--lobby", "MemesOnly")
    names = ("--username", "draco", "--password", "7331", "--difficulty", "1", "--verbosity", "0")
    one, two = await two_bots(
        (*short, "-d", "3", "-v", "0"),
        (*long, *names),
    )
    assert len(one) == len(two) == 1
    assert one[0]["winner"] == two[0]["winner"]
    assert one[0]["winner"] in {"harry", "draco"}


async def test_help_names_every_option() -> None:
    done = await platform(*BOT, "-h")
    assert done.returncode == 0
    for short, long in zip(
        "atlukpdv",
        ("address", "team", "lobby", "username", "password", "port", "difficulty", "verbosity"),
        strict=True,
    ):
        assert f"-{short}, --{long}" in done.stdout


async def test_a_bot_that_is_refused_says_why(tmp_path: Path) -> None:
    """«"code":207 ... invalid teamConfig by player», then «"code":206 ... wrong password»"""
    team = json.loads((CONFIG / "team-badgers.json").read_text())
    team["payload"]["name"] = "#"
    file = tmp_path / "team.json"
    file.write_text(json.dumps(team))
    async with running("--game", "quidditch", "-p", "0", "--set", "accounts=memory") as daemon:
        options = (*BOT, "-p", str(daemon.port), "-u", "harry")
        bad_team = await platform(*options, "-t", str(file))
        bad_password = await platform(*options, "-k", "guess")
    for done, reason in ((bad_team, "invalid teamConfig"), (bad_password, "wrong password")):
        assert (done.returncode, done.stdout) == (1, "")
        assert reason in done.stderr
        assert done.stderr.count("\n") == 1
