"""What an organiser can do, and what works without one; over real sockets."""

from pathlib import Path

import pytest
import trio

from games.qwirkle.configuration import BUILT_IN, save
from games.qwirkle.settings import Settings
from ludothek.contract.orders import Abort, Expel, File, Opening, OrderRefused, Start
from tests.games.qwirkle.party import (
    CALM,
    QUIET,
    Guest,
    client_of,
    connected,
    open_game,
    party,
    refusal,
    seat,
)
from tests.support.helpers import open_server

FOUR = Path(__file__).parents[4] / "config" / "qwirkle" / "four-players.json"

# Opening games


async def test_games_are_opened_with_name_file_and_settings(tmp_path: Path) -> None:
    async with open_server("qwirkle", QUIET) as server, connected(server, "Anna") as (anna,):
        save(BUILT_IN, tmp_path / "c.json")
        file = File("c.json", (tmp_path / "c.json").read_bytes())
        foyer = server.endpoint.hall.foyer
        opening = Opening(name="Finale", file=file, settings={"turnTime": 777})
        assert foyer.open_lobby(opening).key == "1"
        assert foyer.open_lobby(Opening()).key == "2"
        first, second = (await anna.ask(300, 301))["games"]
        assert (first["gameName"], first["config"]["turnTime"]) == ("Finale", 777)
        assert (second["gameName"], second["isTournament"]) == ("Spiel 2", False)


@pytest.mark.parametrize(
    ("opening", "complaint"),
    [
        (Opening(name=" "), "a game's name must not be empty"),
        (Opening(name="x" * 257), "a game's name must not be longer than 256 characters"),
        (Opening(file=File("my c.json", b"{")), "my c.json: not JSON"),
        (Opening(file=File("c.json", b"[]")), "c.json: expected a JSON object"),
        (Opening(file=File("c.json", b'{"turnTime": 0}')), "c.json: turnTime: must be from 1"),
        (Opening(settings={"turnTim": 5}), "did you mean 'turnTime'?"),
        (Opening(settings={"maxPlayerNumber": 1}), "must be 0"),
        (Opening(settings={"tileCount": "3"}), "expected a whole number"),
        (Opening(settings={"tournament": "no"}), "tournament: expected true or false"),
    ],
)
async def test_games_that_make_no_sense_are_not_opened(opening: Opening, complaint: str) -> None:
    async with open_server("qwirkle", QUIET) as server:
        with pytest.raises(OrderRefused) as refused:
            server.endpoint.hall.foyer.open_lobby(opening)
        assert complaint in str(refused.value)
        assert not server.endpoint.hall.lobbies


# Seating clients


async def test_nobody_is_seated_in_a_game_that_would_start_before() -> None:
    settings = {"start_players": 2, "configuration": str(FOUR)}
    names = ("Anna", "Bert", "Carla")
    async with open_server("qwirkle", settings) as server, connected(server, *names) as guests:
        lobby = server.endpoint.hall.lobbies["1"]
        assert "seats for 2 more players only" in refusal(server.endpoint, lobby, *guests)
        seat(server.endpoint, lobby, *guests[:2])
        for guest in guests[:2]:
            await guest.hear(303, 400, 408, 409)
        assert server.endpoint.hall.crashes == 0


async def test_clients_are_seated_all_or_none() -> None:
    async with (
        open_server("qwirkle", QUIET) as server,
        connected(server, "Anna", "Bert", "Carla") as (anna, bert, carla),
        connected(server, "Xaver", client_type="SPECTATOR") as (xaver,),
        server.connect() as stranger,
    ):
        small, other = (open_game(server.endpoint, maxPlayerNumber=2) for _ in range(2))
        assert "seats for 2" in refusal(server.endpoint, small, anna, bert, carla)
        assert "Beobachter" in refusal(server.endpoint, small, anna, xaver)
        await Guest(stranger, "").refused(900, 300)  # connected, but has not identified itself
        unknown = Guest(stranger, "", client_id=5)
        assert "client 5 has not said" in refusal(server.endpoint, small, anna, unknown)
        await anna.hears_nothing()
        await bert.ask(302, 303, gameId=1)
        seat(server.endpoint, small, anna, anna, bert)  # twice, and already there
        assert len((await anna.hear(303))["game"]["players"]) == 2
        await bert.hears_nothing()
        assert f"client {bert.client_id} is in a game" in refusal(server.endpoint, other, bert)
        assert "voll" in refusal(server.endpoint, small, carla)
        small.order(Start())
        assert "schon angefangen" in refusal(server.endpoint, small, carla)
        seat(server.endpoint, small, carla, xaver, spectator=True)
        await carla.hear(305)
        await xaver.hear(305)
        small.close()
        await carla.ask(300, 301)
        assert "does not exist any more" in refusal(server.endpoint, small, carla)


async def test_a_message_that_crosses_with_the_seat_is_heard_in_the_game() -> None:
    """The client speaks at the moment it is seated; nothing is lost or answered twice."""
    async with open_server("qwirkle", QUIET) as server, connected(server, "Anna") as (anna,):
        for number in range(1, 30):
            lobby = open_game(server.endpoint)
            await anna.say(417)
            for _ in range(number % 4):
                await trio.lowlevel.checkpoint()
            seat(server.endpoint, lobby, anna)
            answers = {(await anna.peer.hear())["uniqueId"] for _ in range(2)}
            assert answers in ({303, 920}, {303, 418})
            await anna.ask(405, 406)


async def test_a_client_that_is_gone_before_it_follows_its_seat_leaves_it() -> None:
    async with open_server("qwirkle", QUIET) as server, connected(server, "Anna", "Bert") as guests:
        anna, bert = guests
        lobby = open_game(server.endpoint)
        client = client_of(server.endpoint, anna)
        seat(server.endpoint, lobby, bert)
        await bert.hear(303)
        seat(server.endpoint, lobby, anna)
        client.close()
        assert (await bert.hear(406))["client"] == anna.info


async def test_an_expelled_client_is_in_the_lobby_and_can_be_seated_again() -> None:
    async with party(players=3, **CALM) as found:
        anna, bert, carla = found.players
        found.order(Expel(found.client(carla)))
        assert (await found.all_hear(406))["client"] == carla.info
        await carla.ask(300, 301)
        seat(found.endpoint, found.lobby, carla)
        await carla.hear(303)
        await found.start()
        found.order(Expel(found.client(anna)))
        await found.all_hear(406)
        await bert.hear(409)
        await anna.ask(300, 301)


async def test_a_client_kicked_from_the_server_leaves_its_game() -> None:
    async with party(players=2, **CALM) as found:
        await found.start()
        anna, bert = found.players
        found.client(anna).close()
        await anna.peer.hear_end()
        assert (await bert.hear(406, 401, 407))["client"] == bert.info


# Without an organiser


async def test_an_open_game_starts_when_it_is_full_and_another_one_opens() -> None:
    async with open_server("qwirkle") as server, connected(server, "Anna", "Bert") as (anna, bert):
        (game,) = (await anna.ask(300, 301))["games"]
        assert (game["gameId"], game["config"]["maxPlayerNumber"]) == (1, 2)
        await anna.ask(302, 303, gameId=1)
        await anna.hears_nothing()
        await bert.ask(302, 303, gameId=1)
        for guest in (anna, bert):
            await guest.hear(400, 408, 409)
        await bert.ask(405, 406)
        states = [game["gameState"] for game in (await bert.ask(300, 301))["games"]]
        assert states == ["ENDED", "NOT_STARTED"]


async def test_an_open_game_may_wait_for_the_organiser() -> None:
    async with (
        open_server("qwirkle", {"auto_start": False}) as server,
        connected(server, "Anna", "Bert") as (anna, bert),
    ):
        await anna.ask(302, 303, gameId=1)
        await bert.ask(302, 303, gameId=1)
        await bert.hears_nothing()
        lobby = server.endpoint.hall.lobbies["1"]
        lobby.order(Start())
        await bert.hear(400)


async def test_so_many_games_wait_as_are_set() -> None:
    async with (
        open_server("qwirkle", {"open_games": 3}) as server,
        connected(server, "Anna", "Bert") as (anna, bert),
    ):
        await anna.ask(302, 303, gameId=2)
        await bert.ask(302, 303, gameId=2)
        await bert.hear(400, 408, 409)
        await anna.hear(400, 408, 409)
        await anna.peer.link.aclose()
        await bert.hear(406, 401, 407)
        states = [game["gameState"] for game in (await bert.ask(300, 301))["games"]]
        assert sorted(states) == ["ENDED"] + ["NOT_STARTED"] * 3


async def test_no_more_games_wait_than_there_is_room_for() -> None:
    limits = {"max_lobbies": 2}
    async with (
        open_server("qwirkle", {"open_games": 3}, limits=limits) as server,
        connected(server, "Anna") as (anna,),
    ):
        assert await game_ids(anna) == [1, 2]
        server.endpoint.adopt(Settings(open_games=3))
        assert await game_ids(anna) == [3, 4]  # in place of the others


async def test_a_game_that_leaves_the_list_makes_room_for_one_that_waits() -> None:
    limits = {"max_lobbies": 1}
    async with (
        open_server("qwirkle", {"ended_games": 0}, limits=limits) as server,
        connected(server, "Anna", "Bert") as (anna, bert),
    ):
        for guest in (anna, bert):
            await guest.ask(302, 303, gameId=1)
        for guest in (anna, bert):
            await guest.hear(400, 408, 409)
        await bert.ask(405, 406)
        assert await game_ids(bert) == [2]


async def test_new_settings_are_for_the_open_games_that_nobody_has_joined() -> None:
    async with (
        open_server("qwirkle", {"open_games": 2}) as server,
        connected(server, "Anna", "Bert") as (anna, bert),
        connected(server, "Xaver", client_type="SPECTATOR") as (xaver,),
    ):
        await anna.ask(302, 303, gameId=1)
        await xaver.ask(304, 305, gameId=2)
        server.endpoint.adopt(Settings(open_games=2, configuration=str(FOUR)))
        await xaver.hear(402)
        games = (await bert.ask(300, 301))["games"]
        numbers = [(game["gameId"], game["config"]["maxPlayerNumber"]) for game in games]
        assert numbers == [(1, 2), (3, 4)]
        await anna.hears_nothing()


async def game_ids(guest: Guest) -> list[int]:
    return [game["gameId"] for game in (await guest.ask(300, 301))["games"]]


async def test_an_open_game_for_any_number_starts_with_as_many_as_are_set(tmp_path: Path) -> None:
    (tmp_path / "c.json").write_text('{"maxPlayerNumber": 0}')
    settings = {"configuration": str(tmp_path / "c.json"), "start_players": 3}
    async with (
        open_server("qwirkle", settings) as server,
        connected(server, "Anna", "Bert", "Carla") as guests,
    ):
        for guest in guests:
            await guest.ask(302, 303, gameId=1)
        assert len((await guests[0].hear(400))["clients"]) == 3


async def test_players_may_be_seated_as_they_come() -> None:
    """For the known bots, which wait until somebody puts them into a game."""
    async with (
        open_server("qwirkle", {"seat_arrivals": True}) as server,
        connected(server, "Xaver", client_type="SPECTATOR") as (xaver,),
        connected(server, "Anna", "Bert", "Carla") as (anna, bert, carla),
    ):
        for guest in (anna, bert):
            assert (await guest.hear(303))["game"]["gameId"] == 1
            await guest.hear(400, 408, 409)
        assert (await carla.hear(303))["game"]["gameId"] == 2
        await xaver.hears_nothing()


async def test_only_the_last_ended_games_are_kept() -> None:
    async with open_server("qwirkle", QUIET | {"ended_games": 2}) as server:
        lobbies = [open_game(server.endpoint) for _ in range(4)]
        for lobby in lobbies:
            lobby.order(Abort())
        async with connected(server, "Anna") as (anna,):
            games = (await anna.ask(300, 301))["games"]
            assert [game["gameId"] for game in games] == [3, 4]
