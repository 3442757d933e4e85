"""The real Python client of the contest, unmodified, against the daemon."""

import json
from pathlib import Path

import trio

from games.penguins.messages import Memento
from tests.games.penguins.scene import PASSWORD, XmlPeer, entries, prepare
from tests.interop.environment import offline
from tests.support.program import platform, running

PLAYER = Path(__file__).parent / "socha_player.py"
REGULAR = "ended REGULAR REGULAR\n"


async def play(python: Path, port: int, *arguments: str) -> tuple[int, str]:
    """Let one client play one game; its exit code and what it printed."""
    command = [str(python), str(PLAYER), "-h", "127.0.0.1", "-p", str(port), *arguments]
    with trio.fail_after(150):
        done = await trio.run_process(
            command, capture_stdout=True, capture_stderr=True, check=False, env=offline()
        )
    assert done.returncode == 0, done.stderr.decode()
    return done.returncode, done.stdout.decode()


async def test_two_real_clients_play_a_whole_game(python: Path) -> None:
    ends: list[tuple[int, str]] = []

    async def one_client(port: int) -> None:
        ends.append(await play(python, port))

    async with running("--game", "penguins", "--port", "0") as daemon:
        async with trio.open_nursery() as nursery:
            for _ in range(2):
                nursery.start_soon(one_client, daemon.port)
        assert ends == [(0, REGULAR)] * 2
        assert await daemon.stop() == 0
        log = await daemon.log()
    assert "refused" not in log
    assert "kicked" not in log


async def test_a_real_client_and_ours_take_their_reserved_seats_and_play(python: Path) -> None:
    slots = '<slot displayName="real" reserved="true"/><slot displayName="ours" reserved="true"/>'
    reports: list[str] = []

    async def our_bot(port: int, code: str) -> None:
        arguments = ("--game", "penguins", "-p", str(port), "-d", "2", "--reservation", code)
        reports.append((await platform("bot", *arguments)).stdout)

    async with (
        running("--game", "penguins", "--port", "0", "--set", f"password={PASSWORD}") as daemon,
        await trio.open_tcp_stream("127.0.0.1", daemon.port) as stream,
    ):
        admin = XmlPeer(stream, limit=120.0)
        prepared = await prepare(admin, slots)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(our_bot, daemon.port, prepared.codes[1])
            end = await play(python, daemon.port, "-r", prepared.codes[0])
        assert end == (0, REGULAR)
        assert isinstance(await admin.hear_data(), Memento)
        result = await admin.hear_result()
    assert [cause for cause, *_ in entries(result)] == ["REGULAR", "REGULAR"]
    assert [entry.name for entry in result.scores] == ["real", "ours"]
    report = json.loads(reports[0])
    assert report["cause"] == "REGULAR"
    assert report["team"] == "TWO"
    assert report["points"] == {e.team.value: e.fish for e in result.scores}


async def test_a_real_client_that_is_refused_says_goodbye(python: Path) -> None:
    async with running("--game", "penguins", "--port", "0", "-v") as daemon:
        assert await play(python, daemon.port, "-r", "no such code") == (0, "")
        await daemon.logged("client gone")
