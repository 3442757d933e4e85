"""How a flooding client is disconnected: in the words of its protocol, and what its match does."""

import json
import re

import pytest
import trio
from trio.testing import MockClock

from tests.attacks.arena import Stranger, open_arena
from tests.games.penguins.scene import XmlPeer, call, entries, join_two
from tests.games.quidditch.clients import QuidditchClient, start_match
from tests.games.qwirkle.party import CALM, QUIET, party
from tests.games.roborally.client import RoboRallyClient
from tests.support.helpers import Peer
from tests.support.hexxagon import HexxagonClient, start_game

LEFT = "Der Spieler hat das Spiel verlassen: "


async def flood_and_listen(stranger: Stranger) -> str:
    """Ask far too much; returns the last text that the server sends."""
    async with trio.open_nursery() as nursery:
        nursery.start_soon(stranger.pour, stranger.question * 500)
        await stranger.gone()
        nursery.cancel_scope.cancel()
    return stranger.heard.decode("utf-8", "replace")


async def test_hexxagon_gives_the_last_strike(autojump_clock: MockClock) -> None:
    """«dann trennt der Server die Verbindung zum Client, sobald dieser den zehnten Strike bekommen
    hat und nicht erst beim elften Strike»"""
    async with open_arena("hexxagon") as arena, arena.arrive() as stranger:
        heard = await flood_and_listen(stranger)
        (strike,) = re.findall(r'\{"messageType":"Strike"[^}]*\}', heard)
        assert (json.loads(strike)["strikeCount"], json.loads(strike)["maxStrikeCount"]) == (10, 10)
        assert (1008).to_bytes(2, "big") in stranger.heard.partition(strike.encode())[2]


async def test_penguins_sends_an_error_and_ends_its_document(autojump_clock: MockClock) -> None:
    async with open_arena("penguins") as arena, arena.arrive() as stranger:
        heard = await flood_and_listen(stranger)
        assert heard.endswith(
            '\n  <errorpacket message="sc.api.plugins.exceptions.RescuableClientException: '
            'Disconnected: too many messages">\n    <originalRequest class="join"/>\n'
            "  </errorpacket>\n</protocol>"
        )


async def test_quidditch_has_some_reason(autojump_clock: MockClock) -> None:
    """«server has some reason to kick you (but case is undefined)»"""
    async with open_arena("quidditch") as arena, arena.arrive() as stranger:
        heard = await flood_and_listen(stranger)
        (error,) = re.findall(r'\{"timestamp":"[^"]*","payloadType":"privateError".*?\}\}', heard)
        assert json.loads(error)["payload"] == {
            "code": 200,
            "information": "Error: server has some reason to kick you (but case is undefined): "
            "too many messages",
            "triggerMatchFinish": False,
        }
        assert (1008).to_bytes(2, "big") in stranger.heard.partition(error.encode())[2]


async def test_qwirkle_does_not_allow_it(autojump_clock: MockClock) -> None:
    """«Ein Fehler enthält eine Nachricht, die Id der Nachricht die den Fehler hervorruft und ist
    genau einer der drei Typen»"""
    async with open_arena("qwirkle") as arena, arena.arrive() as stranger:
        last = json.loads((await flood_and_listen(stranger)).splitlines()[-1])
        assert last == {
            "message": "Verbindung getrennt: too many messages.",
            "causeId": 0,
            "uniqueId": 920,
        }


async def test_roborally_tells_of_an_error(autojump_clock: MockClock) -> None:
    """«soll der Server den Clienten entsprechend informieren»"""
    async with open_arena("roborally") as arena, arena.arrive() as stranger:
        last = json.loads((await flood_and_listen(stranger)).splitlines()[-1])
        assert last == {
            "messageType": "Error",
            "messageBody": {"error": "Disconnected: too many messages."},
        }


# Its own match reacts as if it had hung up


async def test_a_hexxagon_player_who_floods_has_left_the_game(autojump_clock: MockClock) -> None:
    """«Ein Spieler (Client) hat die Verbindung geschlossen»"""
    async with (
        open_arena("hexxagon") as arena,
        arena.server.connect() as first,
        arena.server.connect() as second,
    ):
        one, two = [await HexxagonClient.arrive(peer) for peer in (first, second)]
        await start_game(one, two)
        question = b'{"messageType":"GetAvailableLobbies","userId":"%b"}' % two.id.encode()
        await _flood(second, question)
        end = await one.hear("GameStatus")
        assert (end["playerTwoLeft"], end["winner"], end["isClosed"]) == (True, one.id, True)


async def test_a_penguins_player_who_floods_has_left_the_game(autojump_clock: MockClock) -> None:
    async with (
        open_arena("penguins") as arena,
        call(arena.server) as one,
        call(arena.server) as two,
    ):
        await join_two(one, two)
        await _pour(two, '<joinRoom roomId="x"/>' * 5000)
        assert entries(await one.hear_result())[1][:2] == ("LEFT", f"{LEFT}LOST_CONNECTION")


async def _pour(peer: XmlPeer, text: str) -> None:
    with pytest.raises(trio.BrokenResourceError):  # noqa: PT012
        while True:
            await peer.say(text)


async def _flood(peer: Peer, message: bytes) -> None:
    with pytest.raises((trio.EndOfChannel, trio.BrokenResourceError)):  # noqa: PT012
        for _ in range(5000):
            await peer.link.send(message)
        while True:
            await peer.link.receive()


async def test_a_quidditch_player_who_floods_and_stays_away_has_lost(
    autojump_clock: MockClock,
) -> None:
    """«violationOfProtocol»: it has a minute to come back, as after any other lost connection."""
    async with (
        open_arena("quidditch") as arena,
        arena.server.connect() as first,
        arena.server.connect() as second,
    ):
        one, two = [
            await QuidditchClient.login(peer, name)
            for peer, name in ((first, "harry"), (second, "draco"))
        ]
        await start_match(one, two)
        await _flood(second, b'{"payloadType":"sendDebug","payload":{"information":""}}')
        end = await one.hear_until("matchFinish")
        assert (end["winnerUserName"], end["victoryReason"]) == ("harry", "violationOfProtocol")


async def test_a_qwirkle_player_who_floods_has_left_the_game(autojump_clock: MockClock) -> None:
    """«LeavingPlayer (406)»"""
    async with party(3, settings=QUIET, **CALM) as found:
        await found.start()
        await _flood(found.players[2].peer, b'{"uniqueId":417}')
        left = await found.players[0].hear(406)
        assert left["client"]["clientId"] == found.players[2].client_id


async def test_a_roborally_player_who_floods_is_removed(autojump_clock: MockClock) -> None:
    """«ConnectionUpdate»"""
    async with open_arena("roborally") as arena, arena.server.connect() as first:
        ann = await RoboRallyClient.arrive(first)
        async with arena.server.connect() as second:
            bob = await RoboRallyClient.arrive(second)
            await bob.register("Bob", 2)
            await _flood(second, b'{"messageType":"Boink","messageBody":{}}')
            update = await ann.hear_until("ConnectionUpdate")
            assert (update["playerID"], update["isConnected"]) == (bob.id, False)
