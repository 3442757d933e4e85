"""Clients that take their time: nobody waits for them longer than the limits say."""

from collections.abc import Awaitable, Callable

import pytest
import trio
from trio.testing import MockClock

from tests.attacks.arena import GAMES, Arena, Stranger, open_arena
from tests.support.raw_websocket import HANDSHAKE, TEXT, RawPeer, frame

WEBSOCKET = HANDSHAKE % (b"/", b"")
CLOSE_1008 = (1008).to_bytes(2, "big")

# The beginning of a message that never ends, as sent on the wire.
HALF = {
    "hexxagon": frame(TEXT, b'{"messageType":"GetAvailableLobbies"}')[:-1],
    "penguins": b'<room roomId="x"><data class="move">',
    "quidditch": frame(TEXT, b'{"payloadType":"sendChat","payload":{"information":"X"}}')[:-1],
    "qwirkle": b'{"uniqueId":300',
    "roborally": b'{"messageType":"SetStatus","messageBody":{',
}


# Robo Rally wants to know the group before anything else.
HELLO = (
    b'{"messageType":"HelloServer","messageBody":'
    b'{"group":"G","isAI":false,"protocol":"Version 2.0"}}\n'
)


async def drip(stranger: Stranger, data: bytes, seconds: float) -> None:
    """One byte at a time, with the last one repeated again and again."""
    try:
        for place in range(100_000):
            await stranger.say(data[min(place, len(data) - 1) :][:1])
            await trio.sleep(seconds)
    except trio.BrokenResourceError:
        pass


async def dripping_message(arena: Arena) -> None:
    async with arena.arrive() as stranger, trio.open_nursery() as nursery:
        start = trio.current_time()
        nursery.start_soon(drip, stranger, HALF[arena.game][:-1] + b"a", 1)
        await stranger.gone()
        assert trio.current_time() - start < 35
        nursery.cancel_scope.cancel()


async def half_a_message(arena: Arena) -> None:
    async with arena.arrive() as stranger:
        await stranger.say(stranger.question + HALF[arena.game])
        start = trio.current_time()
        await stranger.gone()
        assert trio.current_time() - start == pytest.approx(30, abs=2.5)


async def silence(arena: Arena) -> None:
    """It connects, and that is all."""
    limits = {"hexxagon": 5, "penguins": 10, "quidditch": 5, "qwirkle": 60, "roborally": 30}
    async with arena.connect() as stranger:
        start = trio.current_time()
        await stranger.gone()
        assert trio.current_time() - start == pytest.approx(limits[arena.game], abs=2.5)


SLOW = [dripping_message, half_a_message, silence]


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("attack", SLOW)
async def test_nobody_waits_for_slow_peers(
    game: str, attack: Callable[[Arena], Awaitable[None]], autojump_clock: MockClock
) -> None:
    async with open_arena(game) as arena:
        await arena.withstand(attack)


async def test_a_handshake_that_drips_in_is_not_waited_for(autojump_clock: MockClock) -> None:
    async def attack(arena: Arena) -> None:
        async with arena.connect() as stranger, trio.open_nursery() as nursery:
            nursery.start_soon(drip, stranger, WEBSOCKET[:-4] + b"a", 0.1)
            await stranger.gone(within=10)
            nursery.cancel_scope.cancel()

    async with open_arena("hexxagon") as arena:
        await arena.withstand(attack)
        assert +arena.server.endpoint.traffic.drops == {"slow_handshake": 1}


async def test_who_is_gone_before_the_handshake_was_not_sent_away(
    autojump_clock: MockClock,
) -> None:
    async with open_arena("hexxagon") as arena:
        for words in (b"", WEBSOCKET[:-4], b"nonsense"):
            async with arena.connect() as stranger:
                await stranger.say(words)
                await stranger.stream.send_eof()
                await stranger.gone(within=2)
        assert not +arena.server.endpoint.traffic.drops


async def test_who_shakes_hands_and_says_nothing_has_ten_minutes(
    autojump_clock: MockClock,
) -> None:
    """People look at a menu before they ask for lobbies; after that, nobody is there."""
    async with open_arena("hexxagon") as arena, arena.arrive() as stranger:
        start = trio.current_time()
        assert CLOSE_1008 in await stranger.gone()
        assert trio.current_time() - start == pytest.approx(600, abs=2.5)


async def test_who_shakes_hands_with_quidditch_has_five_minutes_to_log_in(
    autojump_clock: MockClock,
) -> None:
    """«server has some reason to kick you (but case is undefined)»"""
    async with open_arena("quidditch") as arena, arena.connect() as stranger:
        await RawPeer(stranger.stream).shake()
        start = trio.current_time()
        heard = await stranger.gone()
        assert b'"payloadType":"lobbies"' in heard  # it may have waited for that
        assert b'"code":200,' in heard
        assert b"no joinRequest came in time" in heard
        assert CLOSE_1008 in heard.partition(b"in time")[2]
        assert trio.current_time() - start == pytest.approx(300, abs=2.5)


@pytest.mark.parametrize("game", GAMES)
async def test_who_has_spoken_once_may_be_silent_for_days(
    game: str, autojump_clock: MockClock
) -> None:
    async with open_arena(game) as arena, arena.arrive() as stranger:
        await stranger.say(HELLO if game == "roborally" else stranger.question)
        assert await stranger.stream.receive_some()
        await trio.sleep(3 * 24 * 3600)
        await stranger.say(stranger.question)
        assert await stranger.stream.receive_some()


@pytest.mark.parametrize("game", GAMES)
async def test_an_operator_may_send_the_idle_away(game: str, autojump_clock: MockClock) -> None:
    limits = {"first_message_seconds": 0, "idle_seconds": 100}
    async with open_arena(game, **limits) as arena, arena.arrive() as stranger:
        if game == "roborally":
            await stranger.say(HELLO)
        for _ in range(5):
            await trio.sleep(20)
            await stranger.say(stranger.question)
        start = trio.current_time()
        await stranger.gone()
        assert trio.current_time() - start == pytest.approx(100, abs=2.5)


@pytest.mark.parametrize("game", GAMES)
async def test_fast_players_who_wait_for_answers_are_only_slowed_down(
    game: str, autojump_clock: MockClock
) -> None:
    limits = {"messages_per_second": 20, "message_burst": 10}
    async with open_arena(game, **limits) as arena:
        await arena.play_match()
        assert trio.current_time() > 0.5
