"""Logins as a weapon: checking passwords is slow, and names and replays are for everybody."""

import threading
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import argon2
import attrs
import orjson
import pytest
import trio
from structlog.testing import LogCapture

from games.quidditch.logins import MOST_OF_ADDRESS
from games.quidditch.replay_files import claim, tags
from ludothek.storage.state import StateDirectory
from tests.attacks.arena import Stranger
from tests.games.quidditch.clients import QuidditchClient, container, join, start_match, wire
from tests.games.quidditch.scene import BADGERS, BRIEF, HERONS
from tests.support.helpers import Server, open_server
from tests.support.raw_websocket import TEXT, RawPeer, frame

CROWD = 60


@attrs.define(eq=False)
class Hashes:
    """Passwords that were hashed; each waits until the gate is open."""

    gate: threading.Event = attrs.field(factory=threading.Event)
    passwords: list[str] = attrs.field(factory=list)

    def hash(self, password: str) -> str:
        self.passwords.append(password)
        self.gate.wait(60)
        return "$argon2id$v=19$m=8,t=1,p=1$c29tZXNhbHQ$RdescudvJCsgt3ub+b4dWRWJTmaaJObG"


@pytest.fixture
def hashes(monkeypatch: pytest.MonkeyPatch) -> Hashes:
    counted = Hashes()
    monkeypatch.setattr(
        argon2.PasswordHasher, "hash", lambda self, password: counted.hash(password)
    )
    return counted


@asynccontextmanager
async def strangers(
    server: Server, count: int, address: str = "127.0.0.1", more: bytes = b""
) -> AsyncIterator[list[Stranger]]:
    """Clients that have sent a joinRequest and perhaps more, which the server has read."""
    before = heard(server)
    async with AsyncExitStack() as stack:
        crowd = []
        for n in range(count):
            stream = await trio.open_tcp_stream("127.0.0.1", server.port, local_address=address)
            crowd.append(Stranger(await stack.enter_async_context(stream)))
            await RawPeer(stream).shake()
            name = f"{address[-1]}eve{n}"
            request = orjson.dumps(join(name, password=name))
            await stream.send_all(frame(TEXT, request) + more)
        await until(lambda: heard(server) == before + count)
        yield crowd


def heard(server: Server) -> int:
    """How many messages were read since the start."""
    return server.endpoint.traffic.frames_in


async def until(true: Callable[[], bool]) -> None:
    with trio.fail_after(60):
        while not true():  # noqa: ASYNC110 - what happens in threads sets no event
            await trio.sleep(0.001)


def settings(tmp_path: Path, **more: Any) -> dict[str, Any]:
    return {"match": str(BRIEF), "accounts": str(tmp_path / "accounts"), **more}


@pytest.mark.parametrize("rude", [True, False], ids=["with reset", "with goodbye"])
@pytest.mark.parametrize("chatty", [True, False], ids=["with a second message", "with one message"])
async def test_no_password_is_hashed_for_those_who_are_gone(
    tmp_path: Path, hashes: Hashes, rude: bool, chatty: bool
) -> None:
    more = frame(TEXT, orjson.dumps(container("getReplay", {}))) if chatty else b""
    async with open_server("quidditch", settings(tmp_path)) as server, AsyncExitStack() as stack:
        await stack.enter_async_context(strangers(server, 2, "127.0.0.9"))
        await until(lambda: len(hashes.passwords) == 2)  # no more are checked at once
        async with strangers(server, CROWD, more=more) as crowd:
            for each in crowd:
                if rude:
                    each.reset()
        async with server.connect() as peer:
            await peer.say(join("harry", password="hedwig"))
            await until(lambda: heard(server) >= 3)
            hashes.gate.set()
            assert (await peer.hear())["payloadType"] == "joinResponse"
        assert hashes.passwords[2:] == ["hedwig"]


async def test_addresses_take_turns(tmp_path: Path, hashes: Hashes) -> None:
    """Sixty logins from one address do not delay one from another."""
    limits: dict[str, Any] = {"exempt": []}
    async with open_server("quidditch", settings(tmp_path), limits=limits) as server:
        async with strangers(server, CROWD), strangers(server, 1, "127.0.0.2"):
            hashes.gate.set()
            await until(lambda: len(hashes.passwords) == CROWD + 1)
        assert hashes.passwords.index("2eve0") <= 2


async def test_an_address_has_only_so_many_logins_waiting(tmp_path: Path, hashes: Hashes) -> None:
    limits: dict[str, Any] = {"exempt": []}
    async with (
        open_server("quidditch", settings(tmp_path), limits=limits) as server,
        strangers(server, 1 + MOST_OF_ADDRESS),  # one of them is served
        server.connect() as peer,
    ):
        await peer.say(join("latecomer"))
        error = (await peer.hear())["payload"]
        assert (error["code"], error["triggerMatchFinish"]) == (200, False)
        assert error["information"].endswith("too many logins wait already; try again later")
        async with strangers(server, 1, "127.0.0.2") as others:
            hashes.gate.set()
            await others[0].hear(b"joinResponse")


async def test_an_address_gets_only_so_many_new_names(tmp_path: Path) -> None:
    limits: dict[str, Any] = {"exempt": []}
    ours = settings(tmp_path, registrations_per_hour=3)
    async with open_server("quidditch", ours, limits=limits) as server:
        answers = [await knock(server, f"user{n}") for n in range(5)]
        assert answers == ["joinResponse"] * 3 + ["privateError"] * 2
        assert await knock(server, "user0") == "joinResponse"
        async with strangers(server, 1, "127.0.0.2") as others:
            await others[0].hear(b"joinResponse")


async def test_many_people_at_one_address_get_their_names(tmp_path: Path) -> None:
    limits = {"exempt": ["127.0.0.1/32"]}
    ours = settings(tmp_path, registrations_per_hour=3)
    async with open_server("quidditch", ours, limits=limits) as server:
        assert {await knock(server, f"user{n}") for n in range(10)} == {"joinResponse"}


async def knock(server: Server, name: str) -> str:
    """What a client hears first when it logs in."""
    async with server.connect() as peer:
        await peer.say(join(name))
        return str((await peer.hear())["payloadType"])


async def test_accounts_that_cannot_be_used_are_reported_once(
    tmp_path: Path, logs: LogCapture
) -> None:
    async with open_server("quidditch", settings(tmp_path)) as server:
        (tmp_path / "accounts").touch()  # a file where the directory should be
        assert {await knock(server, f"user{n}") for n in range(5)} == {"privateError"}
        (tmp_path / "accounts").unlink()
        assert await knock(server, "harry") == "joinResponse"
        (tmp_path / "accounts" / "draco").write_text("no hash")
        assert {await knock(server, "draco") for n in range(5)} == {"privateError"}
    told = [entry["error"] for entry in logs.entries if entry["event"] == "accounts cannot be used"]
    assert told == ["File exists", "this is no password hash"]


# Replays


async def break_off_matches(server: Server, count: int) -> None:
    """Two users, with matches that are over right after their start."""
    async with server.connect() as first:
        victim = await QuidditchClient.login(first, "mallory", lobby="lair")
        for _ in range(count):
            async with server.connect() as second:
                await QuidditchClient.login(second, "eve", lobby="lair")
                await second.say(container("teamConfig", wire(HERONS)))
                await victim.say("teamConfig", wire(BADGERS))
                await victim.hear_until("matchStart")
                await second.say(b"nonsense")
                await victim.hear_until("matchFinish")


async def play(server: Server) -> None:
    """A match that is skipped to round 3 and lost there."""
    async with server.connect() as one, server.connect() as two:
        left = await QuidditchClient.login(one, "harry")
        right = await QuidditchClient.login(two, "draco")
        await left.hear("loginGreeting")
        await play_rounds(left, right)


async def play_rounds(left: QuidditchClient, right: QuidditchClient) -> None:
    await start_match(left, right)
    sides = {"left": left, "right": right}
    while True:
        message = await left.peer.hear()
        payload = message["payload"]
        if message["payloadType"] == "snapshot" and payload["round"] == 3:
            break
        if message["payloadType"] == "next":
            skip = {"deltaType": "skip", "activeEntity": payload["turn"]}
            await sides[payload["turn"][: payload["turn"].index("t") + 1]].say("deltaRequest", skip)
    await left.peer.say(b"nonsense")
    await right.hear_until("matchFinish")


async def test_matches_that_are_broken_off_push_no_replay_out(tmp_path: Path) -> None:
    ours = settings(tmp_path, replays=5)
    async with open_server("quidditch", ours, state=StateDirectory(tmp_path)) as server:
        folder = tmp_path / "replays-with-snapshots"
        await play(server)
        await until(lambda: folder.is_dir() and len(list(folder.glob("*.json"))) == 1)
        (good,) = folder.glob("*.json")
        assert claim(good.name).owners == (tags(["127.0.0.1"]), ["harry", "draco"])
        await break_off_matches(server, 12)
        await until(lambda: "eve" in max(folder.glob("*.json")).name)
        await until(lambda: len(list(folder.glob("*.json"))) == 5)
        assert good.exists()
        assert (tmp_path / "replays" / good.name).exists()
    assert orjson.loads(good.read_bytes())["payload"]["leftTeamUserName"] == "harry"
