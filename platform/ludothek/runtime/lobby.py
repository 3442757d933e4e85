"""A lobby: a table, the clients at it, and the match they play."""

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

import structlog
import trio

from ludothek.contract.effects import (
    TABLE_EFFECTS,
    Began,
    Close,
    Effect,
    Ended,
    Inform,
    Kick,
    Release,
    Renew,
    Save,
)
from ludothek.contract.orders import Fault, Order, Shutdown
from ludothek.contract.table import Table
from ludothek.kit.reports import careful, words
from ludothek.runtime.actor import Actor
from ludothek.runtime.begun import Begun
from ludothek.runtime.bout import Bout
from ludothek.runtime.clerk import Clerk
from ludothek.runtime.companions import Companions
from ludothek.runtime.connection import Connection, connection
from ludothek.runtime.ending import FAULT, SHUTDOWN
from ludothek.runtime.estate import Estate
from ludothek.runtime.journal import Journal
from ludothek.runtime.recovery import PastLobby
from ludothek.runtime.rerun import Prologue, Rerun
from ludothek.storage.results import Result
from transports import as_bug

if TYPE_CHECKING:
    from ludothek.runtime.hall import Hall

log = structlog.get_logger()


class Lobby(Actor):
    """One table and everything around it."""

    # Hundreds of them are open at once.
    __slots__ = ("_bug", "_clients", "_leaving", "bout", "companions", "key", "opened_from")

    _effects = TABLE_EFFECTS
    talk: Table
    clerk: Clerk

    def __init__(
        self,
        hall: "Hall",
        key: str,
        table: Table,
        seed: int | str = 0,
        prologue: Prologue | None = None,
    ) -> None:
        super().__init__(hall, table)
        self.key = key
        self.opened_from: str | None = None  # the origin of the client that opened it
        self.clerk = Clerk(hall, key, seed, getattr(table, "recipe", None), prologue)
        self.bout = Bout()
        self.companions = None if hall.bring_bots is None else Companions(hall.bring_bots)
        self._clients: dict[Connection, None] = {}  # in order of arrival
        self._leaving: Connection | None = None  # counts as present while its leaving is handled
        self._bug: Exception | None = None

    @property
    def table(self) -> Table:
        return self.talk

    @property
    def seed(self) -> int | str:
        return self.clerk.beginning.seed

    @property
    def serial(self) -> int:
        """Under which number the chronicle knows it."""
        return self.clerk.serial

    @property
    def journal(self) -> Journal:
        return self.clerk.journal

    @property
    def facts(self) -> dict[str, Any]:
        return {**self.hall.facts, "lobby": self.key}

    @property
    def crashed(self) -> bool:
        """Whether a bug has ended it."""
        return self._bug is not None

    @property
    def match_id(self) -> str:
        """Of the current match; empty if there is none."""
        return "" if self.bout.began is None else self.bout.began.id

    @property
    def match_runs(self) -> bool:
        """Whether a match has begun and is not over."""
        return self.bout.began is not None

    # Coming and going

    @property
    def clients(self) -> Iterable[Connection]:
        """Those who are here, in order of arrival."""
        return self._clients.keys()

    def clients_from(self, origin: str) -> int:
        """How many clients of one origin are here."""
        return sum(client.origin == origin for client in self._clients)

    def serves(self, client: Connection) -> bool:
        return client in self._clients

    def enter(self, client: Connection, admission: Any, *, listen: bool) -> None:
        """Let a client come in."""
        if client.closing:
            return  # it was dropped on its way here
        self._seat(client)
        client.lobbies = (*(each for each in client.lobbies if each is not self), self)
        if listen:
            client.listener = self
        self.step(self.table.enter, (client, admission), client)

    def _seat(self, client: Connection) -> None:
        self._clients[client] = None
        if self.companions is not None:
            self.companions.seated.set() if client.hosted else self.companions.greet()

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
        client.touch()
        client.lobbies = tuple(each for each in client.lobbies if each is not self)
        if client.listener is self:
            client.listener = self.hall.foyer
        return True

    def _take_leave(self, client: Connection) -> None:
        self._leaving = client
        self.step(self.table.leave, (client,), client)
        self._leaving = None
        self.clerk.part(client)
        if self.companions is not None and all(each.hosted for each in self._clients):
            self.companions.dismiss()

    def _hosts(self) -> set[str]:
        """Where the people come from who are here."""
        present = [*self._clients, self._leaving] if self._leaving else [*self._clients]
        return {client.host for client in present if not client.hosted}

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
            case Inform(notice=notice):
                self.hall.pending.append(partial(self.hall.foyer.hear_of, self, notice))
            case Began():
                self._begin(effect)
            case Ended() | Save() | Renew():
                self._end(effect)
            case _:
                super()._perform(effect)

    def _begin(self, began: Began) -> None:
        time, date = self.hall.stamp()
        self.bout.begin(Begun.at(began, time, date, self.hall.game, self.key), self._hosts())

    def _end(self, effect: Ended | Save | Renew) -> None:
        """Something is over, which is dealt with after the step."""
        match effect:
            case Ended():
                self._end_match(effect)
            case Save():
                self.bout.keep(effect)
            case Renew():
                self.clerk.renewal = effect
        self._afterwards = self._close_chapter

    def _end_match(self, ended: Ended | None) -> None:
        """A match is over; without a word about it, if its table could not tell."""
        running = self.match_runs
        self.bout.end(ended, self.hall.clock.time(), self._hosts())
        if running and self.watch is not None:
            self.watch.ended(self.bout.conclusion)

    def _close_chapter(self) -> None:
        """The step leaves something behind, and perhaps everything begins anew."""
        self._afterwards = None
        conclusion, files = self.bout.take()
        if conclusion is not None or files:
            self.hall.keep(self, conclusion, files)
        # Long messages that are not made yet were asked for before: then the journal goes on.
        if self._errands.fetches:
            self.clerk.remember()
        elif self.clerk.renew(self._clients) and self.hall.annals is not None:
            self.hall.annals.renewed(self)

    def record(self, about: Mapping[str, Any]) -> Callable[[], bytes]:
        """Makes the content of a record of everything so far, for a worker thread."""
        return self.estate(about).record

    def estate(
        self, about: Mapping[str, Any], result: Result | None = None, files: int = 0
    ) -> Estate:
        """Everything from which the result, the record and so many files can be written."""
        pages, notes = self.journal.content
        return Estate(
            about=about,
            result=result,
            saves=files,
            beginning=self.clerk.beginning,
            pages=(*pages,),
            notes=notes,
            digest=self.journal.digest,
        )

    # Running

    def resume(self, past: PastLobby, rerun: Rerun) -> None:
        """Continue where the lobby of another process has stopped."""
        self.opened_from, self.bout.hosts = past.opened_from, past.hosts
        self.clerk.resume(past, rerun)
        self.bout.resume(rerun.began)
        self._errands.resume(rerun.fetches, rerun.work)
        for client in rerun.present.values():
            if isinstance(client, Connection):
                self._seat(client)
        if self.match_runs:
            self.bout.hosts |= self._hosts()

    async def run(self) -> None:
        """Run the table's timers until the lobby is closed; raises the bug that ended it."""
        try:
            await super().run()
        finally:
            self.close()
        if self._bug is not None:
            raise self._bug

    def _employ(self, nursery: trio.Nursery) -> None:
        super()._employ(nursery)
        if self.companions is not None:
            nursery.start_soon(self.companions.run, self)

    # Closing

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
        self.bout.ending = SHUTDOWN
        self.step(self.table.order, (Shutdown(),), None)
        self.close()

    def abandon(self, clients: Iterable[Connection]) -> None:
        """End it because it cannot continue; its table may not know all clients that were here."""
        self._clients |= dict.fromkeys(clients)
        self._break_off()

    def _fail(self, bug: BaseException, by: Connection | None) -> None:
        self._bug = as_bug(bug)
        self._break_off()

    def _break_off(self) -> None:
        """Say goodbye as well as a broken table can, and close in the same step."""
        self.bout.ending = FAULT
        try:
            self.clerk.note(self.table.order, (Fault(),), None, None)
            self._perform_all(self.table.order(Fault()))
        except BaseException as another:
            with careful("a crashed table could not say goodbye"):
                log.warning("a crashed table could not say goodbye", error=words(another))
        finally:
            self.close()

    def close(self) -> None:
        """Close the lobby at once; its clients go back to the reception."""
        if not self.open:
            return
        self.open = False
        with careful("the match of a lobby that closes"):
            self._end_match(None)
        self._afterwards = self._close_chapter
        if not self._stepping:
            self._conclude()
        self._alarm.cancel()
        for client in tuple(self._clients):
            self._forget(client)
            self.hall.pending.append(partial(self.hall.foyer.take_back, client))
        self.hall.forget(self)
