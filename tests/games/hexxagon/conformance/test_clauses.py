"""Every clause of Hexxagon is broken over a real socket, and the server names it and no other."""

from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

import attrs
import pytest
import trio

from games.hexxagon import GAME, breaches
from games.hexxagon.messages import GameMove, Tile, Uuid
from games.hexxagon.rules.mistakes import Mistake
from ludothek.testing.breaches import (
    Case,
    Cases,
    breakable,
    broken,
    explanations,
    hear_of_breach,
    misnamed,
)
from tests.support.helpers import Server, open_server
from tests.support.hexxagon import UNKNOWN, HexxagonClient, start_game
from tests.support.raw_websocket import RawPeer, frame

BINARY = 2


@attrs.frozen
class Stage:
    """A server and three clients that are in no lobby."""

    server: Server
    one: HexxagonClient
    two: HexxagonClient
    three: HexxagonClient

    async def lobby_of_two(self) -> str:
        lobby = await self.one.create()
        await self.one.join(lobby)
        await self.two.join(lobby)
        await self.one.hear("LobbyStatus")
        return lobby


CASES: Cases[Stage] = Cases()
breaks = CASES.breaks


def says(clause: str, pointer: str, message: Any, **settings: Any) -> None:
    """A message that is wrong by itself, with the right userId unless it has one."""

    async def play(stage: Stage) -> None:
        await stage.one.peer.say(
            {"userId": stage.one.id, **message} if isinstance(message, dict) else message
        )

    breaks(clause, pointer, "struck", **settings)(play)


def moves(clause: str, pointer: str, origin: int, target: int) -> None:
    """A move of playerOne in a game that has just begun."""

    @breaks(clause, pointer, "struck")
    async def play(stage: Stage) -> None:
        await stage.one.move(await start_game(stage.one, stage.two), origin, target)


# Messages that are wrong wherever they are sent

says("2.3", "", b"GetAvailableLobbies")
says("2.3", "", b'["GetAvailableLobbies"]')
says("3.1.2.1", "/messageType", {"messageType": "Welcome", "welcomeMessage": "Hello!"})
says("3.2.1.1", "/messageType", {})
says("3.2.1.2", "/messageType", {"messageType": "getAvailableLobbies"})
says("3.2.1.2", "/messageType", {"messageType": 5})
says("3.2.2.1", "/userId", {"messageType": "GetAvailableLobbies", "userId": 5})
says("3.2.2.1", "/lobbyId", {"messageType": "LeaveLobby", "lobbyId": "7"})
says("3.2.2.1", "/gameId", {"messageType": "LeaveGame", "gameId": None})
says("3.2.3.1", "/lobbyName", {"messageType": "CreateNewLobby", "lobbyName": 5})
says("3.2.3.1", "/userName", {"messageType": "JoinLobby", "lobbyId": UNKNOWN, "userName": None})
MOVE = {"messageType": "GameMove", "gameId": UNKNOWN, "moveFrom": "TILE_30", "moveTo": "TILE_38"}
says("3.2.7.1", "/moveFrom", {**MOVE, "moveFrom": "TILE_0"})
says("3.2.7.1", "/moveTo", {**MOVE, "moveTo": "tile_38"})
says("3.3.1.1", "/userId", b'{"messageType":"GetAvailableLobbies"}')
says("3.3.1.1", "/userId", {"messageType": "GetAvailableLobbies", "userId": UNKNOWN})
says("3.3.4.1", "/lobbyName", {"messageType": "CreateNewLobby"})
says("3.3.6.1", "/lobbyId", {"messageType": "JoinLobby", "userName": "Max"})
says("3.3.6.1", "/userName", {"messageType": "JoinLobby", "lobbyId": UNKNOWN})
says("3.3.9.1", "/lobbyId", {"messageType": "LeaveLobby", "lobbyId": UNKNOWN})
says("3.3.9.2", "/lobbyId", {"messageType": "LeaveLobby"})
says("3.3.10.1", "/lobbyId", {"messageType": "StartGame", "lobbyId": UNKNOWN})
says("3.3.10.2", "/lobbyId", {"messageType": "StartGame"})
says("3.3.13.1", "/gameId", MOVE)
says("3.3.13.2", "/moveTo", {"messageType": "GameMove", "gameId": UNKNOWN, "moveFrom": "TILE_1"})
says("3.3.14.1", "/gameId", {"messageType": "LeaveGame", "gameId": UNKNOWN})
says("3.3.14.2", "/gameId", {"messageType": "LeaveGame"})
says("ours.many-values", "", {"messageType": "GetAvailableLobbies", "x": [[]] * 9000})

# Moves that are against the rules

moves("3.2.6.1", "/moveTo", 30, 29)
moves("ours.own-stone", "/moveFrom", 1, 2)
moves("ours.own-stone", "/moveFrom", 38, 37)
moves("ours.free-target", "/moveTo", 30, 30)
moves("ours.free-target", "/moveTo", 30, 22)
moves("ours.near-target", "/moveTo", 30, 19)


@breaks("2.2", "", "struck")
async def a_binary_frame(stage: Stage) -> None:
    async with await trio.open_tcp_stream("127.0.0.1", stage.server.port) as stream:
        peer = RawPeer(stream)
        await peer.shake()
        await peer.write(frame(BINARY, b'{"messageType":"GetAvailableLobbies"}'))
        await hear_of_breach(stage.server.endpoint)


@breaks("ours.too-long", "", "kicked")
async def a_long_message(stage: Stage) -> None:
    await stage.one.peer.say({"messageType": "CreateNewLobby", "lobbyName": "x" * 70000})


@breaks("2.1", "/lobbyId", "refused")
async def a_full_lobby(stage: Stage) -> None:
    lobby = await stage.lobby_of_two()
    await stage.three.say("JoinLobby", lobbyId=lobby, userName="Drei")


@breaks("3.3.7.1", "/lobbyId", "refused")
async def a_lobby_that_is_gone(stage: Stage) -> None:
    await stage.one.say("JoinLobby", lobbyId=UNKNOWN, userName="Eins")


@breaks("3.3.7.1", "/lobbyId", "refused")
async def a_lobby_that_has_started(stage: Stage) -> None:
    lobby = await stage.lobby_of_two()
    await stage.one.say("StartGame", lobbyId=lobby)
    await stage.one.hear("GameStarted")
    await stage.three.say("JoinLobby", lobbyId=lobby, userName="Drei")


@breaks("3.3.9.1", "/lobbyId", "struck")
async def leaving_another_lobby(stage: Stage) -> None:
    await stage.lobby_of_two()
    await stage.one.say("LeaveLobby", lobbyId=await stage.three.create())


@breaks("3.3.10.1", "/lobbyId", "struck")
async def starting_another_lobby(stage: Stage) -> None:
    await stage.lobby_of_two()
    await stage.one.say("StartGame", lobbyId=await stage.three.create())


@breaks("3.3.10.1", "/messageType", "struck", lenient_races=False)
async def starting_twice(stage: Stage) -> None:
    lobby = await stage.lobby_of_two()
    await stage.one.say("StartGame", lobbyId=lobby)
    await stage.one.say("StartGame", lobbyId=lobby)


@breaks("3.3.12.1", "/userId", "struck")
async def moving_out_of_turn(stage: Stage) -> None:
    await stage.two.move(await start_game(stage.one, stage.two), 1, 2)


@breaks("3.3.13.1", "/gameId", "struck")
async def moving_in_another_game(stage: Stage) -> None:
    await start_game(stage.one, stage.two)
    await stage.one.move(UNKNOWN, 30, 38)


@breaks("3.3.13.1", "/gameId", "struck")
async def moving_before_the_start(stage: Stage) -> None:
    await stage.one.move(await stage.lobby_of_two(), 30, 38)


@breaks("3.3.14.1", "/gameId", "struck")
async def leaving_another_game(stage: Stage) -> None:
    await start_game(stage.one, stage.two)
    await stage.one.say("LeaveGame", gameId=UNKNOWN)


@breaks("3.3.15.1", "/messageType", "struck")
async def creating_inside_a_lobby(stage: Stage) -> None:
    await stage.lobby_of_two()
    await stage.one.say("CreateNewLobby", lobbyName="Another")


@breaks("3.3.15.1", "/messageType", "struck")
async def joining_inside_a_game(stage: Stage) -> None:
    await start_game(stage.one, stage.two)
    await stage.one.say("JoinLobby", lobbyId=UNKNOWN, userName="Eins")


@breaks("4.5.1.1", "/messageType", "struck")
async def starting_alone(stage: Stage) -> None:
    lobby = await stage.one.create()
    await stage.one.join(lobby)
    await stage.one.say("StartGame", lobbyId=lobby)


@breaks("4.5.1.2", "/messageType", "struck")
async def starting_as_the_second(stage: Stage) -> None:
    await stage.two.say("StartGame", lobbyId=await stage.lobby_of_two())


@breaks("4.5.2.1", "/messageType", "struck", lenient_races=False)
async def leaving_a_lobby_that_has_started(stage: Stage) -> None:
    lobby = await stage.lobby_of_two()
    await stage.one.say("StartGame", lobbyId=lobby)
    await stage.two.hear("GameStarted")
    await stage.two.say("LeaveLobby", lobbyId=lobby)


@breaks("ours.late", "/gameId", "ignored")
async def moving_after_the_end(stage: Stage) -> None:
    game = await start_game(stage.one, stage.two)
    await stage.one.say("LeaveGame", gameId=game)
    await stage.two.hear("GameStatus")
    await stage.two.move(game, 1, 2)


@breaks("ours.late", "/lobbyId", "ignored")
async def leaving_the_lobby_of_a_game(stage: Stage) -> None:
    lobby = await stage.lobby_of_two()
    await stage.one.say("StartGame", lobbyId=lobby)
    await stage.one.say("LeaveLobby", lobbyId=lobby)


@breaks("ours.late", "/lobbyId", "ignored")
async def starting_while_the_other_leaves(stage: Stage) -> None:
    lobby = await stage.lobby_of_two()
    await stage.two.say("LeaveLobby", lobbyId=lobby)
    await stage.two.lobbies()
    await stage.one.say("StartGame", lobbyId=lobby)


@breaks("ours.names", "/lobbyName", "refused")
async def a_lobby_without_a_name(stage: Stage) -> None:
    await stage.one.say("CreateNewLobby", lobbyName=" ")


@breaks("ours.names", "/userName", "refused")
async def a_long_name(stage: Stage) -> None:
    await stage.one.say("JoinLobby", lobbyId=await stage.one.create(), userName="x" * 65)


@breaks("ours.tidy-names", "/lobbyName", "corrected")
async def a_lobby_with_spaces_around_its_name(stage: Stage) -> None:
    await stage.one.create(" Lobby ")


@breaks("ours.tidy-names", "/userName", "corrected")
async def no_name(stage: Stage) -> None:
    await stage.one.join(await stage.one.create(), "")


@breaks("ours.lobbies-of-one", "", "refused", max_lobbies_per_client=1)
async def too_many_lobbies(stage: Stage) -> None:
    await stage.one.create()
    await stage.one.say("CreateNewLobby", lobbyName="Another")


@breaks("ours.lobbies-of-all", "", "refused", max_lobbies=1)
async def a_full_list(stage: Stage) -> None:
    await stage.lobby_of_two()
    await stage.three.say("CreateNewLobby", lobbyName="Another")


@asynccontextmanager
async def open_stage(settings: Mapping[str, Any]) -> AsyncIterator[Stage]:
    async with open_server("hexxagon", {**settings}) as server, AsyncExitStack() as stack:
        peers = [await stack.enter_async_context(server.connect()) for _ in range(3)]
        yield Stage(server, *[await HexxagonClient.arrive(peer) for peer in peers])


@pytest.mark.parametrize("case", CASES, ids=str)
async def test_a_breach_names_its_clause_and_no_other(case: Case[Stage]) -> None:
    async with open_stage(case.settings) as stage:
        await case.play(stage)
        await hear_of_breach(stage.server.endpoint)
        assert broken(stage.server.endpoint) == {case.broken}
        (explanation,) = explanations(stage.server.endpoint)
        assert explanation.breach.came


async def test_whoever_is_sent_away_for_strikes_is_told_which_clause_ends_it() -> None:
    async with open_stage({"max_strikes": 1}) as stage:
        await stage.one.say("Nonsense")
        await stage.one.hear("Strike")
        await stage.one.peer.hear_end()
        struck, kicked = explanations(stage.server.endpoint)
        assert (struck.breach.clause.id, struck.consequence.value) == ("3.2.1.2", "struck")
        assert (kicked.breach.clause.id, kicked.consequence.value) == ("3.3.15.2", "kicked")


def test_every_bad_example_that_cannot_be_read_breaks_its_clause() -> None:
    assert misnamed(GAME, lambda message: breaches.unreadable(message.flaw)) == {}


def test_every_clause_that_can_be_broken_is_broken_here() -> None:
    assert breakable(GAME.clauses) == CASES.clauses | {"3.3.15.2"}


@pytest.mark.parametrize("mistake", Mistake)
def test_every_mistake_of_the_rules_breaks_a_clause(mistake: Mistake) -> None:
    move = GameMove(
        user_id=Uuid(UNKNOWN), game_id=Uuid(UNKNOWN), move_from=Tile(1), move_to=Tile(2)
    )
    breach = breaches.against_the_rules(mistake, move)
    assert GAME.clauses[breach.clause.id] is breach.clause
    assert breach.expected
