"""Qwirkle as a user runs it: the daemon and its bots as processes of their own."""

import json
from pathlib import Path
from typing import Any

import pytest
import trio

from tests.games.qwirkle.party import Guest
from tests.support.helpers import Peer
from tests.support.program import invoke, platform, running
from transports import LineFramer, Tcp

ROOT = Path(__file__).parents[3]
QUICK = f"configuration={ROOT / 'config' / 'qwirkle' / 'quick.json'}"
QWIRKLE = ("--game", "qwirkle", "--port", "0")


async def test_two_bots_play_each_other_to_the_end() -> None:
    lines: list[dict[str, Any]] = []

    async def bot(port: int, name: str, difficulty: str) -> None:
        options = ("-p", str(port), "-u", name, "-d", difficulty, "--seed", "1")
        done = await platform("bot", "--game", "qwirkle", *options)
        assert done.returncode == 0, done.stderr
        lines.append(json.loads(done.stdout))

    async with running(*QWIRKLE, "--set", QUICK, "--seed", "1") as daemon:
        assert daemon.ready == [f"qwirkle ready on tcp://127.0.0.1:{daemon.port}"]
        async with trio.open_nursery() as nursery:
            nursery.start_soon(bot, daemon.port, "Stark", "0")
            nursery.start_soon(bot, daemon.port, "Zufall", "2")
        assert await daemon.stop() == 0
    one, two = lines
    assert (one["winner"], one["points"]) == (two["winner"], two["points"])
    assert {one["won"], two["won"]} == {True, False}
    assert one["errors"] == two["errors"] == 0


async def test_sigterm_aborts_games_in_the_words_of_the_protocol() -> None:
    async with running(*QWIRKLE) as daemon:
        transport = Tcp(LineFramer)
        async with (
            transport.connect("127.0.0.1", daemon.port) as one,
            transport.connect("127.0.0.1", daemon.port) as two,
        ):
            guests = [Guest(Peer(one), "Anna"), Guest(Peer(two), "Bert")]
            for guest in guests:
                await guest.connect()
                await guest.ask(302, 303, gameId=1)
            for guest in guests:
                await guest.hear(400, 408, 409)
            assert await daemon.stop() == 0
            for guest in guests:
                await guest.hear(402, 407)
                await guest.peer.hear_end()


@pytest.mark.parametrize(
    ("setting", "complaint"),
    [
        ("configuration=/nowhere.json", "/nowhere.json: No such file or directory"),
        ("coordinates=xy", "coordinates: expected one of both, library, document"),
        ("start_players=5", "start_players: open games cannot start with 5 players"),
    ],
)
def test_wrong_settings_end_with_one_line(setting: str, complaint: str) -> None:
    done = invoke("run", "--game", "qwirkle", "-p", "0", "--set", setting)
    assert done.returncode == 2
    assert complaint in done.stderr
    assert done.stderr.count("\n") == 1
