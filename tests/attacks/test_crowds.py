"""Too many of something: connections, lobbies, spectators, arrivals and departures."""

import gc
import tracemalloc
import weakref
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

import pytest
import trio
from trio.testing import MockClock

from tests.attacks.arena import GAMES, TRANSPORTS, Arena, Stranger, open_arena
from tests.games.quidditch.clients import QuidditchClient, join
from tests.games.qwirkle.party import connected, open_game
from tests.games.roborally.client import RoboRallyClient
from tests.support.hexxagon import HexxagonClient

# What a client reads that is turned away at the door.
TURNED_AWAY = {
    "hexxagon": b"HTTP/1.1 503 Service Unavailable\r\n",
    "penguins": b"<protocol>\n  <errorpacket message=",
    "quidditch": b"HTTP/1.1 503 Service Unavailable\r\n",
    "qwirkle": b'{"message":"Verbindung getrennt: ',
    "roborally": b'{"messageType":"Error","messageBody":{"error":"Disconnected: ',
}


@asynccontextmanager
async def crowd(arena: Arena, size: int) -> AsyncIterator[list[Stranger]]:
    async with AsyncExitStack() as stack:
        yield [await stack.enter_async_context(arena.connect()) for _ in range(size)]


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize(
    ("limits", "reason"),
    [
        ({"max_connections_per_address": 5, "exempt": []}, "too many connections from one address"),
        ({"max_connections": 5}, "the server is full"),
    ],
)
async def test_who_comes_too_often_is_turned_away_with_a_word(
    game: str, limits: dict[str, object], reason: str, autojump_clock: MockClock
) -> None:
    async def attack(arena: Arena) -> None:
        while len(arena.server.endpoint.clients) < 2:
            await trio.lowlevel.checkpoint()  # until the players are there
        async with crowd(arena, 50) as strangers:
            refused = [words for each in strangers if (words := await last_words(each))]
            assert len(refused) >= 45
            assert all(words.startswith(TURNED_AWAY[game]) for words in refused)
            assert all(reason.encode() in words for words in refused)

    async with open_arena(game, **limits) as arena:
        await arena.withstand(attack)


async def last_words(stranger: Stranger) -> bytes | None:
    """What the server says before it hangs up, if it does."""
    with trio.move_on_after(1):
        return await stranger.gone()
    return None


@pytest.mark.parametrize("game", TRANSPORTS)
@pytest.mark.parametrize("rude", [False, True], ids=["with goodbye", "with reset"])
async def test_those_who_come_and_go_leave_nothing_behind(
    game: str, rude: bool, autojump_clock: MockClock
) -> None:
    async def attack(arena: Arena) -> None:
        for n in range(60):
            async with arena.connect() as stranger:
                await stranger.say(b"<{GET / \x81"[: n % 9])
                if rude:
                    stranger.reset()

    async with open_arena(game) as arena:
        await arena.withstand(attack)


async def test_a_lobby_that_is_gone_is_no_garbage_that_waits_for_a_search(
    autojump_clock: MockClock,
) -> None:
    """The garbage collector searches all objects only once in an hour while somebody plays."""
    async with open_arena("hexxagon") as arena, arena.server.connect() as witness:
        other = await HexxagonClient.arrive(witness)
        gc.disable()
        try:
            async with arena.server.connect() as peer:
                key = await (await HexxagonClient.arrive(peer)).create()
                table = weakref.ref(arena.server.endpoint.hall.lobbies[key].table)
            await trio.sleep(20)
            assert await other.lobbies() == []
            assert table() is None
        finally:
            gc.enable()


async def test_a_lobby_keeps_nothing_of_those_who_have_been_in_it(
    autojump_clock: MockClock,
) -> None:
    """Some lobbies are open for weeks, and people come and go."""
    async with open_arena("roborally") as arena:
        endpoint = arena.server.endpoint
        async with arena.server.connect() as peer:
            await RoboRallyClient.arrive(peer)
            (client,) = [each for each in endpoint.clients if each.places]
            visitor = weakref.ref(client.visitor)
            del client
        with trio.fail_after(60):
            while any(each.visitor is visitor() for each in endpoint.clients):
                await trio.lowlevel.checkpoint()
        gc.collect()
        assert visitor() is None
        assert len(endpoint.hall.lobbies) == 1


async def test_a_long_message_is_kept_no_longer_than_it_is_heard(
    autojump_clock: MockClock,
) -> None:
    async with open_arena("hexxagon") as arena, AsyncExitStack() as stack:
        peers = [await stack.enter_async_context(arena.server.connect()) for _ in range(20)]
        clients = [await HexxagonClient.arrive(peer) for peer in peers]
        free, loud, quiet = clients[:10], clients[10:15], clients[15:]
        for one, two in zip(loud, quiet, strict=True):
            await one.join(lobby := await one.create())
            await two.join(lobby)
            await one.hear("LobbyStatus")
        tracemalloc.start()
        try:
            for client in free + loud:
                await client.say("GetAvailableLobbies", pad="x" * 60_000)
                await client.hear("AvailableLobbies")
            for client in quiet:
                await client.lobbies()  # skips what was said in a lobby before
            kept, _ = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
    assert kept < 350_000  # they have said 900 kilobytes, and what clients keep counts, too


@pytest.mark.parametrize("game", GAMES)
async def test_who_is_done_talking_may_still_listen(game: str, autojump_clock: MockClock) -> None:
    """A half-closed connection is closed politely, after its last question has been answered."""

    async def attack(arena: Arena) -> None:
        async with arena.arrive() as stranger:
            await stranger.say(stranger.question)
            await stranger.stream.send_eof()
            assert await stranger.gone(within=5)

    async with open_arena(game) as arena:
        await arena.withstand(attack)


async def test_lobbies_do_not_grow_without_end(autojump_clock: MockClock) -> None:
    """«successfullyCreated» is false for those that no longer fit."""
    async with open_arena("hexxagon", max_lobbies=20) as arena, AsyncExitStack() as stack:
        created = []
        for _ in range(4):
            peer = await stack.enter_async_context(arena.server.connect())
            client = await HexxagonClient.arrive(peer)
            for n in range(10):
                await client.say("CreateNewLobby", lobbyName=f"Lobby {n}")
                created.append((await client.hear("LobbyCreated"))["successfullyCreated"])
        assert created == [True] * 20 + [False] * 20


async def test_rooms_do_not_grow_without_end(autojump_clock: MockClock) -> None:
    async with open_arena("penguins", max_lobbies=20) as arena, AsyncExitStack() as stack:
        for _ in range(5):
            stranger = await stack.enter_async_context(arena.arrive())
            await stranger.say(b"<join/>" * 8)  # two of them share a room
            while stranger.heard.count(b"<joined ") < 8:
                stranger.heard += await stranger.stream.receive_some()
        late = await stack.enter_async_context(arena.arrive())
        await late.say(b"<join/>")
        await late.hear(b"There are too many rooms already")


async def test_lobbies_of_quidditch_do_not_grow_without_end(autojump_clock: MockClock) -> None:
    """«invalid lobbyname»"""
    async with open_arena("quidditch", max_lobbies=3) as arena, AsyncExitStack() as stack:
        for n in range(3):
            peer = await stack.enter_async_context(arena.server.connect())
            await QuidditchClient.login(peer, f"user{n}", lobby=f"lobby{n}")
        assert await refused_login(arena, "lobby3") == (
            204,
            "Error: invalid lobbyname: ours.lobbies-of-all there are 3 lobbies already",
        )


async def test_a_lobby_of_quidditch_has_an_end(autojump_clock: MockClock) -> None:
    async with open_arena("quidditch", max_clients_per_lobby=3) as arena, AsyncExitStack() as stack:
        for n in range(3):
            peer = await stack.enter_async_context(arena.server.connect())
            await QuidditchClient.login(peer, f"user{n}")
        assert await refused_login(arena, "hogwarts") == (
            204,
            "Error: invalid lobbyname: ours.crowded there is no room for anybody else in "
            "this lobby",
        )


async def refused_login(arena: Arena, lobby: str) -> tuple[int, str]:
    """Code and information of the privateError for a client that comes too late."""
    async with arena.server.connect() as peer:
        await peer.say(join("late", lobby=lobby))
        error = await QuidditchClient(peer, "late").hear("privateError")
        await peer.hear_end()
    return error["code"], error["information"]


def room_for(count: int) -> list[dict[str, Any]]:
    """Limits that let so many into a lobby: in total, or from this address unless it is exempt."""
    of_address = {"max_clients_per_lobby_and_address": count, "exempt": []}
    return [{"max_clients_per_lobby": count}, of_address]


async def test_spectators_do_not_grow_without_end_in_qwirkle(autojump_clock: MockClock) -> None:
    limits = {"max_clients_per_lobby": 5}
    async with open_arena("qwirkle", **limits) as arena:
        lobby = open_game(arena.server.endpoint)
        names = [f"X{n}" for n in range(8)]
        async with connected(arena.server, *names, client_type="SPECTATOR") as guests:
            answers = []
            for guest in guests:
                await guest.say(304, gameId=int(lobby.key))
                answers.append((await guest.peer.hear())["uniqueId"])
        assert answers == [305] * 5 + [920] * 3


@pytest.mark.parametrize("limits", room_for(3), ids=["of all", "of one address"])
async def test_a_lobby_of_roborally_has_an_end(
    limits: dict[str, Any], autojump_clock: MockClock
) -> None:
    async with open_arena("roborally", **limits) as arena, AsyncExitStack() as stack:
        for _ in range(3):
            await RoboRallyClient.arrive(await stack.enter_async_context(arena.server.connect()))
        client = RoboRallyClient(await stack.enter_async_context(arena.server.connect()))
        await client.hear("HelloClient")
        await client.say("HelloServer", group="G", isAI=False, protocol="Version 2.0")
        assert await client.hear("Error") == {"error": "The lobby is full."}
        await client.peer.hear_end()
