"""Qwirkle over real sockets: connecting, joining, chatting."""

from tests.games.qwirkle.party import CALM, QUIET, Guest, connected, open_game, party, seat
from tests.support.helpers import open_server

# 4.1 Verbindung


async def test_connecting_gives_an_id_and_a_second_time_is_refused() -> None:
    """Erhält der Client daraufhin ein ConnectAccepted (101), hat sich der Client erfolgreich
    verbunden. […] ein NotAllowed (920). Das kann auftreten, wenn der Client bereits verbunden ist.
    """
    async with open_server("qwirkle", QUIET) as server, connected(server, "A", "A") as (one, two):
        assert (one.client_id, two.client_id) == (1, 2)
        await one.refused(920, 100, clientName="B", clientType="PLAYER")
        await one.ask(300, 301)


async def test_a_lost_session_is_not_restored() -> None:
    """Ein Wiederherstellen dieser Sitzung ist nicht möglich."""
    async with open_server("qwirkle", QUIET) as server:
        async with connected(server, "Anna") as (before,):
            pass
        async with connected(server, "Anna") as (after,):
            assert after.client_id != before.client_id


async def test_the_empty_server_lists_no_games() -> None:
    """Vector 55."""
    async with open_server("qwirkle", QUIET) as server, connected(server, "Anna") as (anna,):
        assert await anna.ask(300, 301) == {"games": [], "uniqueId": 301}


async def test_errors_leave_the_connection_usable() -> None:
    """Vector 49."""
    async with open_server("qwirkle", QUIET) as server, server.connect() as peer:
        guest = Guest(peer, "Anna")
        await guest.refused(900, 414, tiles=[])
        for line, cause in ((b"{}", 0), (b"garbage", 0), (b'{"uniqueId":999}', 999)):
            await guest.say_line(line)
            assert (await guest.hear(910))["causeId"] == cause
        await guest.connect()
        await guest.refused(910, 101, clientId=7)
        await guest.say_line(b"garbage")
        assert (await guest.hear(910))["causeId"] == 0
        await guest.ask(300, 301)


# 4.2 Einem Spiel beitreten & Ingame Chat


async def test_joining_shows_the_game_with_the_new_player() -> None:
    """Erhält der Spieler danach ein GameJoinAccepted (303) […] ist er erfolgreich dem Spiel
    beigetreten.
    """
    async with open_server("qwirkle", QUIET) as server, connected(server, "Anna", "Bert") as guests:
        anna, bert = guests
        open_game(server.endpoint, "Runde", maxPlayerNumber=3)
        (game,) = (await anna.ask(300, 301))["games"]
        assert (game["gameId"], game["gameName"], game["players"]) == (1, "Runde", [])
        assert (await anna.ask(302, 303, gameId=1))["game"]["players"] == [anna.info]
        joined = (await bert.ask(302, 303, gameId=1))["game"]
        assert joined["players"] == [anna.info, bert.info]
        assert joined["gameState"] == "NOT_STARTED"
        await anna.hears_nothing()


async def test_a_game_that_cannot_be_joined_can_be_watched() -> None:
    """Vector 48."""
    async with (
        party(players=2, maxPlayerNumber=2, **CALM) as found,
        connected(found.server, "Carla") as (carla,),
        connected(found.server, "Xaver", client_type="SPECTATOR") as (xaver,),
    ):
        await carla.refused(920, 302, gameId=1)  # full
        await xaver.refused(900, 302, gameId=1)
        await found.start()
        await carla.refused(920, 302, gameId=1)  # started
        await carla.ask(304, 305, gameId=1)
        await xaver.ask(304, 305, gameId=1)


async def test_the_organiser_may_seat_a_client_that_did_not_ask() -> None:
    """Wenn ein Client ein JoinAccepted erhält, ohne ein JoinRequest verschickt zu haben, wurde der
    Client vom Server zu einem Spiel hinzugefügt.
    """
    async with open_server("qwirkle", QUIET) as server, connected(server, "Anna", "Bert") as guests:
        anna, bert = guests
        lobby = open_game(server.endpoint)
        seat(server.endpoint, lobby, anna)
        seat(server.endpoint, lobby, bert, spectator=True)
        assert (await anna.hear(303))["game"]["players"] == [anna.info]
        assert (await bert.hear(305))["game"]["players"] == [anna.info]


async def test_players_speak_to_all_and_spectators_to_spectators() -> None:
    """Client ist Spieler in einem Spiel. Server sendet MessageSignal (307) an alle Spieler und
    Beobachter in diesem Spiel. Client ist Beobachter in einem Spiel. Server sendet MessageSignal
    (307) an alle Beobachter in diesem Spiel. (Vector 50.)
    """
    async with party(players=2, spectators=2) as found:
        anna, bert = found.players
        xaver, _ = found.spectators
        await anna.say(306, message="Hallo")
        assert (await found.all_hear(307)) == {
            "message": "Hallo",
            "client": anna.info,
            "uniqueId": 307,
        }
        await xaver.say(306, message="psst")
        for spectator in found.spectators:
            heard = await spectator.hear(307)
            assert heard["client"] == xaver.info | {"clientType": "SPECTATOR"}
        await anna.hears_nothing()
        await bert.hears_nothing()


async def test_a_player_who_watches_is_a_spectator_until_it_leaves() -> None:
    """Ein Player oder EnginePlayer bleibt bis zum Ende des Games ein Beobachter."""
    async with party(players=2) as found, connected(found.server, "Carla") as (carla,):
        await carla.ask(304, 305, gameId=1)
        chat = await carla.ask(306, 307, message="psst")
        assert chat["client"]["clientType"] == "SPECTATOR"
        await carla.ask(423, 424)
        await carla.refused(920, 302, gameId=1)
        await carla.ask(405, 406)
        assert (await carla.ask(302, 303, gameId=1))["game"]["players"][2] == carla.info
