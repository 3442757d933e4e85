"""A Quidditch server, and clients who are about to do something wrong."""

from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

import attrs
import pytest
from trio.testing import wait_all_tasks_blocked

from games.quidditch.rules import State
from ludothek.contract.orders import Order
from tests.games.quidditch.clients import QuidditchClient, places, wire
from tests.games.quidditch.scene import BADGERS, BRIEF, HERONS, LEFT, RIGHT
from tests.games.quidditch.stage import begin_with
from tests.support.helpers import Peer, Server, open_server

LOBBY = "hogwarts"


@attrs.frozen
class Stage:
    """Nobody has said anything yet, and no match has begun."""

    server: Server
    stack: AsyncExitStack
    monkeypatch: pytest.MonkeyPatch

    async def connect(self) -> Peer:
        return await self.stack.enter_async_context(self.server.connect())

    async def login(self, name: str = "luna", **rest: Any) -> QuidditchClient:
        return await QuidditchClient.login(await self.connect(), name, **rest)

    async def teams(self, **of_left: Any) -> tuple[QuidditchClient, QuidditchClient]:
        """Two who have heard matchStart, and have to line up."""
        left, right = await self.login("harry", **of_left), await self.login("draco")
        await left.say("teamConfig", wire(HERONS))
        await self.until(lambda: "harry" in self._table.summary.players)
        await right.say("teamConfig", wire(BADGERS))
        for client in (left, right):
            await client.hear_until("matchStart")
        return left, right

    async def match(
        self, state: State | None = None, **of_left: Any
    ) -> tuple[QuidditchClient, QuidditchClient]:
        """Two who have heard the first next, perhaps in a given scene; the one on turn is first."""
        if state is not None:
            begin_with(self.monkeypatch, state)
        left, right = await self.teams(**of_left)
        await left.say("teamFormation", places(LEFT))
        await right.say("teamFormation", places(RIGHT))
        question = await left.hear_until("next")
        await right.hear_until("next")
        return (left, right) if question["turn"].startswith("left") else (right, left)

    def order(self, order: Order) -> None:
        """What an organiser wants of the lobby."""
        lobby = self.server.endpoint.hall.find(LOBBY)
        assert lobby is not None
        lobby.order(order)

    async def until(self, condition: Callable[[], bool]) -> None:
        while not condition():
            await wait_all_tasks_blocked()

    @property
    def _table(self) -> Any:
        lobby = self.server.endpoint.hall.find(LOBBY)
        assert lobby is not None
        return lobby.table


@asynccontextmanager
async def open_stage(
    settings: Mapping[str, Any], monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Stage]:
    """With settings of the game, and `limits` of the server among them."""
    own: dict[str, Any] = {"match": str(BRIEF), "accounts": "memory", "lobbies_seconds": 0}
    limits = settings.get("limits", {})
    own |= {name: value for name, value in settings.items() if name != "limits"}
    async with (
        open_server("quidditch", own, limits=limits) as server,
        AsyncExitStack() as stack,
    ):
        yield Stage(server, stack, monkeypatch)
