"""A computer player on its way to a server."""

import random
from functools import partial
from typing import Any

import pytest
import trio

from ludothek.cli.bot import NoServer, run_bot
from ludothek.contract import registry as games
from ludothek.contract.player import PlayerOptions


async def test_who_has_to_think_first_does_so_before_it_connects(
    monkeypatch: pytest.MonkeyPatch, nursery: trio.Nursery
) -> None:
    """Sixty of them on one machine take longer for that than a server waits."""
    happened = []

    async def think(decide: Any, **_: Any) -> Any:
        happened.append("thought")
        await trio.sleep(0.1)
        return decide()

    async def serve(stream: trio.SocketStream) -> None:
        happened.append("connected")

    monkeypatch.setattr("trio_parallel.run_sync", think)
    (listener,) = await nursery.start(partial(trio.serve_tcp, serve, 0, host="127.0.0.1"))
    penguins = games.load("penguins")
    player = penguins.player(PlayerOptions(difficulty=0), random.Random(1))
    with pytest.raises(NoServer):
        await run_bot(
            *(penguins, "127.0.0.1", listener.socket.getsockname()[1], player, lambda _: None)
        )
    assert happened == ["thought", "connected"]
