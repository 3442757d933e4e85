"""The way into the one lobby of a Robo Rally port, and what happens when that lobby is gone."""

from collections.abc import AsyncIterator
from typing import Any

import attrs
import pytest
import trio
from structlog.testing import capture_logs
from trio.testing import MockClock, wait_all_tasks_blocked

from games.roborally.settings import Settings
from ludothek.settings.fields import build
from ludothek.settings.limits import Limits
from tests.games.roborally.client import RoboRallyClient
from tests.support.helpers import Fair, Peer, memory_link_pair, open_fair

OPTIONS = {"on_disconnect": "reconnect", "max_players": 2}


@pytest.fixture
async def fair() -> AsyncIterator[Fair]:
    async with open_fair("roborally", settings=OPTIONS) as fair:
        yield fair


def connect(fair: Fair, host: str = "192.0.2.1") -> RoboRallyClient:
    ours, theirs = memory_link_pair()
    theirs.peer = f"{host}:4711"
    fair.nursery.start_soon(fair.endpoint.welcome, theirs)
    return RoboRallyClient(Peer(ours))


async def knock(fair: Fair, group: str = "G", host: str = "192.0.2.1") -> RoboRallyClient:
    """A client that has sent HelloServer and waits for the answer."""
    client = connect(fair, host)
    await client.hear("HelloClient")
    await client.say("HelloServer", group=group, isAI=False, protocol="Version 2.0")
    return client


async def come_in(fair: Fair, group: str = "G", host: str = "192.0.2.1") -> RoboRallyClient:
    client = await knock(fair, group, host)
    client.id = (await client.hear("Welcome"))["playerID"]
    return client


async def start_game(fair: Fair) -> list[RoboRallyClient]:
    clients = [await come_in(fair, f"Gruppe {n}") for n in (1, 2)]
    for n, client in enumerate(clients, 1):
        await client.register(f"Nr. {n}", n)
    for client in clients:
        await client.say("SetStatus", ready=True)
    for client in clients:
        await client.hear_until("CurrentPlayer")
    return clients


def lobbies(fair: Fair) -> list[str]:
    return list(fair.endpoint.hall.lobbies)


def adopt(fair: Fair, **settings: Any) -> None:
    fair.endpoint.adopt(build(Settings, {**OPTIONS, **settings}, "test"))


async def test_the_lobby_is_there_before_anybody_comes(
    fair: Fair, autojump_clock: MockClock
) -> None:
    assert lobbies(fair) == ["1"]


# Saying HelloServer


async def test_each_client_has_thirty_seconds_to_say_hello(
    fair: Fair, autojump_clock: MockClock
) -> None:
    early = connect(fair)
    await early.hear("HelloClient")
    await trio.sleep(20)
    late, punctual = connect(fair), connect(fair)
    await late.hear("HelloClient")
    await punctual.hear("HelloClient")
    begin = trio.current_time()
    await early.peer.hear_end()
    assert trio.current_time() - begin == pytest.approx(10)
    await punctual.say("HelloServer", group="G", isAI=False, protocol="Version 2.0")
    punctual.id = (await punctual.hear("Welcome"))["playerID"]
    await late.peer.hear_end()
    assert trio.current_time() - begin == pytest.approx(30)
    await trio.sleep(100)
    await punctual.register("Still here", 1)


async def test_wrong_messages_do_not_lengthen_the_time_for_hello(
    fair: Fair, autojump_clock: MockClock
) -> None:
    client = connect(fair)
    begin = trio.current_time()
    await client.hear("HelloClient")
    await trio.sleep(25)
    await client.say("SetStatus", ready=True)
    error = (await client.hear("Error"))["error"]
    assert error == "3.1 /messageType: expected HelloServer first; came SetStatus"
    await client.peer.hear_end()
    assert trio.current_time() - begin == pytest.approx(30)


async def test_errors_before_hello_can_be_a_mere_hint(autojump_clock: MockClock) -> None:
    async with open_fair("roborally", settings={"detailed_errors": False}) as fair:
        client = connect(fair)
        await client.hear("HelloClient")
        await client.say("SetStatus", ready=True)
        assert (await client.hear("Error"))["error"].startswith("Whoops.")


async def test_a_refusal_is_one_line_of_the_log(fair: Fair, autojump_clock: MockClock) -> None:
    client = await come_in(fair)
    with capture_logs() as logs:
        await client.say("SetStatus", ready=True)
        await client.hear("Error")
    assert [(line["event"], line.get("clause")) for line in logs] == [("refused", "3.4")]


async def test_the_name_of_a_group_is_trimmed_and_cut(
    fair: Fair, autojump_clock: MockClock
) -> None:
    await come_in(fair, f"  {'x' * 70}")
    await come_in(fair, " Trolle ")
    (table,) = fair.endpoint.hall.tables.values()
    assert list(table.summary.spectators) == ["x" * 64, "Trolle"]


async def test_nobody_is_blamed_for_silence_who_has_hung_up(
    fair: Fair, autojump_clock: MockClock
) -> None:
    client = connect(fair)
    await client.hear("HelloClient")
    await client.peer.link.aclose()
    with capture_logs() as logs:
        await trio.sleep(60)
    assert "kicked" not in [line["event"] for line in logs]


# Player ids


async def test_only_new_members_take_an_id(fair: Fair, autojump_clock: MockClock) -> None:
    ann, bob = await start_game(fair)
    late = await knock(fair, "Late")
    await late.hear("Error")
    await late.peer.hear_end()
    await bob.peer.link.aclose()
    back = await come_in(fair, "Gruppe 2")
    assert back.id == bob.id
    fair.endpoint.hall.lobbies["1"].shut_down()
    assert [(await come_in(fair)).id for _ in range(2)] == [3, 4]
    assert [ann.id, bob.id] == [1, 2]


# The end of a lobby


async def test_whose_lobby_closes_is_disconnected_and_the_next_client_finds_another(
    fair: Fair, autojump_clock: MockClock
) -> None:
    ann = await come_in(fair)
    stranger = connect(fair)
    await stranger.hear("HelloClient")
    fair.endpoint.hall.lobbies["1"].shut_down()
    fair.endpoint.hall.catch_up()
    await ann.hear("Error")
    await ann.peer.hear_end()
    assert lobbies(fair) == []
    await stranger.say("HelloServer", group="G", isAI=False, protocol="Version 2.0")
    assert await stranger.hear("Welcome") == {"playerID": 2}
    assert lobbies(fair) == ["2"]


async def test_new_settings_hold_for_the_next_lobby(fair: Fair, autojump_clock: MockClock) -> None:
    adopt(fair, course="Twister")
    assert lobbies(fair) == []
    await come_in(fair)
    assert fair.endpoint.hall.tables["2"].summary.name == "Twister"


async def test_new_settings_let_a_game_come_to_its_end(
    fair: Fair, autojump_clock: MockClock
) -> None:
    _, bob = await start_game(fair)
    adopt(fair, course="Twister")
    assert lobbies(fair) == ["1"]
    await bob.peer.link.aclose()
    assert (await come_in(fair, "Gruppe 2")).id == bob.id  # to the old lobby
    for client in tuple(fair.endpoint.clients):
        await client._link.aclose()
    await trio.sleep(61)
    assert lobbies(fair) == []


async def test_where_nothing_new_may_begin_hello_is_answered_by_goodbye(
    fair: Fair, autojump_clock: MockClock
) -> None:
    client = connect(fair)
    await client.hear("HelloClient")
    fair.endpoint.hall.drain()
    await client.say("HelloServer", group="G", isAI=False, protocol="Version 2.0")
    assert await client.hear("Error") == {"error": "The server is about to end."}
    await client.peer.hear_end()
    await wait_all_tasks_blocked()
    assert lobbies(fair) == []


# A crowded lobby


@pytest.mark.parametrize(
    ("limits", "host", "welcome", "sent_away"),
    [
        ({"max_clients_per_lobby": 2}, "192.0.2.3", True, True),
        ({"max_clients_per_lobby": 2}, "192.0.2.2", True, True),
        ({"max_clients_per_lobby_and_address": 1}, "192.0.2.1", True, True),
        ({"max_clients_per_lobby_and_address": 1}, "192.0.2.2", False, False),
        ({"max_clients_per_lobby_and_address": 1}, "192.0.2.3", True, False),
    ],
)
async def test_a_watcher_goes_only_if_that_makes_room(
    limits: dict[str, Any],
    host: str,
    welcome: bool,
    sent_away: bool,
    fair: Fair,
    autojump_clock: MockClock,
) -> None:
    """The first one has watched for too long, the second one not yet."""
    fair.endpoint.limit(attrs.evolve(Limits(), exempt=[], **limits))
    idle = await come_in(fair, host="192.0.2.1")
    await trio.sleep(500)
    await come_in(fair, host="192.0.2.2")
    await trio.sleep(101)
    late = await knock(fair, host=host)
    await late.hear("Welcome" if welcome else "Error")
    if sent_away:
        await idle.hear("Error")
        await idle.peer.hear_end()
    else:
        await idle.register("Still here", 1)


async def test_those_of_the_same_address_go_first(fair: Fair, autojump_clock: MockClock) -> None:
    fair.endpoint.limit(attrs.evolve(Limits(), exempt=[], max_clients_per_lobby=3))
    watchers = [await come_in(fair, host=f"192.0.2.{n}") for n in (1, 2, 3)]
    await trio.sleep(601)
    await come_in(fair, host="192.0.2.2")
    await watchers[1].hear("Error")
    await watchers[1].peer.hear_end()
    assert len(fair.endpoint.clients) == 3


async def test_nobody_makes_room_during_a_game(fair: Fair, autojump_clock: MockClock) -> None:
    fair.endpoint.limit(attrs.evolve(Limits(), exempt=[], max_clients_per_lobby=3))
    watcher = await come_in(fair)
    await start_game(fair)
    await watcher.hear_until("CurrentPlayer")
    await trio.sleep(601)
    late = await knock(fair)
    assert await late.hear("Error") == {"error": "The lobby is full."}
    await late.peer.hear_end()
