"""More than anybody needs: the sender is disconnected, and the match beside it goes on."""

from collections.abc import Awaitable, Callable
from contextlib import suppress

import pytest
import trio
from trio.testing import MockClock

from tests.attacks.arena import GAMES, TRANSPORTS, WEBSOCKET_GAMES, Arena, Stranger, open_arena
from tests.support.raw_websocket import PING, TEXT, frame

Flood = Callable[[Stranger], Awaitable[None]]


async def of_questions(stranger: Stranger) -> None:
    """Good messages whose answers nobody waits for."""
    async with trio.open_nursery() as nursery:
        nursery.start_soon(stranger.gone)
        await stranger.pour(stranger.question * 100)


async def of_questions_and_no_ear(stranger: Stranger) -> None:
    await stranger.pour(stranger.question * 100)


async def in_one_segment(stranger: Stranger) -> None:
    with suppress(trio.BrokenResourceError):
        await stranger.say(stranger.question * 10_000)


async def of_nothing(stranger: Stranger) -> None:
    """What a framer skips: line breaks, blanks."""
    await stranger.pour(b"\n" * 65_536)


async def of_comments(stranger: Stranger) -> None:
    await stranger.pour(b"<!---->" * 10_000)


async def of_tags(stranger: Stranger) -> None:
    await stranger.pour(b"<a>" + b"<b/>" * 4000 + b"</a>")


async def of_braces(stranger: Stranger) -> None:
    await stranger.pour(b'{"":""}' * 10_000)


async def of_quotes(stranger: Stranger) -> None:
    await stranger.pour(b'"\\""' * 10_000)


async def of_zeros(stranger: Stranger) -> None:
    await stranger.pour(b"\0" * 65_536)


async def of_pings(stranger: Stranger) -> None:
    await stranger.pour(frame(PING, b"x" * 125) * 100)


async def of_fragments(stranger: Stranger) -> None:
    await stranger.say(frame(TEXT, b"", final=False))
    await stranger.pour(frame(0, b"", final=False) * 1000)


async def of_garbage(stranger: Stranger) -> None:
    await stranger.pour(frame(TEXT, b"garbage") * 1000)


FLOODS: list[tuple[str, Flood]] = [
    *((game, flood) for game in GAMES for flood in (of_questions, of_questions_and_no_ear)),
    *((game, in_one_segment) for game in GAMES),
    *((game, of_zeros) for game in TRANSPORTS),
    ("hexxagon", of_pings),
    ("hexxagon", of_fragments),
    *((game, of_garbage) for game in WEBSOCKET_GAMES),
    ("penguins", of_comments),
    ("penguins", of_tags),
    ("penguins", of_nothing),
    ("qwirkle", of_nothing),
    ("roborally", of_nothing),
    ("roborally", of_braces),
    ("roborally", of_quotes),
]


@pytest.mark.parametrize(
    ("game", "flood"), [pytest.param(*case, id=f"{case[0]} {case[1].__name__}") for case in FLOODS]
)
async def test_a_flood_drowns_only_its_source(
    game: str, flood: Flood, autojump_clock: MockClock
) -> None:
    async def attack(arena: Arena) -> None:
        async with arena.arrive() as stranger:
            await flood(stranger)
            await stranger.gone()

    async with open_arena(game) as arena:
        await arena.withstand(attack)
