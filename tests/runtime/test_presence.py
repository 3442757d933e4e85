"""How long the game of somebody at a browser goes on."""

import trio
from trio.testing import MockClock

from ludothek.runtime.presence import AWAY_SECONDS, Presence


async def ends_after(presence: Presence) -> float:
    started = trio.current_time()
    with presence.scope:
        await trio.sleep_forever()
    return trio.current_time() - started


async def test_without_a_browser_it_ends_soon(autojump_clock: MockClock) -> None:
    presence = Presence(600)
    assert await ends_after(presence) == AWAY_SECONDS
    assert presence.is_away


async def test_only_the_latest_browser_that_leaves_is_missed(autojump_clock: MockClock) -> None:
    presence = Presence(600)
    former = presence.arrive()
    presence.arrive()
    presence.depart(former)
    assert await ends_after(presence) == 600
    assert not presence.is_away


async def test_after_the_last_call_nothing_gives_more_time(autojump_clock: MockClock) -> None:
    presence = Presence(600)
    presence.end_in(1)
    presence.renew()
    presence.depart(presence.arrive())
    assert await ends_after(presence) == 1
