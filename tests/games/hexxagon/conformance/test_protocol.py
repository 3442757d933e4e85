"""The Hexxagon network standard 0.6.1 over real sockets, sentence by sentence."""

import re
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from typing import Any

import pytest

from tests.support.helpers import Server, close_code, open_server
from tests.support.hexxagon import NIL, UNKNOWN, HexxagonClient, play_moves, start_game

DATE = re.compile(
    r"(Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) ([1-9]|[12]\d|3[01]), \d{4} "
    r"([1-9]|1[0-2]):[0-5]\d:[0-5]\d [AP]M"
)
UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}")

START = "2.B.2........B.B.....11...2.B1B1B.2...11.....B.B........2.B.2"
STATES = {"1": "PLAYERONE", "2": "PLAYERTWO", "B": "BLOCKED", ".": "FREE"}


def board(text: str) -> Any:
    return {"tiles": {f"TILE_{n}": STATES[mark] for n, mark in enumerate(text, 1)}}


@pytest.fixture
async def server() -> AsyncIterator[Server]:
    async with open_server("hexxagon") as server:
        yield server


@pytest.fixture
async def clients(server: Server) -> AsyncIterator[list[HexxagonClient]]:
    async with AsyncExitStack() as stack:
        peers = [await stack.enter_async_context(server.connect()) for _ in range(3)]
        yield [await HexxagonClient.arrive(peer) for peer in peers]


Clients = list[HexxagonClient]


async def is_silent(client: HexxagonClient) -> bool:
    """Whether the next thing the client hears answers a question it asks now."""
    await client.say("GetAvailableLobbies")
    return bool((await client.peer.hear())["messageType"] == "AvailableLobbies")


async def test_welcome_is_the_first_message_and_the_only_one(server: Server) -> None:
    """«Die Welcome Nachricht ist die erste Nachricht die gesendet wird.»"""
    async with server.connect() as peer:
        welcome = await peer.hear()
        assert set(welcome) == {"messageType", "userId", "welcomeMessage"}
        assert welcome["messageType"] == "Welcome"
        assert UUID.fullmatch(welcome["userId"])
        assert await is_silent(HexxagonClient(peer, welcome["userId"]))


async def test_every_client_has_an_id_of_its_own(clients: Clients) -> None:
    """«Jeder Client bekommt eine eindeutige Identifikationsnummer als UUID»"""
    assert len({client.id for client in clients}) == 3


async def test_no_lobbies_are_an_empty_list(clients: Clients) -> None:
    """«Die AvailableLobbies Nachricht beinhaltet alle aktuell, auf dem Server, verfügbaren …»"""
    assert await clients[0].lobbies() == []


async def test_a_new_lobby_is_empty_and_has_no_player_attributes(clients: Clients) -> None:
    """«Eine Lobby kann leer sein, dies ist der Fall wenn die Lobby gerade erst erstellt wurde.»"""
    one, two, _ = clients
    lobby = await one.create("Max Mustermann Lobby")
    (listed,) = await two.lobbies()
    assert DATE.fullmatch(listed.pop("creationDate"))
    assert listed == {"lobbyId": lobby, "lobbyName": "Max Mustermann Lobby", "isClosed": False}


async def test_joining_is_answered_before_the_status(clients: Clients) -> None:
    """«Egal ob das Hinzufügen zur Lobby erfolgreich war oder nicht, wird dem Client eine …»"""
    one, *_ = clients
    lobby = await one.create()
    await one.say("JoinLobby", lobbyId=lobby, userName="Max Mustermann")
    joined = await one.hear()
    assert joined == {
        "messageType": "LobbyJoined",
        "userId": one.id,
        "lobbyId": lobby,
        "successfullyJoined": True,
    }
    status = await one.hear("LobbyStatus")
    assert set(status) == {"messageType", "userId", "lobbyId", "lobby"}
    assert status["lobbyId"] == lobby
    assert DATE.fullmatch(status["lobby"].pop("creationDate"))
    assert status["lobby"] == {
        "lobbyId": lobby,
        "lobbyName": "Test Lobby",
        "isClosed": False,
        "playerOne": one.id,
        "playerOneUserName": "Max Mustermann",
    }


async def test_everybody_in_the_lobby_hears_of_the_second_participant(clients: Clients) -> None:
    """«Immer wenn sich am Zustand einer Lobby etwas ändert …, wird … eine LobbyStatus Nachricht»"""
    one, two, _ = clients
    lobby = await one.create()
    await one.join(lobby, "Eins")
    seen = await two.join(lobby, "Zwei")
    assert (await one.hear("LobbyStatus"))["lobby"] == seen
    assert (seen["playerOne"], seen["playerTwo"]) == (one.id, two.id)
    assert (seen["playerOneUserName"], seen["playerTwoUserName"]) == ("Eins", "Zwei")


async def test_a_third_client_is_told_that_the_lobby_is_full(clients: Clients) -> None:
    """«Im Kontext dieses Dokuments können sich maximal zwei Clients mit einer Lobby verbinden.»"""
    one, two, three = clients
    lobby = await one.create()
    await one.join(lobby)
    await two.join(lobby)
    await one.hear("LobbyStatus")
    await three.say("JoinLobby", lobbyId=lobby, userName="Drei")
    refused = await three.hear("LobbyJoined")
    assert (refused["lobbyId"], refused["successfullyJoined"]) == (lobby, False)
    assert all([await is_silent(client) for client in clients])


async def test_an_unknown_lobby_cannot_be_joined(clients: Clients) -> None:
    one, *_ = clients
    await one.say("JoinLobby", lobbyId=UNKNOWN.upper(), userName="Max")
    refused = await one.hear("LobbyJoined")
    assert (refused["lobbyId"], refused["successfullyJoined"]) == (UNKNOWN, False)


async def test_player_two_moves_up_when_player_one_leaves(clients: Clients) -> None:
    """«In diesem Fall wird man zum ersten Teilnehmer der Lobby.»"""
    one, two, _ = clients
    lobby = await one.create()
    await one.join(lobby, "Eins")
    await two.join(lobby, "Zwei")
    await one.hear("LobbyStatus")
    await one.say("LeaveLobby", lobbyId=lobby)
    left = (await two.hear("LobbyStatus"))["lobby"]
    assert (left["playerOne"], left["playerOneUserName"]) == (two.id, "Zwei")
    assert "playerTwo" not in left
    assert "playerTwoUserName" not in left
    assert await is_silent(one)
    again = await one.join(lobby, "Eins")
    assert (again["playerOne"], again["playerTwo"]) == (two.id, one.id)


async def test_the_last_one_to_leave_destroys_the_lobby(clients: Clients) -> None:
    """«Verlassen alle Teilnehmer einer Lobby die Lobby, dann wird die Lobby zerstört»"""
    one, two, _ = clients
    lobby = await one.create()
    await one.join(lobby)
    await one.say("LeaveLobby", lobbyId=lobby)
    assert await one.lobbies() == []
    await two.say("JoinLobby", lobbyId=lobby, userName="Zwei")
    assert not (await two.hear("LobbyJoined"))["successfullyJoined"]


async def test_a_game_starts_without_a_lobby_status(clients: Clients) -> None:
    """«Falls die Lobby vom Server geschlossen wird, da eine Spielpartie gestartet wurde, wird …»"""
    one, two, three = clients
    lobby = await one.create()
    await one.join(lobby, "Eins")
    await two.join(lobby, "Zwei")
    await one.hear("LobbyStatus")
    await one.say("StartGame", lobbyId=lobby)
    for client in (one, two):
        started = await client.hear("GameStarted")
        assert set(started) == {"messageType", "userId", "gameId", "creationDate"}
        assert UUID.fullmatch(started["gameId"])
        status = await client.hear("GameStatus")
        assert status["creationDate"] == started["creationDate"] == status["actionDate"]
        assert DATE.fullmatch(status.pop("creationDate"))
        assert status.pop("actionDate")
        assert status == {
            "messageType": "GameStatus",
            "userId": client.id,
            "gameId": started["gameId"],
            "playerOne": one.id,
            "playerTwo": two.id,
            "playerOneUserName": "Eins",
            "playerTwoUserName": "Zwei",
            "playerOneLeft": False,
            "playerTwoLeft": False,
            "playerOnePoints": 6,
            "playerTwoPoints": 6,
            "board": board(START),
            "turn": 1,
            "activePlayer": one.id,
            "tie": False,
            "isClosed": False,
        }
    assert await three.lobbies() == []
    await three.say("JoinLobby", lobbyId=lobby, userName="Drei")
    assert not (await three.hear("LobbyJoined"))["successfullyJoined"]


async def test_a_move_is_shown_to_both_players(clients: Clients) -> None:
    """«Der Server validiert den Zug des Spielers und sendet dann an alle Clients … GameStatus»"""
    one, two, _ = clients
    game = await start_game(one, two)
    for status in await play_moves(game, one, two, "30-28"):
        assert status["board"] == board(
            "2.B.2........B.B.....11...11B.B1B.2...11.....B.B........2.B.2"
        )
        assert (status["playerOnePoints"], status["playerTwoPoints"]) == (7, 5)
        assert (status["lastMoveFrom"], status["lastMoveTo"]) == ("TILE_30", "TILE_28")
        assert (status["turn"], status["activePlayer"]) == (2, two.id)


async def test_elimination_ends_the_game_and_names_the_winner(clients: Clients) -> None:
    """«hält die Identifikationsnummer des Clients welcher die Spielpartie gewonnen hat»"""
    one, two, _ = clients
    game = await start_game(one, two)
    for status in await play_moves(game, one, two, "40-54 61-60 22-38 54-40 38-21 39-22"):
        assert (status["isClosed"], status["tie"], status["winner"]) == (True, False, two.id)
        assert (status["playerOnePoints"], status["playerTwoPoints"]) == (0, 13)
        assert (status["turn"], status["activePlayer"]) == (7, one.id)
        assert (status["playerOneLeft"], status["playerTwoLeft"]) == (False, False)
    assert await one.lobbies() == []
    await start_game(two, one)  # both are free again, on the same connections


async def test_a_full_board_can_be_a_tie(clients: Clients) -> None:
    """«gibt an, ob die Spielpartie mit einem Unentschieden beendet wurde»"""
    one, two, _ = clients
    game = await start_game(one, two)
    moves = (
        "22-15 1-2 15-8 1-6 2-7 5-4 6-12 4-9 6-13 4-10 12-19 5-11 12-20 10-17 13-21 11-18 19-28 "
        "17-24 27-36 17-25 28-37 18-26 30-38 25-34 36-44 32-41 37-45 34-42 39-47 34-43 44-51 "
        "41-49 45-52 42-50 47-53 49-55 47-54 49-56 52-58 55-60"
    )
    for status in await play_moves(game, one, two, moves):
        assert status["board"] == board(
            "11B2211222211B2B221111222211B1B2B221111122211B1B2211122211B22"
        )
        assert (status["isClosed"], status["tie"], status["turn"]) == (True, True, 41)
        assert "winner" not in status


async def test_a_player_who_leaves_loses_and_hears_so(clients: Clients) -> None:
    """«um eine laufende Spielpartie zu verlassen»"""
    one, two, _ = clients
    game = await start_game(one, two)
    await play_moves(game, one, two, "30-28")
    await one.say("LeaveGame", gameId=game)
    for client in (one, two):
        status = await client.hear("GameStatus")
        assert (status["playerOneLeft"], status["playerTwoLeft"]) == (True, False)
        assert (status["isClosed"], status["tie"], status["winner"]) == (True, False, two.id)
        assert (status["turn"], status["lastMoveTo"]) == (2, "TILE_28")
        assert status["activePlayer"] == two.id


async def test_a_lost_connection_ends_the_game(clients: Clients, server: Server) -> None:
    """«Ein Spieler (Client) hat die Verbindung geschlossen»"""
    one, *_ = clients
    async with server.connect() as peer:
        two = await HexxagonClient.arrive(peer)
        await start_game(one, two)
    status = await one.hear("GameStatus")
    assert (status["playerOneLeft"], status["playerTwoLeft"]) == (False, True)
    assert (status["isClosed"], status["winner"]) == (True, one.id)
    assert await one.lobbies() == []


async def test_a_lost_connection_empties_a_seat(clients: Clients, server: Server) -> None:
    one, *_ = clients
    lobby = await one.create()
    async with server.connect() as peer:
        two = await HexxagonClient.arrive(peer)
        await two.join(lobby, "Weg")
        await one.join(lobby, "Da")
        await two.hear("LobbyStatus")
    left = (await one.hear("LobbyStatus"))["lobby"]
    assert (left["playerOne"], left["playerOneUserName"]) == (one.id, "Da")
    assert "playerTwo" not in left


async def test_an_illegal_move_strikes_only_its_player(clients: Clients) -> None:
    """«zum gesendeten Zeitpunkt nicht zulässig»"""
    one, two, _ = clients
    game = await start_game(one, two)
    await one.move(game, 30, 29)
    strike = await one.hear()
    assert strike == {
        "messageType": "Strike",
        "userId": one.id,
        "strikeCount": 1,
        "maxStrikeCount": 10,
    }
    assert await is_silent(two)
    (status, _) = await play_moves(game, one, two, "30-38")
    assert status["turn"] == 2


async def test_only_player_one_with_company_may_start(clients: Clients) -> None:
    """«Man kann ein Spiel nur starten, wenn man der erste Teilnehmer in einer Lobby ist.»"""
    one, two, _ = clients
    lobby = await one.create()
    await one.join(lobby)
    await one.say("StartGame", lobbyId=lobby)
    assert (await one.hear("Strike"))["strikeCount"] == 1
    await two.join(lobby)
    await one.hear("LobbyStatus")
    await two.say("StartGame", lobbyId=lobby)
    assert (await two.hear("Strike"))["strikeCount"] == 1
    await one.say("StartGame", lobbyId=UNKNOWN)
    assert (await one.hear("Strike"))["strikeCount"] == 2


async def test_the_tenth_strike_is_sent_and_then_the_connection_ends(
    server: Server, clients: Clients
) -> None:
    """«sobald dieser den zehnten Strike bekommen hat und nicht erst beim elften Strike»"""
    one, *_ = clients
    async with server.connect() as peer:
        two = await HexxagonClient.arrive(peer)
        await start_game(one, two)
        for _ in range(10):
            await two.peer.say(b"nonsense")
        await two.say("GetAvailableLobbies")  # after the last one: it is no longer heard
        counts = [(await two.hear("Strike"))["strikeCount"] for _ in range(10)]
        assert counts == list(range(1, 11))
        await two.peer.hear_end()
        assert close_code(peer.link) == 1008
    status = await one.hear("GameStatus")
    assert (status["playerTwoLeft"], status["isClosed"]) == (True, True)
    assert status["winner"] == one.id


@pytest.mark.parametrize("name", ["", "   ", "x" * 65, "tab\tstop", "\u0000", "\u200b"])
async def test_an_unusable_name_is_refused_without_a_strike(clients: Clients, name: str) -> None:
    one, *_ = clients
    await one.say("CreateNewLobby", lobbyName=name)
    refused = await one.hear("LobbyCreated")
    assert (refused["lobbyId"], refused["successfullyCreated"]) == (NIL, False)


@pytest.mark.parametrize("name", ["x" * 65, "tab\tstop", "\u0000", "\u200b"])
async def test_an_unusable_user_name_is_refused_without_a_strike(
    clients: Clients, name: str
) -> None:
    one, *_ = clients
    lobby = await one.create()
    await one.say("JoinLobby", lobbyId=lobby, userName=name)
    refused = await one.hear("LobbyJoined")
    assert (refused["lobbyId"], refused["successfullyJoined"]) == (lobby, False)
    await one.join(lobby)  # it can try again


@pytest.mark.parametrize(
    "name", ["x", " Max Mustermann ", "Ünïcödé ♞ 👩\u200d👩\u200d👧", "x" * 64]
)
async def test_any_readable_name_will_do(clients: Clients, name: str) -> None:
    """«einen frei wählbaren Benutzernamen»"""
    one, *_ = clients
    seen = await one.join(await one.create(name), name)
    assert (seen["lobbyName"], seen["playerOneUserName"]) == (name.strip(), name.strip())


@pytest.mark.parametrize("name", ["", "   ", "\n"])
async def test_who_has_chosen_no_name_is_given_one(clients: Clients, name: str) -> None:
    """«einen frei wählbaren Benutzernamen»: one public client sends an empty one."""
    one, two, _ = clients
    lobby = await one.create()
    await one.join(lobby, name)
    seen = await two.join(lobby, name)
    names = seen["playerOneUserName"], seen["playerTwoUserName"]
    assert names == ("Player 1", "Player 2")


async def test_a_name_that_is_given_is_nobody_elses(clients: Clients) -> None:
    one, two, _ = clients
    lobby = await one.create()
    await one.join(lobby, "Player 2")
    assert (await two.join(lobby, ""))["playerTwoUserName"] == "Player 3"


async def test_nothing_is_ever_null(clients: Clients) -> None:
    """Null attributes are omitted: several real clients crash on an explicit null."""
    one, two, _ = clients
    game = await start_game(one, two)
    await play_moves(game, one, two, "30-38 1-2")
    await two.say("LeaveGame", gameId=game)
    await one.hear("GameStatus")
    assert len(one.peer.frames) == 10
    assert not any(b"null" in frame for frame in one.peer.frames)


async def test_a_long_list_stays_readable_for_small_buffers() -> None:
    """C++ clients take 64000 bytes for a whole message, so a listing never gets longer."""
    async with (
        open_server("hexxagon", {"max_lobbies_per_client": 0}) as server,
        server.connect() as peer,
    ):
        one = await HexxagonClient.arrive(peer)
        for _ in range(150):
            await one.create("🏁" * 64)
        await one.say("CreateNewLobby", lobbyName="one too many")
        assert not (await one.hear("LobbyCreated"))["successfullyCreated"]
        assert len(await one.lobbies()) > 140
        assert len(peer.frames[-1]) < 64_000
