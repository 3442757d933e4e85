"""Computer players that the daemon brings along: one person can play alone."""

import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from tests.support.helpers import Fair, Peer, open_fair
from tests.support.hexxagon import HexxagonClient

RANDOM = {"bots": 1, "bot_difficulty": 9}


async def arrive(fair: Fair) -> HexxagonClient:
    return await HexxagonClient.arrive(Peer(fair.connect()))


async def test_somebody_who_waits_gets_company(autojump_clock: MockClock) -> None:
    async with open_fair("hexxagon", settings=RANDOM) as fair:
        me = await arrive(fair)
        lobby = await me.create()
        await wait_all_tasks_blocked()
        assert len(fair.endpoint.clients) == 1  # not before somebody is there
        await me.join(lobby, "Me")
        seen = (await me.hear("LobbyStatus"))["lobby"]
        assert (seen["playerOneUserName"], seen["playerTwoUserName"]) == ("Me", "Bot 1")
        await me.say("StartGame", lobbyId=lobby)
        game = (await me.hear("GameStarted"))["gameId"]
        await me.hear("GameStatus")
        await me.move(game, 30, 38)
        turns = [(await me.hear("GameStatus"))["turn"] for _ in range(2)]
        assert turns == [2, 3]


async def test_company_goes_when_the_last_person_goes(autojump_clock: MockClock) -> None:
    async with open_fair("hexxagon", settings=RANDOM) as fair:
        me = await arrive(fair)
        lobby = await me.create()
        for _ in range(3):
            await me.join(lobby, "Me")
            await me.hear("LobbyStatus")
            await me.say("LeaveLobby", lobbyId=lobby)
            await wait_all_tasks_blocked()
            assert len(fair.endpoint.clients) == 1
            assert await me.lobbies() == []
            lobby = await me.create()


async def test_company_goes_with_the_game(autojump_clock: MockClock) -> None:
    async with open_fair("hexxagon", settings=RANDOM) as fair:
        me = await arrive(fair)
        lobby = await me.create()
        await me.join(lobby, "Me")
        await me.hear("LobbyStatus")
        await me.say("StartGame", lobbyId=lobby)
        game = (await me.hear("GameStarted"))["gameId"]
        await me.hear("GameStatus")
        await me.say("LeaveGame", gameId=game)
        await me.hear("GameStatus")
        await wait_all_tasks_blocked()
        assert len(fair.endpoint.clients) == 1
        assert fair.endpoint.hall.lobbies == {}


async def test_company_that_finds_no_seat_goes_nowhere_else(autojump_clock: MockClock) -> None:
    async with open_fair("hexxagon", settings={"bots": 3, "bot_difficulty": 9}) as fair:
        me, waiting = await arrive(fair), await arrive(fair)
        other = await waiting.create("Other")
        lobby = await me.create("Mine")
        await me.join(lobby, "Me")
        await me.hear("LobbyStatus")
        await trio.sleep(60)
        listed = {entry["lobbyId"]: entry for entry in await waiting.lobbies()}
        assert set(listed) == {lobby, other}
        assert "playerOne" not in listed[other]


async def test_without_the_setting_nobody_comes(autojump_clock: MockClock) -> None:
    async with open_fair("hexxagon") as fair:
        me = await arrive(fair)
        await me.join(await me.create(), "Me")
        await trio.sleep(60)
        assert len(fair.endpoint.clients) == 1
