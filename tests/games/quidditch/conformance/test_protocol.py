"""The network standard REVIEWME-14 over real sockets, sentence by sentence."""

import random
import re
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, suppress
from typing import Any

import orjson
import pytest
import trio

from games.quidditch import rules
from games.quidditch.codec.frames import READER
from tests.games.quidditch.clients import (
    QuidditchClient,
    container,
    join,
    places,
    start_match,
    wire,
)
from tests.games.quidditch.scene import BADGERS, BRIEF, HERONS, LEFT, RIGHT
from tests.support.helpers import Peer, close_code, cut_off, open_server
from tests.support.raw_websocket import BINARY, TEXT, RawPeer, frame

Connect = Callable[[], Peer]

SETTINGS = {"match": str(BRIEF), "lobbies_seconds": 0}  # tests may be slow

# Nobody needs more connections in one test.
CROWD = 8


@pytest.fixture
async def connect() -> AsyncIterator[Connect]:
    """Hands out peers that are connected and have said nothing yet."""
    async with open_server("quidditch", SETTINGS) as server, AsyncExitStack() as stack:
        peers = [await stack.enter_async_context(server.connect()) for _ in range(CROWD)]
        yield peers.pop


async def login(connect: Connect, name: str, **rest: Any) -> QuidditchClient:
    return await QuidditchClient.login(connect(), name, **rest)


async def players(connect: Connect) -> tuple[QuidditchClient, QuidditchClient]:
    """Two whose match has begun; they have heard everything up to the first next."""
    left, right = await login(connect, "harry"), await login(connect, "draco")
    await start_match(left, right)
    left.asked, right.asked = [await each.hear_until("next") for each in (left, right)]
    return left, right


# The whole sequence


async def test_the_whole_game_sequence_in_short(connect: Connect) -> None:
    """2.1.1.1, from the first joinRequest to the initial snapshot."""
    peter, sandra = await login(connect, "peter"), await login(connect, "sandra")
    norbert = await login(connect, "norbert")
    for greeting in ("sandra", "norbert"):
        assert await peter.hear("loginGreeting") == {"userName": greeting}
    await sandra.hear("loginGreeting")
    await norbert.say("teamConfig", wire(HERONS))
    await norbert.say("pauseRequest", {"message": "so that the order is certain"})
    await sandra.hear("pauseResponse")
    await sandra.say("teamConfig", wire(BADGERS))
    for client in (sandra, norbert):
        start = await client.hear_until("matchStart")
        assert start["leftTeamUserName"] == "norbert"
        assert start["rightTeamUserName"] == "sandra"
        assert start["leftTeamConfig"] == wire(HERONS)
    await sandra.say("teamFormation", places(RIGHT))
    await norbert.say("teamFormation", places(LEFT))
    first = await peter.hear_until("snapshot")
    assert first["lastDeltaBroadcast"]["deltaType"] == "roundChange"
    assert first["lastDeltaBroadcast"]["round"] == first["round"] == 1
    assert first["spectatorUserName"] == ["peter"]
    for client in (sandra, norbert):
        assert await client.hear("snapshot") == first


async def test_a_container_has_the_servers_time(connect: Connect) -> None:
    """«Der timestamp welcher vom Client geschickt wurde muss nicht richtig sein»"""
    peer = connect()
    await peer.say(join("harry") | {"timestamp": "gestern"})
    message = await peer.hear()
    assert set(message) == {"timestamp", "payloadType", "payload"}
    assert re.fullmatch(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}", message["timestamp"])


async def play_to_the_end(*clients: QuidditchClient) -> dict[str, list[Any]]:
    """Both do random legal things; returns everything that each has heard."""
    heard: dict[str, list[Any]] = {client.name: [] for client in clients}

    async def play(client: QuidditchClient, side: str) -> None:
        rng = random.Random(side)
        snapshot, question = None, client.asked
        while True:
            if question is not None and snapshot is not None and question["turn"].startswith(side):
                await client.say("deltaRequest", choose(snapshot, question, rng))
            message = await client.peer.hear()
            heard[client.name].append(message)
            question = message["payload"] if message["payloadType"] == "next" else None
            if message["payloadType"] == "snapshot":
                snapshot = message["payload"]
            if message["payloadType"] == "matchFinish":
                return

    async with trio.open_nursery() as nursery:
        for client, side in zip(clients, ("left", "right"), strict=True):
            nursery.start_soon(play, client, side)
    return heard


def choose(payload: Any, question: Any, rng: random.Random) -> Any:
    snapshot = READER.read("snapshot", payload).snapshot
    example = rules.example(random.Random(0))
    turn = rules.Turn(rules.Entity(question["turn"]), rules.TurnType(question["type"]))
    state = rules.resume(example.fixture, snapshot, turn, rng)
    request = rng.choice(rules.legal_requests(state))
    x, y = request.new or (None, None)
    return {
        "deltaType": request.type,
        "xPosNew": x,
        "yPosNew": y,
        "activeEntity": request.active,
        "passiveEntity": request.passive,
    }


async def test_paused_cut_off_reconnected_and_played_to_the_end(connect: Connect) -> None:
    """«Wird mit unicast an Client gesendet, wenn er sich bei laufendem Spiel einloggt.»"""
    harry, draco = await players(connect)
    await harry.say("pauseRequest", {"message": "Ich bin gleich wieder da"})
    for client in (harry, draco):
        assert await client.hear("pauseResponse") == {
            "message": "Ich bin gleich wieder da",
            "userName": "harry",
            "pause": True,
        }
    cut_off(harry.peer.link)
    back = await login(connect, "harry")
    reconnect = await back.hear("reconnect")
    assert reconnect["matchStart"]["payload"]["leftTeamUserName"] == "harry"
    assert reconnect["snapshot"]["payload"]["phase"] == "playerPhase"
    assert reconnect["next"]["payload"]["turn"] == draco.asked["turn"]
    assert 0 < reconnect["next"]["payload"]["timeout"] <= draco.asked["timeout"]
    assert (await back.hear("pauseResponse"))["pause"]
    await back.say("continueRequest", {"message": "weiter"})
    for client in (back, draco):
        client.asked = None
        assert not (await client.hear_until("pauseResponse"))["pause"]
    # A player that is asked again has no snapshot yet in this test's bookkeeping: skip that turn.
    question = await back.hear("next")
    mover = back if question["turn"].startswith("left") else draco
    await draco.hear("next")
    await mover.say("deltaRequest", {"deltaType": "skip", "activeEntity": question["turn"]})
    heard = await play_to_the_end(back, draco)
    assert heard["harry"] == heard["draco"]
    assert heard["harry"][-1]["payload"]["winnerUserName"] in ("harry", "draco")
    await back.say("getReplay")
    replay = await back.hear("replay")
    assert replay["log"][-1]["payload"] == heard["harry"][-1]["payload"]


# Errors and warnings: each of 13.4.5 is provoked


async def last_error(client: QuidditchClient) -> tuple[int, bool]:
    error = await client.hear_until("privateError")
    assert error["information"].startswith("Error: ")
    return error["code"], error["triggerMatchFinish"]


async def spoil(client: QuidditchClient, what: str) -> None:
    wrong = {**LEFT, rules.Position.SEEKER: rules.Cell(2, 4)}
    frames: dict[str, Any] = {
        "json": b"{",
        "container": {"payloadType": "sendDebug"},
        "payload": container("sendDebug", {"information": 7}),
        "misplaced": container("loginGreeting", {"userName": "abc"}),
        "formation": container("teamFormation", places(wrong)),
        "delta": container("deltaRequest", {"deltaType": "ban"}),
    }
    await client.peer.say(frames[what])


@pytest.mark.parametrize(
    ("what", "code"), [("json", 51), ("container", 52), ("payload", 53), ("misplaced", 54)]
)
async def test_errors_that_end_a_match_of_a_player_and_none_of_a_spectator(
    connect: Connect, what: str, code: int
) -> None:
    """«every 151 is equal to 251 regarding the string and error type»"""
    harry, draco = await players(connect)
    watcher = await login(connect, "peter")
    await spoil(watcher, what)
    assert await last_error(watcher) == (200 + code, False)
    await watcher.peer.hear_end()
    await spoil(harry, what)
    assert await last_error(harry) == (100 + code, True)
    assert (await draco.hear_until("matchFinish"))["winnerUserName"] == "draco"
    await harry.hear_until("matchFinish")
    await harry.peer.hear_end()
    assert close_code(harry.peer.link) == 1008


async def test_error_101_and_102(connect: Connect) -> None:
    harry, draco = await login(connect, "harry"), await login(connect, "draco")
    await harry.say("teamConfig", wire(HERONS))
    await draco.say("teamConfig", wire(BADGERS))
    await harry.hear_until("matchStart")
    await spoil(harry, "formation")
    assert await last_error(harry) == (101, True)
    assert (await draco.hear_until("matchFinish"))["endRound"] == 0
    ginny = await login(connect, "ginny")
    await draco.hear("loginGreeting")
    await start_match(ginny, draco)
    question = await draco.hear_until("next")
    culprit = ginny if question["turn"].startswith("left") else draco
    await spoil(culprit, "delta")
    assert await last_error(culprit) == (102, True)


async def test_errors_of_the_login(connect: Connect) -> None:
    await login(connect, "harry", password="hedwig")
    for request, code in (
        (join("luna", mods=["nargles"]), 202),
        (join("lu"), 203),
        (join("luna", lobby="??"), 204),
        (join("luna", password="\x07"), 205),
        (join("harry", password="scabbers"), 206),
        (container("getReplay", {}), 208),
    ):
        peer = connect()
        await peer.say(request)
        assert await last_error(QuidditchClient(peer, "")) == (code, False)
        await peer.hear_end()


async def test_error_207_and_warning_302(connect: Connect) -> None:
    luna = await login(connect, "luna")
    await luna.say("teamConfig", wire(HERONS) | {"name": "x"})
    assert await last_error(luna) == (207, False)
    harry, _ = await players(connect)
    await harry.say("teamConfig", wire(HERONS))
    assert (await harry.hear_until("privateWarning"))["code"] == 302


async def test_error_201_and_warning_301(connect: Connect) -> None:
    old, new = await login(connect, "harry"), await login(connect, "harry")
    assert await last_error(old) == (201, False)
    await old.peer.hear_end()
    warning = await new.hear("privateWarning")
    assert warning["code"] == 301
    assert warning["information"] == (
        "Warning: joinRequest-doublelogin: User logs in from two clients at the same time. "
        "The last login is always executed. Error goes to the old logon, Warning goes to the new "
        "logon."
    )


async def test_warnings_303_and_304(connect: Connect) -> None:
    harry, draco = await players(connect)
    waiting = draco if harry.asked["turn"].startswith("left") else harry
    await waiting.say("deltaRequest", {"deltaType": "skip"})
    assert (await waiting.hear("privateWarning"))["code"] == 303
    await harry.say("pauseRequest", {"message": ""})
    await harry.hear("pauseResponse")
    await harry.say("deltaRequest", {"deltaType": "skip"})
    assert (await harry.hear("privateWarning"))["code"] == 304


# Large and strange input


async def test_a_team_with_a_large_picture_reaches_everybody(connect: Connect) -> None:
    team = wire(HERONS) | {"image": "data:image/png;base64," + "A" * 340_000}
    harry, draco = await login(connect, "harry"), await login(connect, "draco")
    await harry.say("teamConfig", team)
    await draco.say("teamConfig", team)
    start = await harry.hear_until("matchStart")
    assert start["leftTeamConfig"] == start["rightTeamConfig"] == team


async def test_a_binary_frame_is_no_json() -> None:
    async with (
        open_server("quidditch", SETTINGS) as server,
        await trio.open_tcp_stream("127.0.0.1", server.port) as stream,
    ):
        luna = RawPeer(stream)
        await luna.shake()
        await luna.write(frame(TEXT, orjson.dumps(join("luna"))) + frame(BINARY, b"\x00\x01"))
        heard = [orjson.loads((await luna.read_frame())[1]) for _ in range(3)]
    error = heard[-1]["payload"]
    assert heard[-1]["payloadType"] == "privateError"
    assert (error["code"], error["triggerMatchFinish"]) == (251, False)


async def test_a_frame_beyond_all_measure_ends_only_its_own_connection(connect: Connect) -> None:
    luna, harry = await login(connect, "luna"), await login(connect, "harry")
    with suppress(trio.BrokenResourceError):  # it may be told before it has sent everything
        await luna.peer.say(b'"' + b"x" * 600_000 + b'"')
    await luna.hear("loginGreeting")
    await luna.peer.hear_end()
    await harry.say("pauseRequest", {"message": "still here"})
    assert (await harry.hear("pauseResponse"))["message"] == "still here"
