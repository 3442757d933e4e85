"""An endpoint that dies and goes on in a new life, with nothing but what it has written down."""

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from itertools import count
from pathlib import Path
from typing import Any, cast

import trio

from ludothek.contract.game import Game
from ludothek.runtime.chronicle import Chronicle
from ludothek.runtime.endpoint import Endpoint
from ludothek.runtime.legacy import Came, Legacy
from ludothek.runtime.recovery import Past
from ludothek.storage.state import StateDirectory
from ludothek.testing.fair import make_endpoint, virtual_clock
from transports import Door, Link, Transport
from transports.listening import Accepted
from transports.memory import MemoryLink, memory_link_pair


class MemoryLedger:
    """A ledger that forgets what was not committed, and nothing else."""

    def __init__(self) -> None:
        self.entries: list[bytes] = []
        self._turn: list[bytes] = []

    def note(self, entry: bytes, rest: bytes = b"") -> None:
        self._turn.append(entry + rest)

    def commit(self) -> None:
        self.entries += self._turn
        self._turn.clear()

    def checkpoint(self, entries: Iterable[bytes]) -> None:
        self.entries = [*entries]
        self._turn.clear()

    def at_work(self, serial: int) -> None:
        pass

    def repeating(self, serial: int) -> None:
        pass

    def give_up(self, problem: str) -> None:
        raise AssertionError(problem)


class _Life:
    """Tasks that end together, as those of a process do."""

    def __init__(self, nursery: trio.Nursery) -> None:
        self._nursery = nursery
        self._scopes: list[trio.CancelScope] = []

    def start_soon(
        self, work: Callable[..., Awaitable[object]], /, *args: Any, name: object = None
    ) -> None:
        scope = trio.CancelScope()
        self._scopes.append(scope)
        self._nursery.start_soon(self._run, scope, work, *args, name=name)

    async def _run(
        self, scope: trio.CancelScope, work: Callable[..., Awaitable[object]], *args: Any
    ) -> None:
        with scope:
            await work(*args)

    def end(self) -> None:
        for scope in self._scopes:
            scope.cancel()


class Phoenix:
    """Clients talk to it over memory links, which survive."""

    endpoint: Endpoint

    def __init__(
        self,
        nursery: trio.Nursery,
        game: Game,
        seed: int,
        settings: Mapping[str, Any],
        state_path: Path | None = None,
    ) -> None:
        self._nursery = nursery
        self._state_path = state_path
        self._game, self._seed, self._settings = game, seed, settings
        self._clock = virtual_clock()
        self._numbers = count(1)
        self._peers: dict[int, MemoryLink] = {}  # the clients' ends
        self.deaths = 0
        self._live(None)

    def _live(self, past: Past | None) -> None:
        self._life = _Life(self._nursery)
        self._ledger = MemoryLedger()
        self.chronicle = chronicle = Chronicle(self._ledger, past.serial if past else 0)
        state = None if self._state_path is None else StateDirectory(self._state_path)
        self.endpoint = make_endpoint(
            self._game, self._seed, self._settings, self._clock, state=state
        )
        self.endpoint.turns.commit = chronicle.commit
        spawner = cast("trio.Nursery", self._life)
        self.endpoint.open(spawner, spawner, None, Legacy(chronicle, past, self))
        chronicle.checkpoint()

    @property
    def entries(self) -> Sequence[bytes]:
        """What the next process would find."""
        return self._ledger.entries

    def connect(self) -> MemoryLink:
        number = next(self._numbers)
        ours, theirs = memory_link_pair()
        theirs.ledger_id, self._peers[number] = number, ours
        self._life.start_soon(self.endpoint.welcome, theirs)
        return ours

    def reboot(self) -> None:
        """Die, and lose all connections."""
        for ours in self._peers.values():
            ours.close()
        self._peers.clear()
        self.die()

    def die(self, settings: Mapping[str, Any] | None = None) -> None:
        """End this life, and go on in another one, perhaps with other settings."""
        self.deaths += 1
        self._settings = self._settings if settings is None else settings
        self._life.end()
        past = Past(self.entries)
        met = {each.link for one in past.endpoints.values() for each in one.clients.values()}
        self._live(past)
        for number, ours in self._peers.items():
            if number not in met and not ours.gone:  # nobody has heard of it yet
                self._life.start_soon(self.endpoint.welcome, self._again(number))

    def resume(self, number: int, transport: Transport, door: Door) -> Link | None:
        """The server's end of a link, made again."""
        return self._again(number) if number in self._peers else None

    def newcomers(self, came: Came) -> Sequence[Accepted]:
        return ()

    def _again(self, number: int) -> MemoryLink:
        ours = self._peers[number]
        former, again = ours.other, MemoryLink()
        again.ledger_id = number
        again.refill(former.waiting)
        again.other, ours.other = ours, again
        former.other = MemoryLink()  # nobody hears the dead
        former.other.other = former
        return again
