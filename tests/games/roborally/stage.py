"""A real server on which clients of Robo Rally get into any situation quickly."""

import random
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

import attrs

from games.roborally import rules
from games.roborally.match import DECISION, Match
from games.roborally.messages import VERSION
from games.roborally.rules import State
from games.roborally.table import RoboRallyTable
from tests.games.roborally.client import RoboRallyClient
from tests.games.roborally.scene import programming
from tests.support.helpers import Server, open_server


@attrs.frozen
class Stage:
    """A server, and clients that come when they are needed."""

    server: Server
    stack: AsyncExitStack

    # Coming in

    async def connect(self) -> RoboRallyClient:
        peer = await self.stack.enter_async_context(self.server.connect())
        client = RoboRallyClient(peer)
        await client.hear("HelloClient")
        return client

    async def knock(self) -> RoboRallyClient:
        client = await self.connect()
        await client.say("HelloServer", group="TolleTrolle", isAI=False, protocol=VERSION)
        return client

    async def arrive(self) -> RoboRallyClient:
        client = await self.knock()
        client.id = (await client.hear("Welcome"))["playerID"]
        return client

    async def players(self, number: int) -> list[RoboRallyClient]:
        clients = [await self.arrive() for _ in range(number)]
        for n, client in enumerate(clients, 1):
            await client.register(f"Nr. {n}", n)
        return clients

    # A game

    async def game(
        self, reached: Callable[[State], bool] = lambda state: True, **changes: Any
    ) -> tuple[RoboRallyClient, RoboRallyClient]:
        """The player for whom the game waits, changed like this, and the other one."""
        clients = await self.players(2)
        for client in clients:
            await client.say("SetStatus", ready=True)
        for client in clients:
            await client.hear_until("CurrentPlayer")
        match, rng = self.match, random.Random(1)
        while not reached(match.state):
            match.state, _ = rules.apply(match.state, _next_action(match.state), rng)
        first, second = sorted(clients, key=lambda one: one.id != match.state.deciding[0])
        self.change(first, **changes)
        return first, second

    def change(self, client: RoboRallyClient, **changes: Any) -> None:
        """Set up a situation that would take many rounds to arise."""
        self.set_state(
            players=tuple(
                attrs.evolve(player, **changes) if player.player_id == client.id else player
                for player in self.match.state.players
            )
        )

    def set_state(self, **changes: Any) -> None:
        self.match.state = attrs.evolve(self.match.state, **changes)

    def wait_for(self, decision: rules.Decision) -> None:
        self.set_state(agenda=(decision, *self.match.state.agenda))

    async def time_is_up(self, client: RoboRallyClient) -> None:
        """The time for the decision ends; a lobby looks at its timers after it has heard a word."""
        self.table.timers.start(DECISION, 0)
        await client.say("SendChat", message="Time is up", to=-1)

    @property
    def table(self) -> RoboRallyTable:
        (table,) = self.server.endpoint.hall.tables.values()
        assert isinstance(table, RoboRallyTable)
        return table

    @property
    def match(self) -> Match:
        assert self.table._match is not None
        return self.table._match


def _next_action(state: State) -> rules.Action:
    if programming(state):
        return rules.EndTimer()
    return rules.default_action(state, state.deciding[0])


@asynccontextmanager
async def open_stage(settings: Mapping[str, Any]) -> AsyncIterator[Stage]:
    settings = {**settings}
    limits = settings.pop("limits", None)
    async with (
        open_server("roborally", settings, limits=limits) as server,
        AsyncExitStack() as stack,
    ):
        yield Stage(server, stack)
