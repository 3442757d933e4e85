"""How Hexxagon reacts to every message in every state."""

from collections.abc import AsyncIterator, Callable
from typing import Any

import attrs
import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from games.hexxagon.rules import Side, State, bit
from ludothek.contract.orders import Abort, OrderRefused, Pause, Start
from ludothek.testing.dummies import DummyClient
from tests.support.helpers import Fair, MemoryLink, Peer, open_fair
from tests.support.hexxagon import UNKNOWN, HexxagonClient, play_moves, start_game


@attrs.define
class Scene:
    """A client in one of the states of the standard, the others around it, and the ids."""

    me: HexxagonClient
    other: HexxagonClient
    lobby: str = ""
    game: str = ""


async def arrive(fair: Fair) -> HexxagonClient:
    return await HexxagonClient.arrive(Peer(fair.connect()))


async def free(fair: Fair) -> Scene:
    return Scene(await arrive(fair), await arrive(fair))


async def alone(fair: Fair) -> Scene:
    scene = await free(fair)
    scene.lobby = await scene.me.create()
    await scene.me.join(scene.lobby)
    return scene


async def player_one(fair: Fair) -> Scene:
    scene = await alone(fair)
    await scene.other.join(scene.lobby)
    await scene.me.hear("LobbyStatus")
    return scene


async def player_two(fair: Fair) -> Scene:
    scene = await player_one(fair)
    scene.me, scene.other = scene.other, scene.me
    return scene


async def active(fair: Fair) -> Scene:
    scene = await free(fair)
    scene.game = await start_game(scene.me, scene.other)
    return scene


async def passive(fair: Fair) -> Scene:
    scene = await active(fair)
    scene.me, scene.other = scene.other, scene.me
    return scene


STATES: dict[str, Callable[[Fair], Any]] = {
    "FREE": free,
    "L1a": alone,
    "L1b": player_one,
    "L2": player_two,
    "G+": active,
    "G-": passive,
}

# What the client itself hears / what the other one hears, state by state.
STRIKE = "Strike/"
EVERYWHERE = [STRIKE] * 6
REACTIONS: dict[str, list[str]] = {
    "GetAvailableLobbies": ["AvailableLobbies/"] * 6,
    "CreateNewLobby": ["LobbyCreated/", *[STRIKE] * 5],
    "JoinLobby open": ["LobbyJoined LobbyStatus/", *[STRIKE] * 5],
    "JoinLobby unknown": ["LobbyJoined/", *[STRIKE] * 5],
    "LeaveLobby": [STRIKE, "/", "/LobbyStatus", "/LobbyStatus", STRIKE, STRIKE],
    "LeaveLobby other": EVERYWHERE,
    "StartGame": [STRIKE, STRIKE, "GameStarted GameStatus/GameStarted GameStatus", *[STRIKE] * 3],
    "StartGame other": EVERYWHERE,
    "GameMove": [*[STRIKE] * 4, "GameStatus/GameStatus", STRIKE],
    "GameMove illegal": EVERYWHERE,
    "GameMove other": EVERYWHERE,
    "GameMove no tile": EVERYWHERE,
    "LeaveGame": [*[STRIKE] * 4, "GameStatus/GameStatus", "GameStatus/GameStatus"],
    "LeaveGame other": EVERYWHERE,
    "Welcome": EVERYWHERE,
    "Strike": EVERYWHERE,
    "unknown type": EVERYWHERE,
    "no type": EVERYWHERE,
    "no user": EVERYWHERE,
    "wrong user": EVERYWHERE,
    "null": EVERYWHERE,
    "number": EVERYWHERE,
    "lower case": EVERYWHERE,
    "missing attribute": EVERYWHERE,
    "no uuid": EVERYWHERE,
}


def message(name: str, scene: Scene, open_lobby: str) -> Any:
    user = {"userId": scene.me.id}
    lobby = {"lobbyId": scene.lobby or UNKNOWN}
    game = {"gameId": scene.game or UNKNOWN}
    move = {"moveFrom": "TILE_30", "moveTo": "TILE_38"}
    return {
        "GetAvailableLobbies": {"messageType": "GetAvailableLobbies", **user},
        "CreateNewLobby": {"messageType": "CreateNewLobby", "lobbyName": "New", **user},
        "JoinLobby open": {
            "messageType": "JoinLobby",
            "lobbyId": open_lobby,
            "userName": "Me",
            **user,
        },
        "JoinLobby unknown": {
            "messageType": "JoinLobby",
            "lobbyId": UNKNOWN,
            "userName": "Me",
            **user,
        },
        "LeaveLobby": {"messageType": "LeaveLobby", **user, **lobby},
        "LeaveLobby other": {"messageType": "LeaveLobby", **user, "lobbyId": open_lobby},
        "StartGame": {"messageType": "StartGame", **user, **lobby},
        "StartGame other": {"messageType": "StartGame", **user, "lobbyId": open_lobby},
        "GameMove": {"messageType": "GameMove", **user, **game, **move},
        "GameMove illegal": {
            "messageType": "GameMove",
            **user,
            **game,
            "moveFrom": "TILE_1",
            "moveTo": "TILE_61",
        },
        "GameMove other": {"messageType": "GameMove", **user, **move, "gameId": UNKNOWN},
        "GameMove no tile": {
            "messageType": "GameMove",
            **user,
            **game,
            "moveFrom": "TILE_30",
            "moveTo": "TILE_62",
        },
        "LeaveGame": {"messageType": "LeaveGame", **user, **game},
        "LeaveGame other": {"messageType": "LeaveGame", **user, "gameId": UNKNOWN},
        "Welcome": {"messageType": "Welcome", **user, "welcomeMessage": "Hello"},
        "Strike": {"messageType": "Strike", **user, "strikeCount": 1, "maxStrikeCount": 2},
        "unknown type": {"messageType": "Hello", **user},
        "no type": user,
        "no user": {"messageType": "GetAvailableLobbies"},
        "wrong user": {"messageType": "GetAvailableLobbies", "userId": scene.other.id},
        "null": {"messageType": "CreateNewLobby", **user, "lobbyName": None},
        "number": {"messageType": "CreateNewLobby", **user, "lobbyName": 5},
        "lower case": {"messageType": "getavailablelobbies", **user},
        "missing attribute": {"messageType": "JoinLobby", **user, "lobbyId": open_lobby},
        "no uuid": {"messageType": "JoinLobby", **user, "lobbyId": "lobby", "userName": "Me"},
    }[name]


def types(client: HexxagonClient) -> str:
    assert isinstance(client.peer.link, MemoryLink)
    codec = client.peer.link.received()
    return " ".join(frame.split(b'"')[3].decode() for frame in codec)


@pytest.fixture
async def fair() -> AsyncIterator[Fair]:
    async with open_fair("hexxagon") as fair:
        yield fair


@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize("name", REACTIONS)
async def test_reaction(fair: Fair, state: str, name: str) -> None:
    open_lobby = await (await arrive(fair)).create("Open")
    scene = await STATES[state](fair)
    await scene.me.peer.say(message(name, scene, open_lobby))
    await wait_all_tasks_blocked()
    heard = f"{types(scene.me)}/{types(scene.other)}"
    assert heard == REACTIONS[name][list(STATES).index(state)]


async def test_a_strike_does_not_change_the_game(fair: Fair) -> None:
    scene = await active(fair)
    await scene.me.peer.say(message("GameMove illegal", scene, UNKNOWN))
    assert (await scene.me.hear("Strike"))["strikeCount"] == 1
    await scene.me.move(scene.game, 30, 38)
    assert (await scene.me.hear("GameStatus"))["turn"] == 2


async def test_strikes_are_counted_across_lobbies_and_games(fair: Fair) -> None:
    scene = await free(fair)
    await scene.me.peer.say(b"?")
    scene.game = await start_game_after_strike(scene)
    await scene.me.peer.say(b"?")
    assert (await scene.me.hear("Strike"))["strikeCount"] == 2
    await scene.me.say("LeaveGame", gameId=scene.game)
    await scene.me.hear("GameStatus")
    await scene.me.peer.say(b"?")
    assert (await scene.me.hear("Strike"))["strikeCount"] == 3


async def start_game_after_strike(scene: Scene) -> str:
    assert (await scene.me.hear("Strike"))["strikeCount"] == 1
    return await start_game(scene.me, scene.other)


async def test_the_last_strike_ends_the_connection_in_the_reception(
    autojump_clock: MockClock,
) -> None:
    async with open_fair("hexxagon", settings={"max_strikes": 2}) as fair:
        client = await arrive(fair)
        for _ in range(2):
            client.peer.link.post(b"?")
        counts = [(await client.hear("Strike"))["strikeCount"] for _ in range(2)]
        assert counts == [1, 2]
        await client.peer.hear_end()


async def test_an_empty_lobby_expires_after_five_minutes(
    fair: Fair, autojump_clock: MockClock
) -> None:
    client = await arrive(fair)
    await client.create()
    await trio.sleep(299)
    assert len(await client.lobbies()) == 1
    await trio.sleep(1.5)
    assert await client.lobbies() == []


async def test_an_occupied_lobby_never_expires_unless_told_to(
    autojump_clock: MockClock,
) -> None:
    async with open_fair("hexxagon") as fair:
        scene = await alone(fair)
        await trio.sleep(10**6)
        assert len(await scene.me.lobbies()) == 1
    async with open_fair("hexxagon", settings={"occupied_lobby_seconds": 60}) as fair:
        scene = await alone(fair)
        await trio.sleep(61)
        status = await scene.me.hear("LobbyStatus")
        assert status["lobby"]["isClosed"]
        assert await scene.me.lobbies() == []


async def test_lobbies_are_limited_in_all_and_per_client(autojump_clock: MockClock) -> None:
    settings = {"max_lobbies": 3, "max_lobbies_per_client": 2}
    async with open_fair("hexxagon", settings=settings) as fair:
        one, two = await arrive(fair), await arrive(fair)
        answers = []
        for client in (one, one, one, two, two):
            await client.say("CreateNewLobby", lobbyName="Lobby")
            answers.append((await client.hear("LobbyCreated"))["successfullyCreated"])
        assert answers == [True, True, False, True, False]


async def test_running_games_do_not_count_as_lobbies(autojump_clock: MockClock) -> None:
    async with open_fair("hexxagon", settings={"max_lobbies": 1}) as fair:
        for _ in range(3):
            await active(fair)


async def test_a_message_behind_the_end_of_the_game_is_not_lost(fair: Fair) -> None:
    """What is sent at the moment the game ends is answered in the reception."""
    for _ in range(20):
        scene = await active(fair)
        await scene.me.say("LeaveGame", gameId=scene.game)
        await scene.other.say("GetAvailableLobbies")
        await wait_all_tasks_blocked()
        heard = types(scene.other).split()
        assert sorted(heard) == ["AvailableLobbies", "GameStatus"]
        # Both connections stay, and both clients are free.
        await scene.me.hear("GameStatus")
        assert await scene.me.lobbies() == []


@pytest.mark.parametrize(("stuck", "closed"), [("pass", False), ("end", True), ("fill", True)])
async def test_the_stuck_rule_is_the_one_that_is_set(
    autojump_clock: MockClock, stuck: str, closed: bool
) -> None:
    """A single stone of playerTwo in the corner, walled in by playerOne's next move."""
    async with open_fair("hexxagon", settings={"stuck": stuck}) as fair:
        scene = await active(fair)
        table = next(iter(fair.endpoint.hall.lobbies.values())).table
        one = sum(bit(tile) for tile in (2, 6, 7, 8, 12, 13, 30))
        table._match.state = State(one, bit(1), Side.PLAYERONE)  # type: ignore[attr-defined]
        await scene.me.move(scene.game, 30, 38)
        status = await scene.me.hear("GameStatus")
        assert status["isClosed"] is closed
        assert status["activePlayer"] == (scene.other.id if closed else scene.me.id)
        assert status.get("winner") == (scene.me.id if closed else None)
        points = status["playerOnePoints"], status["playerTwoPoints"]
        assert points == ((51, 1) if stuck == "fill" else (8, 1))


async def test_a_limit_of_turns_ends_the_game_by_points(autojump_clock: MockClock) -> None:
    async with open_fair("hexxagon", settings={"max_turns": 2}) as fair:
        scene = await active(fair)
        statuses = await play_moves(scene.game, scene.me, scene.other, "30-38 1-13")
        assert statuses[0]["isClosed"]
        assert statuses[0]["winner"] == scene.me.id


async def test_shutdown_closes_games_and_lobbies_in_the_words_of_the_standard(
    fair: Fair,
) -> None:
    game, lobby, outside = await active(fair), await player_one(fair), await arrive(fair)
    fair.endpoint.close()
    status = await game.me.hear("GameStatus")
    assert (status["isClosed"], status["tie"]) == (True, False)
    assert (status["playerOneLeft"], status["playerTwoLeft"]) == (False, False)
    assert "winner" not in status
    assert (await lobby.other.hear("LobbyStatus"))["lobby"]["isClosed"]
    for client in (game.me, lobby.other, outside):
        await client.peer.hear_end()


async def test_an_organiser_can_start_and_abort(fair: Fair) -> None:
    scene = await player_one(fair)
    lobby = fair.endpoint.hall.lobbies[scene.lobby]
    lobby.order(Start())
    await scene.me.hear("GameStarted")
    await scene.me.hear("GameStatus")
    with pytest.raises(OrderRefused):
        lobby.order(Start())
    with pytest.raises(OrderRefused):
        lobby.order(Pause())
    winner = next(c for c in fair.endpoint.clients if c.key == scene.other.id)
    stranger = DummyClient(99)
    with pytest.raises(OrderRefused):
        lobby.order(Abort(stranger))
    lobby.order(Abort(winner))
    status = await scene.me.hear("GameStatus")
    assert (status["isClosed"], status["winner"]) == (True, scene.other.id)


async def test_a_bug_ends_one_game_and_tells_its_players(fair: Fair) -> None:
    """«einen internen Serverfehler»: the game is closed without a winner; clients stay."""
    scene, beside = await active(fair), await active(fair)
    lobbies = list(fair.endpoint.hall.lobbies.values())
    lobbies[0].table._settings = None  # type: ignore[attr-defined]
    await scene.me.move(scene.game, 30, 38)
    for client in (scene.me, scene.other):
        status = await client.hear("GameStatus")
        assert (status["isClosed"], status["tie"], "winner" in status) == (True, False, False)
        assert await client.lobbies() == []
    assert fair.endpoint.hall.crashes == 1
    await beside.me.move(beside.game, 30, 38)
    assert (await beside.me.hear("GameStatus"))["turn"] == 2
