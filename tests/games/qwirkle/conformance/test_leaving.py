"""Qwirkle over real sockets: leaving, pausing, the end and the time after it."""

import pytest
from trio.testing import wait_all_tasks_blocked

from ludothek.contract.orders import Abort, Pause, Resume
from tests.games.qwirkle.party import CALM, connected, open_game, party, placed, seat, virtual_party

# Leaving


async def test_who_leaves_before_the_start_frees_the_seat() -> None:
    async with (
        party(players=2, spectators=1, maxPlayerNumber=2) as found,
        connected(found.server, "Carla") as (carla,),
    ):
        anna, bert = found.players
        await carla.refused(920, 302, gameId=1)
        await bert.say(405)
        assert (await found.all_hear(406))["client"] == bert.info
        assert (await carla.ask(302, 303, gameId=1))["game"]["players"] == [anna.info, carla.info]
        await bert.ask(300, 301)


async def test_a_spectator_who_leaves_is_told_and_nobody_else() -> None:
    async with party(players=1, spectators=2) as found:
        xaver, yvonne = found.spectators
        left = await xaver.ask(405, 406)
        assert left["client"]["clientId"] == xaver.client_id
        await yvonne.hears_nothing()
        await found.players[0].hears_nothing()
        await xaver.ask(300, 301)


@pytest.mark.parametrize(("setting", "told"), [("all", True), ("nobody", False)])
async def test_who_hears_of_a_spectator_who_leaves_can_be_set(setting: str, told: bool) -> None:
    settings = {"spectator_leaving": setting}
    async with party(players=1, spectators=1, settings=settings) as found:
        (anna,), (xaver,) = found.players, found.spectators
        await xaver.say(405)
        if told:
            await xaver.hear(406)
            await anna.hear(406)
        await xaver.ask(300, 301)
        await anna.hears_nothing()


async def test_the_hand_of_a_player_who_is_gone_goes_back_to_the_bag() -> None:
    """Wird ein Spieler aus einem Spiel gekickt oder disconnected, entfällt er aus der Wertung,
    seine Steine auf der Hand werden in den Bag zurückgegeben und die Steine auf dem Spielfeld
    bleiben liegen.
    """
    async with party(players=3, spectators=1, **CALM) as found:
        await found.start()
        anna, bert, carla = found.players
        (xaver,) = found.spectators
        await anna.lay_first()
        await anna.hear(415)
        await found.all_hear(416, 409)
        await anna.say(405)  # not his turn: the game just goes on
        await found.all_hear(406)
        assert len((await xaver.ask(423, 424))["bag"]) == 108 - 3 * 6 + 5
        assert len((await xaver.ask(498, 499))["board"]) == 1
        assert (await xaver.ask(417, 418))["scores"] == [[bert.info, 0], [carla.info, 0]]
        await carla.hears_nothing()


async def test_when_the_active_player_leaves_the_next_one_plays() -> None:
    async with party(players=3, **CALM) as found:
        await found.start()
        anna, bert, carla = found.players
        await anna.say(405)
        await anna.hear(406)
        for player in (bert, carla):
            await player.hear(406)
            assert (await player.hear(409))["client"] == bert.info


async def test_a_disconnected_player_loses_even_with_more_points() -> None:
    """Vector 53."""
    async with party(players=2, spectators=1, **CALM) as found:
        await found.start()
        anna, bert = found.players
        (xaver,) = found.spectators
        await anna.lay_first()
        await anna.hear(415)
        await found.all_hear(416, 409)
        await anna.peer.link.aclose()
        for guest in (bert, xaver):
            assert (await guest.hear(406))["client"] == anna.info
            winner = await guest.hear(401, 407)
            assert winner["client"] == bert.info
            assert winner["score"] == 0
            assert winner["leaderboard"] == [[bert.info, 0]]


async def test_players_who_leave_one_after_the_other_end_the_game() -> None:
    async with party(players=4, **CALM) as found:
        await found.start()
        *leavers, last = found.players
        for leaver in leavers:
            await leaver.peer.link.aclose()
        for _ in leavers[:-1]:
            await last.hear(406, 409)
        assert (await last.hear(406, 401, 407))["client"] == last.info


# Pause, abort, end


async def test_a_paused_game_takes_no_moves_and_goes_on_where_it_was() -> None:
    """Benachrichtigt darüber, dass der Ausrichter das Spiel pausiert hat."""
    async with party(players=2, spectators=1, **CALM) as found:
        await found.start()
        anna, _ = found.players
        found.order(Pause())
        await found.all_hear(403)
        await anna.refused(920, 414, tiles=[placed(anna.hand[0])])
        assert (await anna.ask(498, 499))["gameState"] == "PAUSED"
        await anna.say(306, message="und nun?")
        await found.all_hear(307)
        found.order(Resume())
        await found.all_hear(404)
        await anna.lay_first()
        assert (await anna.hear(415))["validation"] is True


async def test_who_leaves_a_paused_game_is_replaced_when_it_goes_on() -> None:
    async with party(players=3, **CALM) as found:
        await found.start()
        anna, bert, carla = found.players
        found.order(Pause())
        await found.all_hear(403)
        await anna.ask(405, 406)
        await bert.hear(406)
        await bert.hears_nothing()
        found.order(Resume())
        await bert.hear(404)
        assert (await bert.hear(409))["client"] == bert.info
        found.order(Pause())
        await bert.hear(403)
        await bert.ask(405, 406)
        await carla.hear(406, 404, 409, 403, 406, 401, 407)


async def test_an_aborted_game_has_a_winner() -> None:
    """nach AbortGame folgt Winner Message (Vector 51)."""
    async with party(players=2, spectators=1, **CALM) as found:
        await found.start()
        anna, bert = found.players
        await anna.lay_first()
        await anna.hear(415)
        await found.all_hear(416, 409)
        found.order(Abort())
        winner = await found.all_hear(402, 407)
        assert (winner["client"], winner["score"]) == (anna.info, 1)
        assert winner["leaderboard"] == [[anna.info, 1], [bert.info, 0]]
        (game,) = (await anna.ask(300, 301))["games"]
        assert game["gameState"] == "ENDED"
        assert game["players"] == [anna.info, bert.info]


async def test_the_organiser_names_the_winner_of_an_aborted_game() -> None:
    async with party(players=2, **CALM) as found:
        await found.start()
        anna, bert = found.players
        await anna.lay_first()
        await anna.hear(415)
        await found.all_hear(416, 409)
        found.order(Abort(found.client(bert)))
        winner = await found.all_hear(402, 407)
        assert (winner["client"], winner["score"]) == (bert.info, 0)


async def test_a_game_that_has_not_started_can_be_aborted() -> None:
    async with party(players=2) as found:
        found.order(Abort())
        assert (await found.all_hear(402, 407))["leaderboard"] == [
            [player.info, 0] for player in found.players
        ]


async def test_an_aborted_game_without_players_has_no_winner() -> None:
    async with party(players=0, spectators=1) as found:
        found.order(Abort())
        await found.all_hear(402)
        await found.spectators[0].ask(300, 301)


# After the end


async def test_after_the_end_everybody_is_in_the_lobby_and_may_still_ask() -> None:
    async with party(players=2, spectators=1, **CALM) as found:
        await found.start()
        anna, bert = found.players
        (xaver,) = found.spectators
        found.order(Abort())
        await found.all_hear(402, 407)
        await anna.ask(300, 301)
        assert (await anna.ask(498, 499))["gameState"] == "ENDED"
        assert (await anna.ask(419, 420))["time"] == 0
        await anna.ask(417, 418)
        await anna.ask(421, 422)
        await anna.refused(920, 414, tiles=[])
        await anna.refused(900, 423)
        await xaver.ask(423, 424)
        await xaver.ask(425, 426)
        await xaver.refused(900, 411, tiles=[])
        await bert.say(306, message="Glückwunsch")
        await found.all_hear(307)
        await anna.say(405)  # silently, once
        await anna.refused(920, 405)
        await anna.refused(920, 498)
        await bert.ask(498, 499)


async def test_after_the_end_another_game_can_be_joined() -> None:
    async with party(players=2, **CALM) as found:
        anna, bert = found.players
        await found.start()
        found.order(Abort())
        await found.all_hear(402, 407)
        open_game(found.endpoint)
        await anna.refused(920, 302, gameId=77)
        await anna.ask(498, 499)  # a join that fails changes nothing
        await anna.ask(302, 303, gameId=2)
        assert (await anna.ask(498, 499))["gameState"] == "NOT_STARTED"
        await bert.say(306, message="noch da?")
        await bert.hear(307)
        await anna.hears_nothing()
        seat(found.endpoint, found.endpoint.hall.lobbies["2"], bert)
        await bert.hear(303)


async def test_an_ended_game_forgets_whoever_hangs_up() -> None:
    async with virtual_party(players=2, **CALM) as found:
        anna, bert = found.players
        clients = [found.client(anna), found.client(bert)]
        await found.start()
        found.order(Abort())
        await found.all_hear(402, 407)
        assert [found.table.remembers(client) for client in clients] == [True, True]
        await anna.peer.link.aclose()
        await wait_all_tasks_blocked()
        assert [found.table.remembers(client) for client in clients] == [False, True]


async def test_an_ended_game_can_be_watched_and_tells_its_winner() -> None:
    async with party(players=2, **CALM) as found, connected(found.server, "Carla") as (carla,):
        await found.start()
        found.order(Abort())
        await found.all_hear(402, 407)
        assert (await carla.ask(304, 305, gameId=1))["game"]["gameState"] == "ENDED"
        assert (await carla.hear(407))["client"] == found.players[0].info
        await carla.ask(425, 426)
        await carla.ask(300, 301)
        await carla.say(405)
        await carla.refused(920, 425)


async def test_nobody_asks_about_a_game_that_is_not_listed_any_more() -> None:
    async with party(players=2, settings={"ended_games": 0}, **CALM) as found:
        await found.start()
        found.order(Abort())
        await found.all_hear(402, 407)
        anna, _ = found.players
        await anna.refused(920, 498)
        assert (await anna.ask(300, 301))["games"] == []


async def test_while_the_active_player_s_place_is_empty_the_next_one_is_current() -> None:
    """No player is named who was never on turn."""
    async with party(players=3, timeVisualization=60_000) as found:
        await found.start()
        anna, bert, _ = found.players
        await anna.say(405)
        await found.all_hear(406)
        assert (await bert.ask(498, 499))["currentClient"] == bert.info
