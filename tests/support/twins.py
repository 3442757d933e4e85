"""Two endpoints that hear the same: one lives on, the other one dies now and then."""

import random
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from typing import Any

import attrs
import trio
from trio.testing import wait_all_tasks_blocked

from ludothek.contract import plain
from ludothek.contract.game import Game
from ludothek.contract.orders import Opening, Order, OrderRefused
from ludothek.contract.table import Table
from ludothek.runtime.connection import Connection
from ludothek.testing.phoenix import Phoenix
from transports.memory import MemoryLink


@attrs.define(eq=False)
class TwinClient:
    """A client of both."""

    number: int
    links: tuple[MemoryLink, MemoryLink]
    heard: list[bytes] = attrs.field(factory=list)  # from the one that lives on

    @property
    def gone(self) -> bool:
        return self.links[0].gone


class Twins:
    """Whatever somebody does, the answers of both are the same, to the byte."""

    def __init__(
        self,
        nursery: trio.Nursery,
        game: Game,
        seed: int,
        settings: Mapping[str, Any],
        risk: float,
    ) -> None:
        self._game = game
        self.calm, self.mortal = (Phoenix(nursery, game, seed, settings) for _ in range(2))
        self._rng = random.Random(seed)
        self._risk = risk  # of dying at each happening
        self.clients: list[TwinClient] = []
        self.codec = game.codec(self.calm.endpoint.hall.clock, game.settings())

    @property
    def both(self) -> tuple[Phoenix, Phoenix]:
        return self.calm, self.mortal

    @property
    def tables(self) -> Mapping[str, Table]:
        """Of the one that lives on."""
        return self.calm.endpoint.hall.tables

    @property
    def deaths(self) -> int:
        return self.mortal.deaths

    def connection(self, client: TwinClient) -> Connection:
        """As the one that lives on knows it."""
        return _find(self.calm, client)

    # Happenings

    async def connect(self) -> TwinClient:
        """A client comes, from an address of its own."""
        number = len(self.clients) + 1
        one, other = (phoenix.connect() for phoenix in self.both)
        for link in (one, other):
            link.other.peer = f"192.0.2.{number}:1"
        client = TwinClient(number, (one, other))
        self.clients.append(client)
        await self._compare()
        return client

    async def say(self, client: TwinClient, message: Any) -> None:
        """Let a client say something; the process may die before or after it."""
        frame = message if isinstance(message, bytes) else self.codec.encode(message)
        self._tempt_fate()
        for link in client.links:
            link.post(frame)
        await self._compare()

    async def hang_up(self, client: TwinClient) -> None:
        self._tempt_fate()
        for link in client.links:
            link.close()
        await self._compare()

    async def wait(self, seconds: float) -> None:
        self._tempt_fate()
        await trio.sleep(seconds)
        await self._compare()

    async def order(
        self,
        key: str,
        make: Callable[[Connection | None], Order],
        client: TwinClient | None = None,
    ) -> None:
        """Give both tables an order that may concern a client."""

        def give(phoenix: Phoenix) -> None:
            order = make(None if client is None else _find(phoenix, client))
            phoenix.endpoint.hall.lobbies[key].order(order)

        await self._try(give)

    async def open(self, opening: Opening) -> None:
        """Open a lobby for an organiser."""

        def give(phoenix: Phoenix) -> None:
            phoenix.endpoint.hall.foyer.open_lobby(opening)

        await self._try(give)

    async def _try(self, give: Callable[[Phoenix], None]) -> None:
        """Let an organiser do something; both refuse it, or none does."""
        self._tempt_fate()
        refusals = []
        for phoenix in self.both:
            try:
                give(phoenix)
            except OrderRefused as refusal:
                refusals.append(str(refusal))
        assert len(refusals) != 1, refusals
        await self._compare()

    def _tempt_fate(self) -> None:
        if self._rng.random() < self._risk:
            self.die()

    def die(self) -> None:
        """Let the mortal one die."""
        ids = self.mortal.endpoint.hall.desk.ids
        self.mortal.die()
        # A new process draws other ids, of course; here they shall be comparable.
        self.mortal.endpoint.hall.desk.ids = ids

    # What both know

    async def _compare(self) -> None:
        # No two happenings at the same time: which of two due timers is first would be anybody's
        # guess, in one process as well.
        await trio.sleep(0.001)
        await wait_all_tasks_blocked()
        for client in self.clients:
            calm, mortal = (link.received() for link in client.links)
            assert mortal == calm, f"client {client.number}"
            assert len({link.gone for link in client.links}) == 1, f"client {client.number}"
            client.heard += calm
        calm_tables, mortal_tables = map(self._shown, self.both)
        assert mortal_tables == calm_tables
        calm_memory, mortal_memory = map(_memory, self.both)
        assert mortal_memory == calm_memory
        assert [phoenix.endpoint.hall.crashes for phoenix in self.both] == [0, 0]

    def _shown(self, phoenix: Phoenix) -> list[tuple[object, ...]]:
        tables = phoenix.endpoint.hall.tables
        return [(key, table.summary, self._game.draw(table)) for key, table in tables.items()]


def _memory(phoenix: Phoenix) -> bytes:
    return plain.write(phoenix.endpoint.hall.foyer.reception.remember())


def _find(phoenix: Phoenix, client: TwinClient) -> Connection:
    return next(each for each in phoenix.endpoint.clients if each.number == client.number)


@asynccontextmanager
async def open_twins(
    game: Game, seed: int, settings: Mapping[str, Any], risk: float = 0.1
) -> AsyncIterator[Twins]:
    async with trio.open_nursery() as nursery:
        yield Twins(nursery, game, seed, settings, risk)
        nursery.cancel_scope.cancel()
