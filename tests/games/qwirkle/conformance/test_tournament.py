"""Knock-out tournaments, run to the end by the server."""

from typing import Any

import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from ludothek.contract.orders import Abort, Expel, Opening, OrderRefused, Pause, Resume, Start
from ludothek.runtime.lobby import Lobby
from tests.games.qwirkle.party import QUIET, Guest, client_of, connected, refusal, seat
from tests.support.helpers import Fair, Server, open_fair, open_server

QUICK: dict[str, Any] = {"turnTime": 600_000, "timeVisualization": 0, "maxPlayerNumber": 0}


def open_tournament(server: Server | Fair, *guests: Guest, **config: Any) -> Lobby:
    settings = {**QUICK, **config, "tournament": True}
    lobby = server.endpoint.hall.foyer.open_lobby(Opening(name="Cup", settings=settings))
    seat(server.endpoint, lobby, *guests)
    return lobby


async def test_a_tournament_is_played_to_the_end() -> None:
    """Five participants: a game of two and one of three, then the final. The first player of each
    game gives up whenever it is his turn, so it is known who wins.
    """
    names = ("Anna", "Bert", "Carla", "Dora", "Emil")
    async with (
        open_server("qwirkle", QUIET) as server,
        connected(server, *names) as guests,
        connected(server, "Xaver", client_type="SPECTATOR") as (xaver,),
    ):
        anna, bert, carla, dora, emil = guests
        cup = open_tournament(server, *guests)
        await anna.hears_nothing()  # clients hear nothing of a tournament that has not started
        assert (await xaver.ask(300, 301))["games"] == []
        cup.order(Start())
        for guest in guests:
            game = (await guest.hear(303))["game"]
            assert game["isTournament"] is True
            await guest.hear(400, 408, 409)
        games = (await xaver.ask(300, 301))["games"]
        assert [game["gameName"] for game in games] == ["Cup, Spiel 1", "Cup, Spiel 2"]
        assert [len(game["players"]) for game in games] == [2, 3]
        await anna.say(405)
        await anna.hear(406)
        await bert.hear(406, 401, 407)
        await bert.hears_nothing()  # the next round waits for the other game
        await carla.peer.link.aclose()
        await dora.hear(406, 409)
        await dora.ask(405, 406)
        await emil.hear(406, 409, 406, 401, 407)
        for guest in (bert, emil):
            final = (await guest.hear(303))["game"]
            assert (final["gameName"], final["isTournament"]) == ("Cup, Spiel 3", True)
            await guest.hear(400, 408, 409)
        await dora.refused(920, 302, gameId=final["gameId"])
        await bert.ask(405, 406)
        assert (await emil.hear(406, 401, 407))["client"] == emil.info
        await emil.hears_nothing()
        assert cup.table.summary.state == "ENDED"
        assert cup.table.summary.facts["winner"] == emil.client_id
        assert cup.table.summary.facts["round"] == 2


async def test_nobody_joins_a_tournament_s_game_unasked() -> None:
    async with (
        open_server("qwirkle", QUIET) as server,
        connected(server, "Anna", "Bert", "Carla") as (anna, bert, carla),
    ):
        cup = open_tournament(server, anna, bert)
        cup.order(Start())
        (game,) = (await carla.ask(300, 301))["games"]
        await carla.refused(920, 302, gameId=game["gameId"])
        await carla.refused(920, 302, gameId=int(cup.key))
        await carla.refused(920, 304, gameId=int(cup.key))
        await carla.ask(304, 305, gameId=game["gameId"])


async def test_who_cannot_play_three_together_lets_one_through() -> None:
    async with (
        open_server("qwirkle", QUIET) as server,
        connected(server, "Anna", "Bert", "Carla") as (anna, bert, carla),
    ):
        cup = open_tournament(server, anna, bert, carla, maxPlayerNumber=2)
        cup.order(Start())
        await anna.hear(303, 400, 408, 409)
        await carla.hears_nothing()
        await anna.ask(405, 406)
        await bert.hear(303, 400, 408, 409, 406, 401, 407, 303)
        start = await carla.hear(303, 400)
        assert [client["clientName"] for client in start["clients"]] == ["Carla", "Bert"]


async def test_a_tournament_can_be_paused_and_aborted() -> None:
    async with (
        open_server("qwirkle", QUIET) as server,
        connected(server, "Anna", "Bert", "Carla", "Dora") as guests,
    ):
        cup = open_tournament(server, *guests)
        cup.order(Start())
        for guest in guests:
            await guest.hear(303, 400, 408, 409)
        cup.order(Pause())
        for guest in guests:
            await guest.hear(403)
        cup.order(Resume())
        cup.order(Abort(client_of(server.endpoint, guests[3])))
        for guest in guests:
            await guest.hear(404, 402, 407)
            await guest.hears_nothing()
        assert cup.table.summary.facts["winner"] == guests[3].client_id
        with pytest.raises(OrderRefused):
            cup.order(Start())


async def test_a_tournament_pauses_the_games_that_are_not_paused_yet() -> None:
    async with (
        open_server("qwirkle", QUIET) as server,
        connected(server, "Anna", "Bert", "Carla", "Dora") as guests,
    ):
        anna, _, carla, _ = guests
        cup = open_tournament(server, *guests)
        cup.order(Start())
        for guest in guests:
            await guest.hear(303, 400, 408, 409)
        first, second = (server.endpoint.hall.lobbies[str(n)] for n in (2, 3))
        first.order(Pause())
        cup.order(Pause())
        for guest in guests:
            await guest.hear(403)
            await guest.hears_nothing()
        with pytest.raises(OrderRefused, match="no game of this tournament"):
            cup.order(Pause())
        second.order(Resume())
        await carla.hear(404)
        cup.order(Resume())
        await anna.hear(404)
        await carla.hears_nothing()


async def test_a_tournament_refuses_what_makes_no_sense() -> None:
    async with (
        open_server("qwirkle", QUIET) as server,
        connected(server, "Anna", "Bert") as (anna, bert),
        connected(server, "Xaver", client_type="SPECTATOR") as (xaver,),
    ):
        cup = open_tournament(server, anna)
        with pytest.raises(OrderRefused, match="at least two participants"):
            cup.order(Start())
        assert "is a spectator" in refusal(server.endpoint, cup, xaver)
        assert "no spectators" in refusal(server.endpoint, cup, bert, spectator=True)
        with pytest.raises(OrderRefused, match="must be a participant"):
            cup.order(Abort(client_of(server.endpoint, bert)))
        with pytest.raises(OrderRefused, match="no game of this tournament"):
            cup.order(Pause())
        with pytest.raises(OrderRefused, match="its games may"):
            cup.order(Expel(client_of(server.endpoint, anna)))
        seat(server.endpoint, cup, bert)
        cup.order(Start())
        await anna.hear(303)
        assert "is in a game" in refusal(server.endpoint, cup, bert)
        with pytest.raises(OrderRefused, match="started already"):
            cup.order(Start())


async def test_who_goes_between_two_rounds_is_out(autojump_clock: MockClock) -> None:
    async with (
        open_fair("qwirkle", settings=QUIET) as fair,
        connected(fair, "Anna", "Bert", "Carla", "Dora") as (anna, bert, carla, dora),
    ):
        cup = open_tournament(fair, anna, bert, carla, dora, timeVisualization=5_000)
        cup.order(Start())
        for loser in (anna, carla):
            await loser.hear(303, 400, 408, 409)
            await loser.ask(405, 406)
        await bert.peer.link.aclose()
        await trio.sleep(10)
        facts = cup.table.summary.facts
        assert (facts["winner"], facts["round"]) == (dora.client_id, 1)


async def test_who_hangs_up_after_the_final_has_still_won(autojump_clock: MockClock) -> None:
    async with (
        open_fair("qwirkle", settings=QUIET | {"ended_seconds": 100}) as fair,
        connected(fair, "Anna", "Bert") as (anna, bert),
    ):
        cup = open_tournament(fair, anna, bert, timeVisualization=5_000)
        cup.order(Start())
        for guest in (anna, bert):
            await guest.peer.link.aclose()
            await wait_all_tasks_blocked()
        await trio.sleep(10)
        facts = cup.table.summary.facts
        assert (cup.table.summary.state, facts["winner"]) == ("ENDED", bert.client_id)
        await trio.sleep(100)
        assert not cup.open


async def test_a_tournament_without_anybody_left_has_no_winner(autojump_clock: MockClock) -> None:
    async with (
        open_fair("qwirkle", settings=QUIET) as fair,
        connected(fair, "Anna", "Bert", "Carla", "Dora") as (anna, bert, carla, dora),
    ):
        cup = open_tournament(fair, anna, bert, carla, dora, timeVisualization=5_000)
        cup.order(Start())
        for guest in (anna, carla, bert, dora):
            await guest.peer.link.aclose()
        await trio.sleep(10)
        assert (cup.table.summary.state, cup.table.summary.facts["winner"]) == ("ENDED", None)


async def test_a_tournament_goes_on_while_its_endpoint_is_drained() -> None:
    async with (
        open_server("qwirkle", QUIET) as server,
        connected(server, "Anna", "Bert", "Carla") as (anna, bert, carla),
        trio.open_nursery() as nursery,
    ):
        cup = open_tournament(server, anna, bert, carla, maxPlayerNumber=2)
        cup.order(Start())
        await anna.hear(303, 400, 408, 409)
        nursery.start_soon(server.endpoint.drain)
        await anna.ask(405, 406)
        await bert.hear(303, 400, 408, 409, 406, 401, 407, 303, 400, 408, 409)
        await carla.hear(303, 400, 408, 409)
        await carla.ask(405, 406)
        await bert.hear(406, 401, 407)
        for guest in (anna, bert, carla):
            await guest.peer.hear_end()
        assert cup.table.summary.facts["winner"] == bert.client_id
