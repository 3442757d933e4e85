"""Robo Rally in a real lobby, with an autojump clock: silent players, and players who vanish."""

import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from tests.games.roborally.client import RoboRallyClient
from tests.support.helpers import Fair, Peer, open_fair


async def start_game(fair: Fair, number: int) -> list[RoboRallyClient]:
    clients = []
    for n in range(1, number + 1):
        peer = Peer(fair.connect(), limit=1000)
        clients.append(await RoboRallyClient.arrive(peer, f"Gruppe {n}"))
        await clients[-1].register(f"Nr. {n}", n)
    for client in clients:
        await client.say("SetStatus", ready=True)
    for client in clients:
        await client.hear_until("GameStarted")
    return clients


async def test_a_game_of_silent_players_keeps_its_times(autojump_clock: MockClock) -> None:
    async with open_fair("roborally") as fair:
        ann, _ = await start_game(fair, 2)
        begin = trio.current_time()
        heard = []
        for message_type in (
            *("StartingPointTaken", "StartingPointTaken"),
            "YourCards",  # after two purchases
            "TimerEnded",
            *("CardPlayed", "CardPlayed"),
        ):
            await ann.hear_until(message_type)
            heard.append(trio.current_time() - begin)
        assert heard == pytest.approx([30, 60, 120, 420, 450, 480])


async def test_the_timer_runs_for_thirty_seconds(autojump_clock: MockClock) -> None:
    async with open_fair("roborally") as fair:
        ann, bob = await start_game(fair, 2)
        hand = (await ann.hear_until("YourCards"))["cardsInHand"]
        cards = [card for card in hand if card != "Again"]
        for register, card in enumerate(cards[:5], 1):
            await ann.say("SelectedCard", card=card, register=register)
        await bob.hear_until("TimerStarted")
        begin = trio.current_time()
        assert await bob.hear_until("TimerEnded") == {"playerIDs": [bob.id]}
        assert trio.current_time() - begin == pytest.approx(30)


@pytest.mark.parametrize("policy", ["remove", "ignore", "ai", "reconnect"])
@pytest.mark.parametrize("pace", [0, 17, 130])
async def test_six_players_who_vanish_leave_a_lobby_to_play_in(
    policy: str, pace: int, autojump_clock: MockClock
) -> None:
    async with open_fair("roborally", settings={"on_disconnect": policy}) as fair:
        for client in await start_game(fair, 6):
            await trio.sleep(pace)
            await client.peer.link.aclose()
        await trio.sleep(61)
        await wait_all_tasks_blocked()
        assert not fair.endpoint.clients
        assert fair.endpoint.hall.crashes == 0
        assert len(await start_game(fair, 2)) == 2
