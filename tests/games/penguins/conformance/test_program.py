"""Penguins as a user runs it: the daemon and its computer players, each in its own process."""

import json

import pytest
import trio

from games.penguins.messages import MoveRequest, Paused
from tests.games.penguins.scene import UUID, XmlPeer, entries, join_two, prepare
from tests.support.program import Daemon, invoke, invoke_aside, platform, running

PENGUINS = ("--game", "penguins", "--port", "0")


async def call(daemon: Daemon) -> XmlPeer:
    return XmlPeer(await trio.open_tcp_stream("127.0.0.1", daemon.port))


async def test_two_computer_players_finish_their_games() -> None:
    reports = []

    async def play(port: int, difficulty: str) -> None:
        arguments = ("--game", "penguins", "-p", str(port), "-d", difficulty, "--games", "2")
        done = await platform("bot", *arguments)
        assert done.returncode == 0, done.stderr
        reports.append([json.loads(line) for line in done.stdout.splitlines()])

    async with running(*PENGUINS) as daemon, trio.open_nursery() as nursery:
        for difficulty in ("1", "2"):
            nursery.start_soon(play, daemon.port, difficulty)
    first, second = reports
    assert [report["cause"] for report in first + second] == ["REGULAR"] * 4
    assert [report["points"] for report in first] == [report["points"] for report in second]
    assert {report["team"] for report in (first[0], second[0])} == {"ONE", "TWO"}


async def test_the_end_of_the_daemon_ends_games_in_the_words_of_the_protocol() -> None:
    async with running(*PENGUINS, "--set", "password=secret") as daemon:
        assert daemon.ready == [f"penguins ready on tcp://127.0.0.1:{daemon.port}"]
        one, two, alone, admin = [await call(daemon) for _ in range(4)]
        await join_two(one, two)
        prepared = await prepare(admin)
        await alone.join()
        with trio.fail_after(60):
            assert await daemon.stop() == 0
        for player in (one, two):
            result = await player.hear_result()
            assert entries(result) == [("REGULAR", "", 0, 0)] * 2
            assert result.winner is None
        assert len((await alone.hear_result()).scores) == 1
        await admin.hear()  # news of the join
        assert admin.room_id == prepared.room_id
        await admin.hear_result()
        for peer in (one, two, alone, admin):
            await peer.hear_end()
            await peer.stream.aclose()


async def test_an_administrator_leads_a_game_from_preparation_to_its_end() -> None:
    async with running(*PENGUINS, "--set", "password=secret", "--set", "board_seed=42") as daemon:
        admin, one, two = [await call(daemon) for _ in range(3)]
        prepared = await prepare(admin, attributes='pause="true"')
        await prepared.seat_two(one, two)
        assert (await admin.hear_state()).turn == 0
        for turn, (mover, target) in enumerate(((one, (0, 0)), (two, (2, 0)))):
            await prepared.step()
            assert [(await peer.hear_state()).turn for peer in (one, two, admin)] == [turn] * 3
            assert await mover.hear_data() == MoveRequest()
            await mover.move(target)
            assert (await admin.hear_state()).turn == turn + 1
        await prepared.pause(False)
        assert await admin.hear_data() == Paused(False)
        assert [(await peer.hear_state()).turn for peer in (one, two, admin)] == [2] * 3
        assert await one.hear_data() == MoveRequest()
        await prepared.pause(True)
        assert await admin.hear_data() == Paused(True)
        await one.move((6, 0))
        assert (await admin.hear_state()).turn == 3
        await prepared.cancel()
        for peer in (one, two, admin):
            result = await peer.hear_result()
            assert entries(result) == [("REGULAR", "", 0, 2), ("REGULAR", "", 0, 1)]
            assert await peer.has_heard_all()
            await peer.stream.aclose()


async def test_a_computer_player_that_is_refused_says_so() -> None:
    async with running(*PENGUINS) as daemon:
        for option in ("--room", "--reservation", "-l"):
            where = ("--game", "penguins", "-p", str(daemon.port))
            done = await invoke_aside("bot", *where, option, "nope")
            assert (done.returncode, done.stdout) == (1, "")
            assert "does not let us join" in done.stderr


async def test_a_seed_repeats_boards_and_ids() -> None:
    seen = []
    for seed in ("5", "5", "6"):
        async with running(*PENGUINS, "--seed", seed) as daemon:
            one, two = await join_two(await call(daemon), await call(daemon))
            seen.append((UUID.findall(one.heard)[0], await one.hear_state()))
            for peer in (one, two):
                await peer.stream.aclose()
    assert seen[0] == seen[1]
    assert seen[0][0] != seen[2][0]
    assert seen[0][1] != seen[2][1]


@pytest.mark.parametrize(
    ("setting", "line"),
    [
        ("board_seed=2147483648", "board_seed: must be from -2147483648 to 2147483647"),
        ("board_seed=x", "board_seed: expected a whole number, not 'x'"),
        ("paused=maybe", "paused: expected true or false"),
        ("soft_seconds=-1", "soft_seconds: must be at least 0"),
        ("soft_seconds=11", "soft_seconds: must be at most hard_seconds, which is 10.0, not 11.0"),
        ("pasword=x", "unknown setting 'pasword'; did you mean 'password'?"),
    ],
)
def test_wrong_settings_are_explained(setting: str, line: str) -> None:
    done = invoke("run", *PENGUINS, "--set", setting)
    assert done.returncode == 2
    assert line in done.stderr
