"""Messages about a lobby or game that is over: some are forgiven, others are strikes."""

import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from games.hexxagon.visitor import MOST_LATE
from tests.games.hexxagon.test_table import Scene, arrive, player_one, types
from tests.support.helpers import open_fair
from tests.support.hexxagon import UNKNOWN, HexxagonClient, play_moves


async def finish(one: HexxagonClient, two: HexxagonClient) -> Scene:
    """A game of two moves, to its end."""
    lobby = await one.create()
    await one.join(lobby)
    await two.join(lobby)
    await one.hear("LobbyStatus")
    await one.say("StartGame", lobbyId=lobby)
    for client in (one, two):
        game = (await client.hear("GameStarted"))["gameId"]
        await client.hear("GameStatus")
    await play_moves(game, one, two, "30-38 1-13")
    return Scene(one, two, lobby, game)


async def test_goodbyes_to_a_game_that_is_over_are_no_strikes(autojump_clock: MockClock) -> None:
    """A public client sends LeaveLobby and LeaveGame after every game that it has finished."""
    async with open_fair("hexxagon", settings={"max_turns": 2}) as fair:
        one, two = await arrive(fair), await arrive(fair)
        for _ in range(6):
            scene = await finish(one, two)
            await one.say("LeaveLobby", lobbyId=scene.lobby)
            await one.say("LeaveGame", gameId=scene.game)
            assert await one.lobbies() == []


async def test_only_some_goodbyes_are_forgiven(autojump_clock: MockClock) -> None:
    async with open_fair("hexxagon", settings={"max_turns": 2}) as fair:
        scene = await finish(await arrive(fair), await arrive(fair))
        for _ in range(MOST_LATE + 2):
            await scene.me.say("LeaveGame", gameId=scene.game)
        await wait_all_tasks_blocked()
        assert types(scene.me) == "Strike Strike"


async def test_goodbyes_to_older_games_and_those_of_others_are_strikes(
    autojump_clock: MockClock,
) -> None:
    async with open_fair("hexxagon", settings={"max_turns": 2}) as fair:
        one, two = await arrive(fair), await arrive(fair)
        stranger = await arrive(fair)
        scenes = [await finish(one, two) for _ in range(2)]
        await one.say("LeaveGame", gameId=scenes[0].game)
        await one.say("LeaveLobby", lobbyId=scenes[0].lobby)
        await stranger.say("LeaveGame", gameId=scenes[1].game)
        await wait_all_tasks_blocked()
        assert (types(one), types(stranger)) == ("Strike Strike", "Strike")


async def test_strictness_is_a_setting(autojump_clock: MockClock) -> None:
    settings = {"max_turns": 2, "lenient_races": False}
    async with open_fair("hexxagon", settings=settings) as fair:
        scene = await finish(await arrive(fair), await arrive(fair))
        await scene.me.say("LeaveLobby", lobbyId=scene.lobby)
        await scene.me.say("LeaveGame", gameId=scene.game)
        await wait_all_tasks_blocked()
        assert types(scene.me) == "Strike Strike"


async def test_crossing_messages_are_forgiven(autojump_clock: MockClock) -> None:
    async with open_fair("hexxagon") as fair:
        scene = await player_one(fair)
        await scene.me.say("StartGame", lobbyId=scene.lobby)
        game = (await scene.me.hear("GameStarted"))["gameId"]
        await scene.me.hear("GameStatus")
        await scene.me.say("LeaveLobby", lobbyId=scene.lobby)
        await scene.me.say("LeaveGame", gameId=game)
        assert (await scene.me.hear("GameStatus"))["isClosed"]
        await scene.me.say("LeaveLobby", lobbyId=scene.lobby)
        await scene.me.say("LeaveGame", gameId=game)
        await scene.me.move(game, 30, 38)
        assert await scene.me.lobbies() == []
        await scene.me.say("LeaveGame", gameId=UNKNOWN)
        assert (await scene.me.hear("Strike"))["strikeCount"] == 1


async def test_a_crossed_start_is_forgiven_once(autojump_clock: MockClock) -> None:
    """«Der zweite Teilnehmer kann die Lobby allerdings jederzeit verlassen»."""
    async with open_fair("hexxagon") as fair:
        scene = await player_one(fair)
        await scene.other.say("LeaveLobby", lobbyId=scene.lobby)
        await scene.me.hear("LobbyStatus")
        for _ in range(2):
            await scene.me.say("StartGame", lobbyId=scene.lobby)
        assert (await scene.me.hear("Strike"))["strikeCount"] == 1


@pytest.mark.parametrize("lenient", [True, False])
async def test_messages_that_crossed_with_the_end_of_a_lobby(
    lenient: bool, autojump_clock: MockClock
) -> None:
    settings = {"lenient_races": lenient, "occupied_lobby_seconds": 60}
    async with open_fair("hexxagon", settings=settings) as fair:
        scene = await player_one(fair)
        await trio.sleep(61)
        assert (await scene.me.hear("LobbyStatus"))["lobby"]["isClosed"]
        await scene.me.say("StartGame", lobbyId=scene.lobby)
        await scene.me.say("LeaveLobby", lobbyId=scene.lobby)
        await wait_all_tasks_blocked()
        assert types(scene.me) == ("" if lenient else "Strike Strike")
