"""The clients of one endpoint, and what is remembered of those that are gone."""

from collections.abc import Collection, Iterator

import trio

from ludothek.contract.game import Game
from ludothek.observe.coverage import Coverage
from ludothek.runtime.connection import Connection
from ludothek.runtime.explanations import RefusedClients


class Clientele(Collection[Connection]):
    """Those that are connected, in no order."""

    def __init__(self, game: Game) -> None:
        self.met = 0  # how many there have ever been
        self.coverage = Coverage(game)
        self.refused = RefusedClients()
        self._present: set[Connection] = set()
        self._someone_left = trio.lowlevel.ParkingLot()

    def __contains__(self, client: object) -> bool:
        return client in self._present

    def __iter__(self) -> Iterator[Connection]:
        return iter(self._present)

    def __len__(self) -> int:
        return len(self._present)

    def next_number(self) -> int:
        """The number of a client that has just come."""
        self.met += 1
        return self.met

    def add(self, client: Connection) -> None:
        """A client has come, or come back."""
        self._present.add(client)

    def part(self, client: Connection) -> None:
        """A client is gone."""
        self._present.remove(client)
        if client.foreign:
            self.coverage.part(client.name, client.usage)
        if (refused := client.as_refused()) is not None:
            self.refused.append(refused)
        self._someone_left.unpark_all()

    async def wait_empty(self) -> None:
        """Wait until the last client is gone."""
        while self._present:
            await self._someone_left.park()
