"""A lobby: a table, the clients at it, and its alarm."""

from collections import deque
from collections.abc import Awaitable, Callable
from typing import Any

import attrs
import structlog
import trio

from ludothek.client import Client
from ludothek.clock import Clock
from ludothek.codec import Codec
from ludothek.orders import Fault, OrderRefused
from ludothek.table import Close, Effect, Effects, Kick, Release, Save, Send, Table

log = structlog.get_logger()

# Happenings kept for the report of a crash. A whole match fits in all our games, and a lobby
# still costs a few kilobytes; long messages (chat) push out older ones.
JOURNAL = 500
JOURNAL_BYTES = 256 * 1024


# What a lobby does to keep its people company.
Company = Callable[["Lobby"], Awaitable[None]]


@attrs.frozen(repr=False)
class Name:
    """What a client is called in a report."""

    text: str

    def __repr__(self) -> str:
        return self.text


@attrs.frozen
class Happening:
    """Something that was told to the table."""

    time: float
    what: str
    args: tuple[Any, ...]
    size: int = 0  # of the message that was heard

    def __str__(self) -> str:
        return f"{self.time:.3f} {self.what}({', '.join(map(repr, self.args))})"


class Lobby:
    """One table and everything around it: calls go in, effects come out.

    The table never waits, so whatever happens is handled in one go, in the task where it
    happens; there is nothing to lock and nothing to queue.
    """

    def __init__(
        self,
        key: str,
        table: Table,
        codec: Codec,
        clock: Clock,
        seed: int = 0,
        company: Company | None = None,
        save: Callable[[Save], None] | None = None,
    ) -> None:
        self.key = key
        self.table = table
        self.seed = seed
        self.open = True
        self.journal: deque[Happening] = deque()
        self._journal_bytes = 0
        self._codec = codec
        self._clock = clock
        self._seats: dict[Client, trio.CancelScope] = {}
        self._alarm = trio.CancelScope()
        self._company = company
        self._company_scope = trio.CancelScope()
        self._save = save  # None: nothing outlives this daemon
        self._people: set[Client] = set()
        self._peopled = trio.Event()
        self._bug: Exception | None = None

    @property
    def crashed(self) -> bool:
        """Whether a bug has ended it."""
        return self._bug is not None

    async def run(self) -> None:
        """Keep the table's time until the lobby is closed; raises the bug that ended it."""
        try:
            async with trio.open_nursery() as nursery:
                if self._company is not None:
                    nursery.start_soon(self._keep_company, self._company)
                await self._keep_time()
                nursery.cancel_scope.cancel()
        finally:
            self.close()
        if self._bug is not None:
            raise self._bug

    async def _keep_time(self) -> None:
        while self.open:
            with trio.CancelScope(deadline=self.table.deadline) as self._alarm:
                await trio.sleep_forever()
            # A message in the same instant may have moved the deadline on: then it is the next
            # player's time that would be up.
            if self.open and self._clock.time() >= self.table.deadline:
                self._ring()

    def _ring(self) -> None:
        due = self.table.deadline
        self.let(self.table.time_up)
        if self.open and self.table.deadline <= due:
            self._fail(RuntimeError("time_up left the deadline as it was: an endless alarm"))

    async def _keep_company(self, company: Company) -> None:
        while True:
            await self._peopled.wait()
            if not self._people:
                continue  # they have left again in the same moment
            with trio.CancelScope() as self._company_scope:
                await company(self)
                await trio.sleep_forever()  # no more company for the same people

    def enter(self, client: Client, request: Any) -> None:
        """Let a client come in."""
        self.let(self.table.enter, client, request)
        if not client.hosted:
            self._people.add(client)
            self._peopled.set()

    def leave(self, client: Client, how: Callable[..., Effects], *args: Any) -> None:
        """Let a client go; company does not stay when nobody else does."""
        self.let(how, client, *args)
        self._people.discard(client)
        # Once only: when company itself leaves, it is waited for people already.
        if not self._people and self._peopled.is_set():
            self._peopled = trio.Event()
            self._company_scope.cancel()

    async def attend(self, client: Client, request: Any) -> None:
        """Let a client take part until it is released, hangs up, or the lobby closes."""
        with trio.CancelScope() as seat, structlog.contextvars.bound_contextvars(lobby=self.key):
            self._seats[client] = seat
            client.place = self.key
            if not self.open:
                seat.cancel()
            try:
                self.enter(client, request)
                while not seat.cancel_called:
                    self._hear(client, seat, await client.receive())
            finally:
                del self._seats[client]
                client.place = None
                self.leave(client, self.table.leave)

    def _hear(self, client: Client, seat: trio.CancelScope, message: Any) -> None:
        if seat.cancel_called:
            client.put_back(message)  # it came in the moment the seat was lost
        else:
            self.let(self.table.receive, client, message)

    def let(self, act: Callable[..., Effects], *args: Any) -> None:
        """Let the table act; a bug in it ends this lobby and nothing else.

        Raises:
          OrderRefused: it was an order of the organiser, and the table cannot obey.
        """
        if not self.open:
            return
        self._remember(act.__name__, args)
        try:
            # All effects or none: a table that fails halfway has said nothing yet.
            for effect in tuple(act(*args)):
                self._perform(effect)
            if self._alarm.deadline != self.table.deadline:
                self._alarm.deadline = self.table.deadline
        except OrderRefused:
            raise
        except Exception as bug:
            self._fail(bug)

    def _remember(self, what: str, args: tuple[Any, ...]) -> None:
        # By name only: the journal must not keep those who have left, and all that is theirs.
        names = tuple(Name(repr(arg)) if isinstance(arg, Client) else arg for arg in args)
        size = next((arg.heard_bytes for arg in args[:1] if isinstance(arg, Client)), 0)
        self.journal.append(Happening(self._clock.time(), what, names, size))
        self._journal_bytes += size
        while len(self.journal) > JOURNAL or self._journal_bytes > JOURNAL_BYTES:
            self._journal_bytes -= self.journal.popleft().size

    def _fail(self, bug: Exception) -> None:
        """Say goodbye as well as a broken table can, and close in the same step."""
        self._bug = bug
        try:
            for effect in tuple(self.table.order(Fault())):
                self._perform(effect)
        except Exception as another:
            log.warning("a crashed table could not say goodbye", error=repr(another))
        self.close()

    def _perform(self, effect: Effect) -> None:
        match effect:
            case Send(to=clients, message=message):
                frame = self._codec.encode(message)
                for client in (clients,) if isinstance(clients, Client) else clients:
                    client.post(frame)
            case Release(client=client):
                self._empty_seat(client)
            case Kick(client=client, farewell=farewell):
                client.close(farewell)
                self._empty_seat(client)
            case Close():
                self.close()
            case Save() if self._save is not None:
                self._save(effect)

    def _empty_seat(self, client: Client) -> None:
        # The client's own task does the leaving; so no effect ever calls the table.
        if seat := self._seats.get(client):
            seat.cancel()

    def close(self) -> None:
        """End the lobby at once; its clients go back to where they came from."""
        self.open = False
        self._alarm.cancel()
        for seat in self._seats.values():
            seat.cancel()
