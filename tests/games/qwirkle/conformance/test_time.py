"""Qwirkle's clocks, in virtual time: turns, penalties, the time to look, pauses, purging."""

from math import inf
from typing import Any

import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from ludothek.contract.orders import Abort, Pause, Resume
from tests.games.qwirkle.party import ELSEWHERE, QUIET, Guest, connected, placed, virtual_party
from tests.support.helpers import Peer, open_fair

TIMES: dict[str, Any] = {"turnTime": 30_000, "timeVisualization": 1_000}


async def test_a_slow_move_may_cost_points(autojump_clock: MockClock) -> None:
    """POINT_LOSS: Der Spieler erhält die konfigurierte Anzahl an Strafpunkten und der nächste
    Spieler ist an der Reihe. (Vector 44.)
    """
    async with virtual_party(slowMove="POINT_LOSS", slowMovePenalty=3, **TIMES) as found:
        await found.start()
        anna, bert = found.players
        began = trio.current_time()
        assert (await found.all_hear(409))["client"] == bert.info
        assert trio.current_time() == began + 31
        assert (await anna.ask(417, 418))["scores"] == [[anna.info, -3], [bert.info, 0]]


async def test_a_slow_move_may_cost_the_seat(autojump_clock: MockClock) -> None:
    """KICK: Der Spieler wird vom Spiel ausgeschlossen und der nächste Spieler ist an der Reihe."""
    async with virtual_party(players=3, slowMove="KICK", **TIMES) as found:
        await found.start()
        anna, bert, carla = found.players
        began = trio.current_time()
        assert (await found.all_hear(406))["client"] == anna.info
        assert trio.current_time() == began + 30
        assert (await bert.hear(409))["client"] == bert.info
        assert trio.current_time() == began + 31
        assert (await carla.hear(409, 406, 401, 407))["client"] == carla.info
        assert trio.current_time() == began + 61  # no time to look before such an end
        await bert.hear(406)
        for kicked in (anna, bert):
            await kicked.ask(300, 301)


async def test_everybody_may_look_at_a_move_before_the_next_turn(autojump_clock: MockClock) -> None:
    """Zeit für die Visualisierung des letzten Zugs."""
    async with virtual_party(**TIMES) as found:
        await found.start()
        anna, bert = found.players
        await anna.lay_first()
        await anna.hear(415, 416)
        moved = trio.current_time()
        await bert.hear(416)
        assert (await bert.ask(419, 420))["time"] == 0
        await bert.refused(920, 414, tiles=[placed(bert.hand[0], 1)])
        await bert.hear(409)
        assert trio.current_time() == moved + 1


@pytest.mark.parametrize("swap", [True, False])
async def test_the_time_to_look_comes_after_swaps_and_mistakes_too(
    autojump_clock: MockClock, swap: bool
) -> None:
    async with virtual_party(wrongMove="POINT_LOSS", **TIMES) as found:
        await found.start()
        anna, bert = found.players
        if swap:
            await anna.say(411, tiles=anna.hand)
            await anna.hear(412, 413)
        else:
            await anna.lay_first(ELSEWHERE)
            await anna.hear(415)
        began = trio.current_time()
        await bert.hear(409)
        assert trio.current_time() == began + 1


async def test_a_move_in_the_last_millisecond_counts(autojump_clock: MockClock) -> None:
    """Der Spieler muss innerhalb seiner Zugzeit einen validen Zug […] verschicken."""
    async with virtual_party(**TIMES) as found:
        await found.start()
        anna, _ = found.players
        await trio.sleep(29.999)
        await anna.lay_first()
        assert (await anna.hear(415))["validation"] is True


async def test_a_move_after_the_last_millisecond_does_not_count(autojump_clock: MockClock) -> None:
    async with virtual_party(**TIMES) as found:
        await found.start()
        anna, bert = found.players
        await trio.sleep(30.001)
        await anna.refused(920, 414, tiles=[placed(anna.hand[0])])
        assert (await bert.hear(409))["client"] == bert.info


async def test_a_move_at_the_very_end_is_made_or_refused_but_not_both(
    autojump_clock: MockClock,
) -> None:
    for _ in range(10):
        async with virtual_party(slowMovePenalty=5, **TIMES) as found:
            await found.start()
            anna, bert = found.players
            await trio.sleep(30)
            await anna.lay_first()
            answer = await anna.peer.hear()
            expected = 1 if answer["uniqueId"] == 415 else -5
            await bert.hear(*([416, 409] if expected == 1 else [409]))
            assert (await bert.ask(417, 418))["scores"][0] == [anna.info, expected]


async def test_a_mistake_that_costs_nothing_does_not_buy_time(autojump_clock: MockClock) -> None:
    """darf in seiner verbleibenden Zugzeit einen neuen Zug machen"""
    async with virtual_party(wrongMove="NOTHING", **TIMES) as found:
        await found.start()
        anna, bert = found.players
        began = trio.current_time()
        await trio.sleep(20)
        await anna.lay_first(ELSEWHERE)
        await anna.hear(415)
        assert (await anna.ask(419, 420))["time"] == 10_000
        await bert.hear(409)
        assert trio.current_time() == began + 31


async def test_pausing_stops_all_clocks(autojump_clock: MockClock) -> None:
    async with virtual_party(**TIMES) as found:
        assert (await found.players[0].ask(419, 420))["time"] == 30_000
        await found.start()
        anna, bert = found.players
        began = trio.current_time()
        await trio.sleep(20)
        found.order(Pause())
        await found.all_hear(403)
        await trio.sleep(1000)
        assert (await anna.ask(419, 420))["time"] == 10_000
        assert (await anna.ask(421, 422))["time"] == 20_000
        found.order(Resume())
        await found.all_hear(404)
        await bert.hear(409)
        assert trio.current_time() == began + 1031
        assert (await bert.ask(421, 422))["time"] == 31_000


async def test_pausing_stops_the_time_to_look(autojump_clock: MockClock) -> None:
    async with virtual_party(**TIMES) as found:
        await found.start()
        anna, bert = found.players
        await anna.lay_first()
        await anna.hear(415, 416)
        await trio.sleep(0.25)
        found.order(Pause())
        await bert.hear(416, 403)
        await trio.sleep(100)
        found.order(Resume())
        resumed = trio.current_time()
        await bert.hear(404, 409)
        assert trio.current_time() == resumed + 0.75


async def test_who_leaves_a_paused_game_gives_way_only_when_it_goes_on(
    autojump_clock: MockClock,
) -> None:
    async with virtual_party(players=3, **TIMES) as found:
        await found.start()
        anna, bert, _ = found.players
        found.order(Pause())
        await found.all_hear(403)
        await anna.ask(405, 406)
        await trio.sleep(1000)
        found.order(Resume())
        resumed = trio.current_time()
        await bert.hear(406, 404, 409)
        assert trio.current_time() == resumed + 1


async def test_after_the_end_the_total_time_stands_still(autojump_clock: MockClock) -> None:
    async with virtual_party(**TIMES) as found:
        await found.start()
        await trio.sleep(5)
        found.order(Abort())
        await found.all_hear(402, 407)
        await trio.sleep(100)
        assert (await found.players[0].ask(421, 422))["time"] == 5_000
        assert (await found.players[0].ask(419, 420))["time"] == 0


async def test_an_ended_game_is_forgotten_after_a_while(autojump_clock: MockClock) -> None:
    """oder vor Kurzem beendet wurden"""
    async with virtual_party(settings={"ended_seconds": 100}, **TIMES) as found:
        await found.start()
        anna, _ = found.players
        found.order(Abort())
        await found.all_hear(402, 407)
        await trio.sleep(99)
        assert len((await anna.ask(300, 301))["games"]) == 1
        await trio.sleep(2)
        assert (await anna.ask(300, 301))["games"] == []
        await anna.refused(920, 498)
        await anna.refused(920, 304, gameId=1)


async def test_nobody_waits_for_the_greeting_of_a_client_that_is_gone() -> None:
    async with open_fair("qwirkle", settings=QUIET) as fair:
        timers = fair.endpoint.hall.foyer.reception.timers
        link = fair.connect()
        await wait_all_tasks_blocked()
        assert timers.deadline < inf
        link.close()
        await wait_all_tasks_blocked()
        assert timers.deadline == inf


async def test_a_connection_that_never_says_who_it_is_is_closed(autojump_clock: MockClock) -> None:
    async with open_fair("qwirkle", settings=QUIET | {"greeting_seconds": 10}) as fair:
        silent = Peer(fair.connect())
        chatty = Guest(Peer(fair.connect()), "Chatty")
        await chatty.refused(900, 300)
        async with connected(fair, "Anna") as (anna,):
            await silent.hear_end()
            assert trio.current_time() <= 11
            await chatty.peer.hear_end()
            await trio.sleep(10_000)
            await anna.ask(300, 301)
