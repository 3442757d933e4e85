"""How much of others' chat a client has to read."""

from collections.abc import Callable
from typing import Any

import orjson
import pytest
import trio
from trio.testing import MockClock

from tests.attacks.arena import Stranger, open_arena
from tests.games.quidditch.clients import container
from tests.support.raw_websocket import TEXT, frame


async def into_quidditch(stranger: Stranger) -> Callable[[str], bytes]:
    return lambda text: frame(TEXT, orjson.dumps(container("sendChat", {"information": text})))


async def into_qwirkle(stranger: Stranger) -> Callable[[str], bytes]:
    await stranger.say(b'{"uniqueId":304,"gameId":1}\n')
    await stranger.hear(b'"uniqueId":305')
    return lambda text: orjson.dumps({"uniqueId": 306, "message": text}) + b"\n"


async def into_roborally(stranger: Stranger) -> Callable[[str], bytes]:
    def message(kind: str, **body: Any) -> bytes:
        return orjson.dumps({"messageType": kind, "messageBody": body}) + b"\n"

    await stranger.say(message("HelloServer", group="G", isAI=False, protocol="Version 2.0"))
    await stranger.hear(b"Welcome")
    figure = stranger.heard.count(b"PlayerAdded")
    await stranger.say(message("PlayerValues", name=f"Player {figure}", figure=figure))
    await stranger.hear(b'"name":"Player %d"' % figure)
    return lambda text: message("SendChat", message=text, to=-1)


CHATS = {"quidditch": into_quidditch, "qwirkle": into_qwirkle, "roborally": into_roborally}


@pytest.mark.parametrize("game", CHATS)
async def test_nobody_has_to_read_more_chat_than_people_write(
    game: str, autojump_clock: MockClock
) -> None:
    """Slow readers would be dropped, and lose a match, because of what others say."""
    async with open_arena(game) as arena, arena.arrive() as one, arena.arrive() as other:
        chat, _ = await CHATS[game](one), await CHATS[game](other)
        for _ in range(200):
            await one.say(chat("yodel"))
        await trio.sleep(20)
        await one.say(chat("the end"))
        await other.hear(b"the end")
        assert 10 <= other.heard.count(b"yodel") <= 45
