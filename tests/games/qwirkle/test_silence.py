"""Players of open games who let every turn run out."""

from typing import Any

import pytest
import trio
from trio.testing import MockClock

from games.qwirkle import rules
from tests.games.qwirkle.party import Guest, connected, virtual_party
from tests.support.helpers import Fair, open_fair

# A game and a turn of it, in which nobody does anything.
TURN = 30.0 + 3.0


async def join(fair: Fair, guests: list[Guest]) -> None:
    (game,) = fair.endpoint.hall.lobbies
    for guest in guests:
        await guest.ask(302, 303, gameId=int(game))
    for guest in guests:
        await guest.hear(400, 408, 409)


async def ids_until(guest: Guest, wanted: int) -> list[Any]:
    heard: list[Any] = []
    while not heard or heard[-1] != wanted:
        heard.append((await guest.peer.hear())["uniqueId"])
    return heard


async def test_a_game_of_silent_players_comes_to_an_end(autojump_clock: MockClock) -> None:
    async with open_fair("qwirkle") as fair, connected(fair, "Anna", "Bert") as guests:
        await join(fair, guests)
        began = trio.current_time()
        assert (await ids_until(guests[0], 406)).count(409) == 8  # from the second turn on
        assert trio.current_time() < began + 9 * TURN
        await guests[0].ask(300, 301)  # it is in the lobby again
        assert await ids_until(guests[1], 407)


@pytest.mark.parametrize("lays", [False, True], ids=["swaps", "lays"])
async def test_whoever_does_something_now_and_then_stays(
    lays: bool, autojump_clock: MockClock
) -> None:
    """Bert always does something, Anna only in her second turn; two turns may run out."""
    async with (
        open_fair("qwirkle", settings={"idle_turns": 2}) as fair,
        connected(fair, "Anna", "Bert") as (anna, bert),
    ):
        await join(fair, [anna, bert])
        turns, ending = 1, False  # Anna begins
        while not ending:
            message = await anna.peer.hear()
            if message["uniqueId"] == 409 and message["client"] == bert.info:
                await bert.say(411, tiles=[bert.hand.pop()])
            elif message["uniqueId"] == 409:
                turns += 1
                if turns == 2 and lays:
                    await anna.lay_first()
                elif turns == 2:
                    await anna.say(411, tiles=anna.hand[:1])
            ending = message["uniqueId"] == 406
        assert message["client"] == anna.info
        assert turns == 4


async def test_who_can_do_nothing_is_not_silent(
    autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rules, "is_stuck", lambda position: True)
    async with open_fair("qwirkle") as fair, connected(fair, "Anna", "Bert") as guests:
        await join(fair, guests)
        heard = [(await guests[0].peer.hear())["uniqueId"] for _ in range(100)]
        assert set(heard) == {409}


async def test_an_organiser_is_not_in_a_hurry(autojump_clock: MockClock) -> None:
    async with virtual_party(
        slowMove="POINT_LOSS", turnTime=30_000, timeVisualization=1_000
    ) as found:
        await found.start()
        for _ in range(50):
            await found.all_hear(409)
