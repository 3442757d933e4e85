"""The LMU protocol 2.0 over real sockets, sentence by sentence: connection, lobby, chat, errors."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from typing import Any

import orjson
import pytest
import trio

from tests.games.roborally.client import RoboRallyClient
from tests.support.helpers import Server, open_server

HINT = "Whoops. That did not work. Try to adjust something."


@pytest.fixture
async def server() -> AsyncIterator[Server]:
    async with open_server("roborally") as server:
        yield server


@pytest.fixture
async def clients(server: Server) -> AsyncIterator[list[RoboRallyClient]]:
    async with AsyncExitStack() as stack:
        peers = [await stack.enter_async_context(server.connect()) for _ in range(3)]
        yield [await RoboRallyClient.arrive(peer) for peer in peers]


Clients = list[RoboRallyClient]


async def hear_all(clients: Clients, message_type: str) -> list[Any]:
    return [await client.hear(message_type) for client in clients]


# 1 Grundlagen


async def test_messages_are_objects_with_type_and_body_one_per_line(server: Server) -> None:
    """«Ein Objekt darf dabei stets nur eine Nachricht enthalten»"""
    async with await trio.open_tcp_stream("127.0.0.1", server.port) as stream:
        with trio.fail_after(60):
            data = await stream.receive_some()
        expected = b'{"messageType":"HelloClient","messageBody":{"protocol":"Version 2.0"}}\n'
        assert data == expected


async def test_text_is_utf_8(clients: Clients) -> None:
    """«Als Zeichensatz wird hierfür UTF-8 verwendet»"""
    ann, bob, _ = clients
    await ann.say("PlayerValues", name="Jürgen 🤖", figure=1)
    assert (await bob.hear("PlayerAdded"))["name"] == "Jürgen 🤖"
    assert "Jürgen 🤖".encode() in bob.peer.frames[-1]


async def test_objects_are_understood_however_they_are_laid_out(clients: Clients) -> None:
    """«Die Daten werden über TCP als JSON-Objekte übertragen.»"""
    ann = clients[0]
    message = {"messageType": "PlayerValues", "messageBody": {"name": "Nr. 5", "figure": 5}}
    pretty = orjson.dumps(message, option=orjson.OPT_INDENT_2)
    status = orjson.dumps({"messageType": "SetStatus", "messageBody": {"ready": True}})
    await ann.peer.say(pretty + status + status + b"\r")
    await ann.hear("PlayerAdded")
    await ann.hear("PlayerStatus")
    await ann.hear("PlayerStatus")


# 2 Verbindungsaufbau


async def test_the_server_speaks_first_and_tells_its_version(server: Server) -> None:
    """«Nach dem Aufbau der TCP-Verbindung sendet der Server seine Protokollversion»"""
    async with server.connect() as peer:
        assert await RoboRallyClient(peer).hear("HelloClient") == {"protocol": "Version 2.0"}


@pytest.mark.parametrize("version", ["Version 1.0", "Version 2.1", "2.0", ""])
async def test_another_version_ends_the_connection(server: Server, version: str) -> None:
    """«Sollte der Server die Protokollversion der Gruppe nicht unterstützen, so ist die
    Verbindung abzubrechen.»"""
    async with server.connect() as peer:
        client = RoboRallyClient(peer)
        await client.hear("HelloClient")
        await client.say("HelloServer", group="TolleTrolle", isAI=False, protocol=version)
        assert await client.hear("Error") == {"error": "This server speaks Version 2.0 only."}
        await peer.hear_end()


async def test_ids_are_positive_and_unique(clients: Clients) -> None:
    """«Diese sollte im positiven Bereich liegen und muss natürlich einzigartig sein.»"""
    ids = [client.id for client in clients]
    assert min(ids) > 0
    assert len(set(ids)) == len(ids)


@pytest.mark.parametrize(
    "early",
    [
        b'{"messageType":"PlayerValues","messageBody":{"name":"A","figure":1}}',
        b'{"messageType":"SendChat","messageBody":{"message":"A","to":-1}}',
        b'{"messageType":"HelloServer","messageBody":{"group":"A","isAI":"no"}}',
        b'{"messageType":"HelloServer"}',
        b"hello",
    ],
)
async def test_nothing_works_before_hello_server_but_the_connection_stays(
    server: Server, early: bytes
) -> None:
    """«Anschließend antwortet der Client mit Informationen zu seiner benutzten
    Protokollversion»"""
    async with server.connect() as peer:
        client = RoboRallyClient(peer)
        await client.hear("HelloClient")
        await peer.say(early)
        await client.hear("Error")
        await client.say("HelloServer", group="A", isAI=True, protocol="Version 2.0")
        await client.hear("Welcome")


async def test_a_second_hello_is_an_error(clients: Clients) -> None:
    ann = clients[0]
    await ann.say("HelloServer", group="A", isAI=True, protocol="Version 2.0")
    await ann.hear("Error")


async def test_who_says_nothing_is_sent_away() -> None:
    async with (
        open_server("roborally", {"greeting_seconds": 0.05}) as server,
        server.connect() as peer,
    ):
        await RoboRallyClient(peer).hear("HelloClient")
        await peer.hear_end()


# 3 Lobby


async def test_valid_values_are_confirmed_to_all_connected_clients(clients: Clients) -> None:
    """«Valide Wünsche werden für alle verbundenen Clients sichtbar bestätigt.»"""
    await clients[0].say("PlayerValues", name="Nr. 5", figure=5)
    added = {"playerID": clients[0].id, "name": "Nr. 5", "figure": 5}
    assert await hear_all(clients, "PlayerAdded") == [added] * 3


@pytest.mark.parametrize(("name", "figure"), [("Nr. 5", 1), ("Nr. 1", 5)])
async def test_a_taken_name_or_figure_is_an_error(clients: Clients, name: str, figure: int) -> None:
    """«Ein bereits vergebener Name oder eine vergebene Figur sollen […] quittiert werden.»"""
    ann, bob, _ = clients
    await ann.register("Nr. 5", 5)
    await bob.say("PlayerValues", name=name, figure=figure)
    await bob.hear("PlayerAdded")
    await bob.hear("Error")
    await bob.say("PlayerValues", name="Nr. 1", figure=1)
    await bob.hear("PlayerAdded")


async def test_late_comers_are_told_of_players_and_their_status(
    server: Server, clients: Clients
) -> None:
    """«Bedenken Sie, dass neu hinzukommende Clients auch nachträglich über bereits vorhandene
    Spieler informiert werden müssen.» «Auch diesen Status müssen neu verbindende Clients
    empfangen.»"""
    ann, bob, _ = clients
    await ann.register("Ann", 1)
    await bob.register("Bob", 2)
    await ann.say("SetStatus", ready=True)
    await ann.hear_until("PlayerStatus")
    async with server.connect() as peer:
        late = await RoboRallyClient.arrive(peer)
        assert await late.hear("PlayerAdded") == {"playerID": ann.id, "name": "Ann", "figure": 1}
        assert await late.hear("PlayerAdded") == {"playerID": bob.id, "name": "Bob", "figure": 2}
        assert await late.hear("PlayerStatus") == {"playerID": ann.id, "ready": True}
        assert await late.hear("PlayerStatus") == {"playerID": bob.id, "ready": False}


async def test_a_status_is_told_to_all_and_can_be_withdrawn(clients: Clients) -> None:
    """«Diese Meinung kann er via Boolean aber auch zurückziehen!»"""
    ann = clients[0]
    await ann.say("PlayerValues", name="Ann", figure=1)
    await hear_all(clients, "PlayerAdded")
    for ready in (True, False):
        await ann.say("SetStatus", ready=ready)
        status = {"playerID": ann.id, "ready": ready}
        assert await hear_all(clients, "PlayerStatus") == [status] * 3


async def test_nobody_is_ready_without_values(clients: Clients) -> None:
    """«Sobald ein Spieler seine Auswahl erfolgreich getroffen hat, kann er dem Server
    signalisieren bereit zu sein.»"""
    await clients[0].say("SetStatus", ready=True)
    await clients[0].hear("Error")


async def test_the_map_is_sent_when_all_players_are_ready(clients: Clients) -> None:
    """«Sind alle Spieler bereit (mind. 2!), erstellt der Server die Karte und teilt diese den
    Anderen mit.» «Leere Felder […]» «x0,y0 ist also link-unten.»"""
    ann, bob, _ = clients
    await ann.register("Ann", 1)
    await ann.say("SetStatus", ready=True)
    await bob.register("Bob", 2)
    await bob.say("SetStatus", ready=True)
    columns = (await bob.hear_until("GameStarted"))["gameMap"]
    assert (len(columns), {len(column) for column in columns}) == (13, {10})
    assert columns[0][5] == [{"type": "Antenna", "orientations": ["right"]}]
    assert columns[12][6] == [{"type": "CheckPoint", "count": 1}]
    assert columns[8][6] == [
        {"type": "Wall", "orientations": ["left"]},
        {"type": "Laser", "orientations": ["right"], "count": 1},
    ]


# 4 Chatnachrichten


async def test_private_chat_goes_to_the_right_player_only(clients: Clients) -> None:
    """«Der Server steht in der Pflicht, diese Nachricht nur dem richtigen Spieler zu
    schicken.»"""
    for n, client in enumerate(clients, 1):
        await client.say("PlayerValues", name=f"Nr. {n}", figure=n)
        await hear_all(clients, "PlayerAdded")
    ann, bob, cid = clients
    await ann.say("SendChat", message="Yoh, Bob!", to=bob.id)
    chat = {"message": "Yoh, Bob!", "from": ann.id, "isPrivate": True}
    assert await bob.hear("ReceivedChat") == chat
    await ann.say("SendChat", message="Hi all!", to=-1)
    for client in (ann, cid):  # nothing but the public one
        public = {"message": "Hi all!", "from": ann.id, "isPrivate": False}
        assert await client.hear("ReceivedChat") == public


async def test_chat_with_an_unknown_id_is_an_error(clients: Clients) -> None:
    await clients[0].register("Ann", 1)
    await clients[0].say("SendChat", message="Hello?", to=4711)
    assert "came 4711" in (await clients[0].hear("Error"))["error"]


# 5 Besondere Nachrichten

WRONG = [
    b"null",
    b"[]",
    b"{}",
    b'{"messageType":"PlayCard"}',
    b'{"messageType":"Dance","messageBody":{}}',
    b'{"messageType":"PlayCard","messageBody":{"card":"MoveI"}}',
    b'{"messageType":"Welcome","messageBody":{"playerID":1}}',
    b'{"messageType":"SetStatus","messageBody":{"ready":null}}',
    b'{"messageType":"SelectedCard","messageBody":{"card":"MoveI"}}',
    b"\xff\xfe",
    b"[" * 5000,
]


@pytest.mark.parametrize(("detailed", "hints"), [(True, False), (False, True)])
async def test_errors_are_told_in_detail_or_as_a_hint_and_the_connection_stays(
    detailed: bool, hints: bool
) -> None:
    """«Dies geschieht, je nach Servereinstellung, mit detaillierter Beschreibung oder nur als
    Hinweis.»"""
    settings = {"detailed_errors": detailed}
    async with open_server("roborally", settings) as server, server.connect() as peer:
        client = await RoboRallyClient.arrive(peer)
        for frame in WRONG:
            await peer.say(frame)
            error = (await client.hear("Error"))["error"]
            assert (error == HINT) == hints
        await client.register("Still here", 1)


async def test_a_message_can_be_sent_again_after_an_error(clients: Clients) -> None:
    """«Im Allgemeinen verlangt ein Übertragungsfehler nach einem erneuten Senden der
    fehlerhaften Mitteilung.»"""
    ann = clients[0]
    await ann.peer.say(b'{"messageType":"PlayerValues","messageBody":{"name":"An')
    await ann.hear("Error")
    await ann.register("Ann", 1)


async def test_a_message_without_end_is_told_and_skipped(clients: Clients) -> None:
    ann = clients[0]
    await ann.peer.say(b'{"messageType":"SendChat","messageBody":{"message":"' + b"x" * 200_000)
    assert "longer than 65536 bytes" in (await ann.hear("Error"))["error"]
    await ann.register("Ann", 1)


async def test_who_is_lost_in_the_lobby_is_removed(server: Server, clients: Clients) -> None:
    """«Dies soll den Anderen natürlich mitgeteilt werden.»"""
    async with server.connect() as peer:
        late = await RoboRallyClient.arrive(peer)
        await late.register("Late", 1)
        await hear_all(clients, "PlayerAdded")
    update = {"playerID": late.id, "isConnected": False, "action": "Remove"}
    assert await hear_all(clients, "ConnectionUpdate") == [update] * 3


async def test_a_running_game_is_closed_to_others(server: Server, clients: Clients) -> None:
    ann, bob, _ = clients
    for n, client in enumerate((ann, bob), 1):
        await client.register(f"Nr. {n}", n)
    for client in (ann, bob):
        await client.say("SetStatus", ready=True)
    await ann.hear_until("CurrentPlayer")
    async with server.connect() as peer:
        late = RoboRallyClient(peer)
        await late.hear("HelloClient")
        await late.say("HelloServer", group="Late", isAI=False, protocol="Version 2.0")
        await late.hear("Error")
        await peer.hear_end()


async def test_the_end_of_the_server_is_told(server: Server, clients: Clients) -> None:
    server.endpoint.close()
    for client in clients:
        assert await client.hear("Error") == {"error": "The server is shutting down."}
        await client.peer.hear_end()


async def test_a_crashed_lobby_is_told_and_replaced(server: Server, clients: Clients) -> None:
    (lobby,) = server.endpoint.hall.lobbies.values()
    lobby.table._settings = None  # type: ignore[attr-defined]
    await clients[0].say("SetStatus", ready=True)
    for client in clients:
        await client.hear("Error")
        await client.peer.hear_end()
    async with server.connect() as peer:
        await RoboRallyClient.arrive(peer)
