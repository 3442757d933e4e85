"""One client against all: lobbies, rooms and seats that others need."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

import pytest
import trio
from trio.testing import MockClock

from games.penguins.table import PenguinsTable
from tests.attacks.arena import Arena, Stranger, open_arena
from tests.attacks.test_crowds import refused_login
from tests.games.quidditch.clients import QuidditchClient, wire
from tests.games.quidditch.scene import BADGERS, HERONS
from tests.games.qwirkle.party import Guest, connected, open_game
from tests.games.roborally.client import RoboRallyClient
from tests.support.helpers import open_server
from tests.support.hexxagon import HexxagonClient

# This machine counts as one address among others.
COUNTED: dict[str, Any] = {"exempt": []}


@pytest.fixture
async def hexxagon() -> AsyncIterator[Arena]:
    async with open_arena("hexxagon") as arena:
        yield arena


@asynccontextmanager
async def hexxagon_client(arena: Arena) -> AsyncIterator[HexxagonClient]:
    async with arena.server.connect() as peer:
        yield await HexxagonClient.arrive(peer)


async def create(client: HexxagonClient, count: int) -> int:
    """Try to create lobbies; returns how many were created."""
    created = 0
    for _ in range(count):
        await client.say("CreateNewLobby", lobbyName="Mine")
        created += (await client.hear("LobbyCreated"))["successfullyCreated"]
    return created


async def test_nobody_fills_the_list_of_lobbies_alone(
    hexxagon: Arena, autojump_clock: MockClock
) -> None:
    async with hexxagon_client(hexxagon) as greedy, hexxagon_client(hexxagon) as other:
        assert await create(greedy, 200) == 10
        assert await create(other, 1) == 1


async def test_no_address_fills_the_list_of_lobbies_alone(autojump_clock: MockClock) -> None:
    async with open_arena("hexxagon", **COUNTED) as arena, AsyncExitStack() as stack:
        created = 0
        for _ in range(20):
            client = await stack.enter_async_context(hexxagon_client(arena))
            created += await create(client, 10)
        assert created == 64


async def test_a_lobby_does_not_outlive_its_creator_for_long(
    hexxagon: Arena, autojump_clock: MockClock
) -> None:
    async with hexxagon_client(hexxagon) as witness:
        async with hexxagon_client(hexxagon) as creator:
            await creator.create()
        await trio.sleep(9)
        assert len(await witness.lobbies()) == 1
        await trio.sleep(2)
        assert await witness.lobbies() == []


async def test_a_lobby_that_somebody_has_joined_outlives_its_creator(
    hexxagon: Arena, autojump_clock: MockClock
) -> None:
    async with hexxagon_client(hexxagon) as guest:
        async with hexxagon_client(hexxagon) as creator:
            lobby = await creator.create()
        await guest.join(lobby)
        await trio.sleep(1000)
        assert (await guest.lobbies())[0]["playerOne"] == guest.id


async def test_abandoned_lobbies_make_room_at_once(
    hexxagon: Arena, autojump_clock: MockClock
) -> None:
    """Clients that keep coming and going leave nobody without a lobby."""
    for _ in range(15):
        async with hexxagon_client(hexxagon) as rude:
            assert await create(rude, 10) == 10
    async with hexxagon_client(hexxagon) as other:
        await trio.sleep(1)
        assert len(hexxagon.server.endpoint.hall.lobbies) == 150
        lobby = await other.create()
        await other.join(lobby)
        assert await create_again(hexxagon) == 10
        assert (await other.lobbies())[-11]["lobbyId"] == lobby


async def test_who_has_many_lobbies_makes_room_for_who_has_none(
    hexxagon: Arena, autojump_clock: MockClock
) -> None:
    async with AsyncExitStack() as stack:
        crowd = [await stack.enter_async_context(hexxagon_client(hexxagon)) for _ in range(15)]
        for client in crowd:
            assert await create(client, 10) == 10
        others = [await stack.enter_async_context(hexxagon_client(hexxagon)) for _ in range(20)]
        for other in others:
            await other.join(await other.create())
        assert len(await crowd[0].lobbies()) == 150
        # What was taken from them they cannot take back: everybody has some.
        await trio.sleep(1)
        assert await create(crowd[0], 5) <= 1


async def test_who_sits_silent_in_a_lobby_makes_room_in_the_end(
    autojump_clock: MockClock,
) -> None:
    async with open_server("hexxagon", {"max_lobbies": 3}) as server, AsyncExitStack() as stack:
        door = Arena(server)
        clients = [await stack.enter_async_context(hexxagon_client(door)) for _ in range(4)]
        *seated, other = clients
        for client in seated:
            await client.join(await client.create())
            await trio.sleep(1)
        await trio.sleep(590)
        assert await create(other, 1) == 0
        assert len(await seated[0].lobbies()) == 3  # it is there, and looks around
        await trio.sleep(8.5)
        assert await create(other, 2) == 1
        assert (await seated[1].hear("LobbyStatus"))["lobby"]["isClosed"]
        assert {each.get("playerOne") for each in await other.lobbies()} == {
            seated[0].id,
            seated[2].id,
            None,
        }


async def test_who_creates_many_lobbies_sends_nobody_away_who_waits_in_one(
    hexxagon: Arena, autojump_clock: MockClock
) -> None:
    async with AsyncExitStack() as stack:
        patient = await stack.enter_async_context(hexxagon_client(hexxagon))
        await patient.join(lobby := await patient.create())
        await trio.sleep(601)
        crowd = [await stack.enter_async_context(hexxagon_client(hexxagon)) for _ in range(20)]
        for client in crowd:
            await create(client, 10)
        lobbies = await crowd[0].lobbies()
        assert len(lobbies) == 150
        assert lobbies[0]["lobbyId"] == lobby


async def create_again(arena: Arena) -> int:
    async with hexxagon_client(arena) as client:
        return await create(client, 10)


# Penguins


async def joined(stranger: Stranger, joins: int) -> int:
    """Ask for seats; returns how many were given."""
    await stranger.say(b"<join/>" * joins + stranger.question)
    await stranger.hear(b"room with id nowhere")
    return stranger.heard.count(b"<joined ")


async def test_nobody_fills_the_rooms_with_play_against_itself(autojump_clock: MockClock) -> None:
    async with open_arena("penguins") as arena, arena.arrive() as greedy:
        assert await joined(greedy, 200) == 8
        assert b"GameRoomException: Client is in 4 rooms already" in greedy.heard
        await arena.play_match()


async def test_an_administrator_may_have_any_number_of_rooms(autojump_clock: MockClock) -> None:
    limits = {**COUNTED, "max_lobbies_per_address": 3}
    async with (
        open_server("penguins", {"password": "secret"}, limits=limits) as server,
        Arena(server).arrive() as admin,
    ):
        await admin.say(b'<authenticate password="secret"/>')
        assert await joined(admin, 20) == 20


async def test_no_address_fills_the_rooms_alone(autojump_clock: MockClock) -> None:
    async with open_arena("penguins", **COUNTED) as arena, AsyncExitStack() as stack:
        seats = 0
        for _ in range(20):
            seats += await joined(await stack.enter_async_context(arena.arrive()), 8)
        assert seats == 2 * 64


async def test_silent_players_make_room_after_some_time(autojump_clock: MockClock) -> None:
    async with open_arena("penguins", max_lobbies=4) as arena, arena.arrive() as silent:
        assert await joined(silent, 8) == 8
        async with arena.arrive() as late:
            assert await joined(late, 1) == 0
        await trio.sleep(601)
        await arena.play_match()
        await silent.hear(b"HARD_TIMEOUT")
        assert b"innerhalb von 600 Sekunden" in silent.heard
        assert silent.heard.count(b"<left ") == 2  # one room was enough, and it had both seats


async def test_asking_again_and_again_costs_no_look_at_all_rooms(
    autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks: list[PenguinsTable] = []

    def silent_since(table: PenguinsTable) -> float:
        looks.append(table)
        return trio.current_time()

    monkeypatch.setattr(PenguinsTable, "silent_since", property(silent_since))
    async with open_arena("penguins", max_lobbies=4) as arena, arena.arrive() as silent:
        assert await joined(silent, 8) == 8
        async with arena.arrive() as late:
            assert await joined(late, 100) == 0
        assert 0 < len(looks) < 10


# Quidditch


async def test_no_address_has_all_lobbies_of_quidditch(autojump_clock: MockClock) -> None:
    limits = {**COUNTED, "max_lobbies_per_address": 3}
    async with open_arena("quidditch", **limits) as arena, AsyncExitStack() as stack:
        for n in range(3):
            peer = await stack.enter_async_context(arena.server.connect())
            await QuidditchClient.login(peer, f"user{n}", lobby=f"lobby{n}")
        assert await refused_login(arena, "lobby3") == (
            204,
            "Error: invalid lobbyname: ours.lobbies-of-address "
            "there are 3 lobbies from your address already",
        )
        await peer.link.aclose()
        await trio.sleep(1)
        async with arena.server.connect() as another:  # in place of the empty one
            await QuidditchClient.login(another, "user4", lobby="lobby4")


async def test_nobody_keeps_lobbies_of_quidditch_by_leaving_their_matches(
    autojump_clock: MockClock,
) -> None:
    async with open_arena("quidditch", max_lobbies=3) as arena:
        for n in range(3):
            async with arena.server.connect() as one, arena.server.connect() as two:
                left = await QuidditchClient.login(one, "harry", lobby=f"lobby{n}")
                right = await QuidditchClient.login(two, "draco", lobby=f"lobby{n}")
                await left.say("teamConfig", wire(HERONS))
                await right.say("teamConfig", wire(BADGERS))
                await left.hear_until("matchStart")
            await trio.sleep(1)
        async with arena.server.connect() as another:
            await QuidditchClient.login(another, "luna", lobby="lobby3")
            assert {*arena.server.endpoint.hall.lobbies} == {"lobby1", "lobby2", "lobby3"}


async def test_no_address_has_all_places_in_a_lobby_of_quidditch(
    autojump_clock: MockClock,
) -> None:
    limits = {**COUNTED, "max_clients_per_lobby_and_address": 3}
    async with open_arena("quidditch", **limits) as arena, AsyncExitStack() as stack:
        for n in range(3):
            peer = await stack.enter_async_context(arena.server.connect())
            await QuidditchClient.login(peer, f"user{n}")
        assert (await refused_login(arena, "hogwarts"))[0] == 204


# Qwirkle


async def test_no_address_has_all_places_of_spectators(autojump_clock: MockClock) -> None:
    limits = {**COUNTED, "max_clients_per_lobby_and_address": 5}
    async with open_arena("qwirkle", **limits) as arena:
        lobby = open_game(arena.server.endpoint)
        names = [f"X{n}" for n in range(8)]
        async with connected(arena.server, *names, client_type="SPECTATOR") as guests:
            answers = []
            for guest in guests:
                await guest.say(304, gameId=int(lobby.key))
                answers.append((await guest.peer.hear())["uniqueId"])
        assert answers == [305] * 5 + [920] * 3


async def test_games_that_nobody_plays_do_not_push_others_out_of_the_list(
    autojump_clock: MockClock,
) -> None:
    """Two clients can begin and end hundreds of games per second."""
    async with (
        open_arena("qwirkle") as arena,
        connected(arena.server, "Anna", "Bert", "X", "Y") as (anna, bert, *others),
    ):
        await begin(1, anna, bert)
        await anna.lay_first()
        await anna.hear(415, 416)
        await bert.hear(416)
        await bert.ask(405, 406)
        await anna.hear(406, 401, 407)
        for number in range(2, 62):
            await begin(number, *others)
            for guest in others:
                await guest.say(405)
            await others[0].hear(406)
            await others[1].hear(406, 401, 407)
        games = (await bert.ask(300, 301))["games"]
        assert len(games) == 51
        assert games[0]["gameId"] == 1
        assert (await anna.ask(417, 418))["scores"] == [[anna.info, 1]]


async def begin(number: int, one: Guest, other: Guest) -> None:
    """A game of two, in which the first is to move."""
    await one.ask(302, 303, gameId=number)
    await other.ask(302, 303, gameId=number)
    for guest in (one, other):
        await guest.hear(400, 408, 409)


# Robo Rally


async def test_silent_players_do_not_have_a_port_for_ever(autojump_clock: MockClock) -> None:
    async with open_arena("roborally") as arena, AsyncExitStack() as stack:
        for n in range(6):
            peer = await stack.enter_async_context(arena.server.connect())
            await (await RoboRallyClient.arrive(peer)).register(f"X{n}", n)
        await trio.sleep(601)
        await arena.play_match()  # by two others, while the four that are left are silent


@pytest.mark.parametrize(
    "limits",
    [{"max_clients_per_lobby": 3}, {**COUNTED, "max_clients_per_lobby_and_address": 3}],
    ids=["in all", "of one address"],
)
async def test_silent_watchers_do_not_have_a_port_for_ever(
    limits: dict[str, Any], autojump_clock: MockClock
) -> None:
    async with open_arena("roborally", **limits) as arena, AsyncExitStack() as stack:

        async def knock() -> RoboRallyClient:
            client = RoboRallyClient(await stack.enter_async_context(arena.server.connect()))
            await client.hear("HelloClient")
            await client.say("HelloServer", group="G", isAI=False, protocol="Version 2.0")
            return client

        silent = [await knock() for _ in range(3)]
        for watcher in silent:
            await watcher.hear("Welcome")
        await trio.sleep(599)
        assert await (await knock()).hear("Error") == {"error": "The lobby is full."}
        await trio.sleep(2)
        await (await knock()).hear("Welcome")
        assert await silent[0].hear("Error") == {
            "error": "You have only watched, and others want in."
        }


async def test_no_seat_is_kept_by_a_client_that_vanishes_while_it_comes_and_goes(
    autojump_clock: MockClock,
) -> None:
    """Of many messages at once, some are read after the client is known to be gone."""
    async with open_arena("qwirkle") as arena:
        number = min(int(key) for key in arena.server.endpoint.hall.lobbies)
        cycle = b'{"uniqueId":302,"gameId":%d}\n{"uniqueId":405}\n' % number
        for length in range(10, 20):
            async with arena.connect() as stranger:
                await stranger.say(b'{"uniqueId":100,"clientName":"X","clientType":"PLAYER"}\n')
                await stranger.say(b'{"uniqueId":999}\n' * length + cycle * 20)
                stranger.reset()
        await trio.sleep(1)
        assert not arena.server.endpoint.clients
