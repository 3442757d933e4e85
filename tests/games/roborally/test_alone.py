"""One person and the bots that the daemon provides."""

import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from ludothek.contract.table import Stage
from tests.games.roborally.client import RoboRallyClient
from tests.support.helpers import Fair, Peer, open_fair

RANDOM = {"bots": 3, "bot_difficulty": 9}


async def arrive(fair: Fair) -> RoboRallyClient:
    return await RoboRallyClient.arrive(Peer(fair.connect()), "Alone")


async def test_company_waits_for_the_person_to_be_ready(autojump_clock: MockClock) -> None:
    async with open_fair("roborally", settings=RANDOM) as fair:
        me = await arrive(fair)
        await trio.sleep(60)
        (lobby,) = fair.endpoint.hall.lobbies.values()
        assert lobby.table.summary.stage is Stage.WAITING
        assert sorted(lobby.table.summary.players) == ["Bot 1", "Bot 2", "Bot 3"]
        await me.register("Me", 0)
        await me.say("SetStatus", ready=True)
        await me.hear_until("GameStarted")
        await me.hear_until("CurrentPlayer")


@pytest.mark.parametrize("policy", ["remove", "reconnect"])
async def test_company_goes_with_the_person(policy: str, autojump_clock: MockClock) -> None:
    async with open_fair("roborally", settings={**RANDOM, "on_disconnect": policy}) as fair:
        me = await arrive(fair)
        await me.register("Me", 0)
        await wait_all_tasks_blocked()
        await me.say("SetStatus", ready=True)
        await me.hear_until("GameStarted")
        await me.peer.link.aclose()
        await wait_all_tasks_blocked()
        assert not fair.endpoint.clients
        if policy == "reconnect":
            back = await arrive(fair)
            assert back.id == me.id
            await back.hear_until("ActivePhase")
            await wait_all_tasks_blocked()
            assert len(fair.endpoint.clients) == 4
