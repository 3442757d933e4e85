"""Quidditch as a user runs it: the standard's options, accounts and replays on disk, the end."""

import signal
from pathlib import Path
from typing import Any

import orjson
import pytest

from tests.games.quidditch.clients import QuidditchClient, join, start_match
from tests.games.quidditch.scene import BRIEF, CONFIG, ROOT
from tests.support.helpers import Peer
from tests.support.program import invoke, running
from transports import WebSocket

QUICK = str(CONFIG / "match-quick.json")
QUIDDITCH = ("--game", "quidditch", "-p", "0")


def connect(port: int) -> Any:
    return WebSocket().connect("127.0.0.1", port)


@pytest.mark.parametrize("verbosity", [("-v", "3"), ("-v3",), ("-vvv",), ("--verbosity", "3")])
async def test_the_servers_options_of_the_standard(
    tmp_path: Path, verbosity: tuple[str, ...]
) -> None:
    """3.2.2: -m --match, -p --port, -v --verbosity"""
    arguments = (*QUIDDITCH, "-m", QUICK, *verbosity, "--state-dir", str(tmp_path))
    async with running(*arguments) as daemon:
        assert daemon.ready == [f"quidditch ready on ws://127.0.0.1:{daemon.port}"]
        async with connect(daemon.port) as one, connect(daemon.port) as two:
            harry = await QuidditchClient.login(Peer(one), "harry")
            draco = await QuidditchClient.login(Peer(two), "draco")
            await start_match(harry, draco)
            question = await draco.hear_until("next")
            assert question["timeout"] == 5000
        assert await daemon.stop() == 0
        assert "client connected" in await daemon.log()  # one of many words


async def test_verbosity_zero_says_nothing(tmp_path: Path) -> None:
    """«0: keine Ausgabe»"""
    async with running(*QUIDDITCH, "-v", "0", "--state-dir", str(tmp_path)) as daemon:
        async with connect(daemon.port) as link:
            await QuidditchClient.login(Peer(link), "harry")
        assert await daemon.stop() == 0
        assert await daemon.log() == ""


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (("--game", "quidditch", "-m", "nowhere.json"), "nowhere.json: No such file"),
        (("--game", "quidditch", "-m", str(ROOT / "README.md")), "not JSON"),
        (("--game", "hexxagon", "-m", QUICK), "such option"),
        (("--game", "quidditch", "-v", "much"), "'much' is not a valid integer"),
        (("--game", "quidditch", "--set", f"accounts={QUICK}"), "expected a directory"),
        (("--game", "quidditch", "--set", f"accounts={'a' * 300}"), "accounts: File name too long"),
        (("--game", "quidditch", "--set", "reconnect_second=3"), "'reconnect_seconds'"),
    ],
)
def test_a_mistake_costs_one_line(arguments: tuple[str, ...], line: str) -> None:
    done = invoke("run", *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert line in done.stderr
    assert done.stderr.count("\n") == 1


async def test_accounts_outlive_the_daemon(tmp_path: Path) -> None:
    """«Der Server speichert den userName plus password für den gesamten Server.»"""
    for start in range(2):
        async with running(*QUIDDITCH, "--state-dir", str(tmp_path)) as daemon:
            async with connect(daemon.port) as link:
                await QuidditchClient.login(Peer(link), "harry", password="hedwig")
            async with connect(daemon.port) as link:
                peer = Peer(link)
                await peer.say(join("harry", password=f"guess{start}"))
                assert (await peer.hear())["payload"]["code"] == 206
            await daemon.stop(signal.SIGKILL if start == 0 else signal.SIGTERM)
    assert [path.name for path in (tmp_path / "accounts").iterdir()] == ["harry"]


async def test_accounts_that_cannot_be_read_are_told_to_both_sides(tmp_path: Path) -> None:
    (tmp_path / "accounts").mkdir()
    (tmp_path / "accounts" / "harry").write_text("not a hash")
    async with running(*QUIDDITCH, "--state-dir", str(tmp_path)) as daemon:
        async with connect(daemon.port) as link:
            peer = Peer(link)
            await peer.say(join("harry"))
            error = (await peer.hear())["payload"]
            assert error["code"] == 200
            assert "accounts cannot be used" in error["information"]
        async with connect(daemon.port) as link:
            await QuidditchClient.login(Peer(link), "draco")
        await daemon.stop()
        assert str(tmp_path / "accounts" / "harry") in await daemon.log()


async def test_sigterm_in_a_match_ends_it_in_words_and_keeps_the_replay(tmp_path: Path) -> None:
    async with running(*QUIDDITCH, "-m", str(BRIEF), "--state-dir", str(tmp_path)) as daemon:
        async with connect(daemon.port) as one, connect(daemon.port) as two:
            harry = await QuidditchClient.login(Peer(one), "harry")
            draco = await QuidditchClient.login(Peer(two), "draco")
            await start_match(harry, draco)
            for client in (harry, draco):
                await client.hear_until("next")
            daemon.process.terminate()
            for client in (harry, draco):
                await client.hear("globalDebug")
                assert (await client.hear("snapshot"))["phase"] == "gameFinish"
                end = await client.hear("matchFinish")
                assert end["winnerUserName"] == ""
                await client.peer.hear_end()
        assert await daemon.process.wait() == 0
    for folder, name in (
        ("replays", "replay"),
        ("replays-with-snapshots", "replayWithSnapshot"),
    ):
        (path,) = (tmp_path / folder).iterdir()
        kept = orjson.loads(path.read_bytes())
        assert kept["payloadType"] == name
        assert kept["payload"]["log"][-1]["payload"] == end


async def test_a_disk_that_takes_nothing_disturbs_no_match(tmp_path: Path) -> None:
    (tmp_path / "replays").touch()  # where a folder should be
    (tmp_path / "replays-with-snapshots").touch()
    async with running(*QUIDDITCH, "--state-dir", str(tmp_path)) as daemon:
        async with connect(daemon.port) as one, connect(daemon.port) as two:
            harry = await QuidditchClient.login(Peer(one), "harry")
            draco = await QuidditchClient.login(Peer(two), "draco")
            await start_match(harry, draco)
            for client in (harry, draco):
                await client.hear_until("next")
            await harry.peer.say(b"garbage")
            await draco.hear_until("matchFinish")
            await draco.say("getReplay")
            assert (await draco.hear("replay"))["log"]
        assert await daemon.stop() == 0
        assert (await daemon.log()).count("could not keep a file") == 1
