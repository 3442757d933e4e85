"""A lobby: a table, the clients at it, and the match they play."""

from collections.abc import Awaitable, Callable
from functools import partial
from typing import TYPE_CHECKING, Any

import attrs
import structlog
import trio

from ludothek.contract.effects import (
    Began,
    Close,
    Effect,
    Ended,
    Inform,
    Kick,
    Release,
)
from ludothek.contract.orders import Fault, Order, Shutdown
from ludothek.contract.results import ranked
from ludothek.contract.table import Table
from ludothek.kit.reports import careful, words
from ludothek.runtime.actor import Actor, connection
from ludothek.runtime.connection import Connection
from ludothek.runtime.journal import Journal
from transports import as_bug

if TYPE_CHECKING:
    from ludothek.runtime.hall import Hall

log = structlog.get_logger()

# Why a match was not played to its end, where the game has no say.
SHUTDOWN, FAULT, CLOSED = "shutdown", "fault", "closed"

# Lets bots play with the people in a lobby until cancelled.
BringBots = Callable[["Lobby"], Awaitable[None]]


class Lobby(Actor):
    """One table and everything around it."""

    def __init__(self, hall: "Hall", key: str, table: Table, seed: int | str = 0) -> None:
        super().__init__(hall, table)
        self.key = key
        self.table = table
        self.seed = seed
        self.opened_from: str | None = None  # the origin of the client that opened it
        self.journal: Journal = Journal(hall.codec)
        self.hosts: set[str] = set()  # of the clients that saw the match begin or end
        self.times_joined_by_bots = 0
        self._clients: dict[Connection, None] = {}  # in order of arrival
        if hall.bring_bots is not None:
            self._tasks = (partial(self._keep_company, hall.bring_bots),)
        self._bots_scope = trio.CancelScope()
        self._peopled = trio.Event()  # somebody is here who is not a bot
        self._match: tuple[Began, float] | None = None  # the current one, and when it began
        self._ending = ""  # why everything ends now, if it does
        self._leaving: Connection | None = None  # counts as present while its leaving is handled
        self._bug: Exception | None = None

    @property
    def facts(self) -> dict[str, Any]:
        return {**self.hall.facts, "lobby": self.key}

    @property
    def crashed(self) -> bool:
        """Whether a bug has ended it."""
        return self._bug is not None

    def clients_from(self, origin: str) -> int:
        """How many clients of one origin are here."""
        return sum(client.origin == origin for client in self._clients)

    def _serves(self, client: Connection) -> bool:
        return client in self._clients

    # Coming and going

    def enter(self, client: Connection, admission: Any, *, listen: bool) -> None:
        """Let a client come in."""
        if client.closing:
            return  # it was dropped on its way here
        self._clients[client] = None
        client.lobbies = (*(each for each in client.lobbies if each is not self), self)
        if listen:
            client.listener = self
        if not client.hosted:
            self._peopled.set()
        self.step(self.table.enter, (client, admission), client)

    def leave(self, client: Connection) -> None:
        """A client has hung up."""
        if self._forget(client):
            self._take_leave(client)

    def _let_go(self, client: Connection) -> None:
        """Let a client go that is no longer wanted here; the table is told after this step, and
        then the reception gets it back."""
        if self._forget(client):
            self.hall.pending.append(partial(self._take_leave, client))
            self.hall.pending.append(partial(self.hall.foyer.take_back, client))

    def _forget(self, client: Connection) -> bool:
        if client not in self._clients:
            return False
        del self._clients[client]
        client.lobbies = tuple(each for each in client.lobbies if each is not self)
        if client.listener is self:
            client.listener = self.hall.foyer
        return True

    def _take_leave(self, client: Connection) -> None:
        self._leaving = client
        self.step(self.table.leave, (client,), client)
        self._leaving = None
        # Bots leave with the last person.
        if self._peopled.is_set() and all(each.hosted for each in self._clients):
            self._peopled = trio.Event()
            self._bots_scope.cancel()

    # Happenings

    def order(self, order: Order) -> None:
        """Give the table an order; raises OrderRefused."""
        self.let_obey(self.table.order, order)

    def _perform(self, effect: Effect) -> None:
        match effect:
            case Release(client=client):
                self._let_go(connection(client))
            case Kick(client=client):
                super()._perform(effect)
                self._let_go(connection(client))
            case Close():
                self.close()
            case Inform(note=note):
                self.hall.pending.append(partial(self.hall.foyer.hear_of, self, note))
            case Began():
                self._match = effect, self.hall.clock.time()
                self.hosts = self._hosts_present()
            case Ended():
                self._end_match(effect)
            case _:
                super()._perform(effect)

    def _fail(self, bug: BaseException, by: Connection | None) -> None:
        """Say goodbye as well as a broken table can, and close in the same step."""
        self._bug = as_bug(bug)
        self._ending = FAULT
        try:
            self._perform_all(self.table.order(Fault()))
        except BaseException as another:
            with careful("a crashed table could not say goodbye"):
                log.warning("a crashed table could not say goodbye", error=words(another))
        finally:
            self.close()

    # Bots

    async def _keep_company(self, bring_bots: BringBots) -> None:
        while True:
            await self._peopled.wait()
            self.times_joined_by_bots += 1
            with trio.CancelScope() as self._bots_scope:
                await bring_bots(self)
                await trio.sleep_forever()  # no more bots for the same people

    # The match

    def _end_match(self, ended: Ended) -> None:
        """Record each match once; ignore one that never began or is already over."""
        if self._match is None:
            return
        seconds, self._match = self.hall.clock.time() - self._match[1], None
        self.hosts |= self._hosts_present()
        if self._ending:
            ended = attrs.evolve(ended, reason=self._ending)
        self.hall.record(self, ended, seconds)

    def _hosts_present(self) -> set[str]:
        present = [*self._clients, self._leaving] if self._leaving else [*self._clients]
        return {client.host for client in present if not client.hosted}

    def _end_untold_match(self) -> None:
        """Record a match whose table could not report its end."""
        if self._match is not None:
            names = [(name, None) for name in self._match[0].players]
            places = ranked(names, None, decided=False)
            self._end_match(Ended(players=places, winner=None, reason=CLOSED, moves=0))

    # Closing

    async def run(self) -> None:
        """Run the table's timers until the lobby is closed; raises the bug that ended it."""
        try:
            await super().run()
        finally:
            self.close()
        if self._bug is not None:
            raise self._bug

    def finish(self) -> None:
        """Let the current match be the last one, and close the lobby after it."""
        self.finishing = True
        self._end_if_idle()

    def _end_if_idle(self) -> None:
        try:
            idle = self.open and self.table.summary.idle
        except BaseException as bug:
            self._fail(bug, None)
            return
        if idle:
            self.shut_down()

    def shut_down(self) -> None:
        """Close the lobby at once, but let the table say goodbye."""
        self.finishing = False
        self._ending = SHUTDOWN
        self.step(self.table.order, (Shutdown(),), None)
        self.close()

    def close(self) -> None:
        """Close the lobby at once; its clients go back to the reception."""
        if not self.open:
            return
        self.open = False
        with careful("the match of a lobby that closes"):
            self._end_untold_match()
        self._alarm.cancel()
        for client in tuple(self._clients):
            self._forget(client)
            self.hall.pending.append(partial(self.hall.foyer.take_back, client))
        self.hall.forget(self)
