"""A lobby: a table, the clients at it, and the match they play."""

from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING, Any

import attrs
import structlog
import trio

from ludothek.contract import plain
from ludothek.contract.codec import Malformed
from ludothek.contract.effects import (
    Began,
    Close,
    Effect,
    Effects,
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
from ludothek.runtime.actor import Actor, connection
from ludothek.runtime.connection import Connection
from ludothek.runtime.discretion import without_passwords
from ludothek.runtime.ending import FAULT, SHUTDOWN, untold
from ludothek.runtime.estate import Estate
from ludothek.runtime.ghost import introduce
from ludothek.runtime.journal import Journal
from ludothek.runtime.note import HALVES, Kind
from ludothek.runtime.recovery import PastLobby
from ludothek.runtime.rerun import Beginning, Rerun
from ludothek.storage.results import Result
from transports import as_bug

if TYPE_CHECKING:
    from ludothek.contract.client import Client
    from ludothek.runtime.hall import Hall
    from ludothek.runtime.hosted_bot import HostedBot

log = structlog.get_logger()

# Lets bots play with the people in a lobby until cancelled.
BringBots = Callable[["Lobby"], Awaitable[None]]


class Lobby(Actor):
    """One table and everything around it."""

    # Hundreds of them are open at once.
    __slots__ = (
        "_bots_scope",
        "_bug",
        "_clients",
        "_ending",
        "_files",
        "_leaving",
        "_match",
        "_peopled",
        "_renewal",
        "_revisions",
        "_told_result",
        "beginning",
        "bots",
        "hosts",
        "key",
        "opened_from",
        "seed",
        "serial",
        "table",
        "times_joined_by_bots",
    )

    def __init__(self, hall: "Hall", key: str, table: Table, seed: int | str = 0) -> None:
        super().__init__(hall, table)
        self.key = key
        self.table = table
        self.seed = seed
        self.serial = 0  # unlike all others of the daemon, also of earlier processes
        self.opened_from: str | None = None  # the origin of the client that opened it
        self.beginning: Beginning
        self.journal: Journal
        self._open_journal(getattr(table, "recipe", None))
        self.hosts: set[str] = set()  # of the clients that saw the match begin or end
        self.times_joined_by_bots = 0
        self.bots: list[HostedBot] = []  # that come back from another process
        self._clients: dict[Connection, None] = {}  # in order of arrival
        if hall.bring_bots is not None:
            self._tasks = (partial(self._keep_company, hall.bring_bots),)
        self._bots_scope = trio.CancelScope()
        self._peopled = trio.Event()  # somebody is here who is not a bot
        self._match: tuple[Began, float] | None = None  # the current one, and when it began
        self._ending = ""  # why everything ends now, if it does
        self._leaving: Connection | None = None  # counts as present while its leaving is handled
        self._bug: Exception | None = None
        self._told_result: tuple[Ended, float] | None = None  # of the match that this step ends
        self._files: list[Save] = []  # that this step asks to keep
        self._renewal: Renew | None = None

    @property
    def facts(self) -> dict[str, Any]:
        return {**self.hall.facts, "lobby": self.key}

    @property
    def crashed(self) -> bool:
        """Whether a bug has ended it."""
        return self._bug is not None

    @property
    def match_runs(self) -> bool:
        """Whether a match has begun and is not over."""
        return self._match is not None

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
        client.touch()
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

    def resume(self, past: PastLobby, rerun: Rerun) -> None:
        """Go on where the lobby of another process has stopped."""
        self.serial, self.opened_from, self.hosts = past.serial, past.opened_from, past.hosts
        self.beginning = past.beginning
        self.journal = Journal()
        self.journal.resume(past.notes, rerun.digest)
        self._match = rerun.began
        self._fetches, self._work = rerun.fetches, [(work, None) for work in rerun.work]
        for client in rerun.present.values():
            if isinstance(client, Connection):
                self._clients[client] = None
                if not client.hosted:
                    self._peopled.set()
        if self._match is not None:
            self.hosts |= self._hosts_present()

    def abandon(self, clients: Iterable[Connection]) -> None:
        """End it because it cannot go on; its table may not know all clients that were here."""
        self._clients |= dict.fromkeys(clients)
        self._break_off()

    def hear(self, client: Connection, message: Any, frame: bytes | None) -> None:
        # The table hears what is written down, so that what it answers can be repeated.
        if frame is not None and (discreet := without_passwords(frame)) is not frame:
            message, frame = self._codec.decode_request(discreet), discreet
        super().hear(client, message, frame)

    # The journal

    def _open_journal(self, recipe: Any, present: Collection[Connection] = ()) -> None:
        """Begin a journal from which this table can be repeated."""
        self.journal = Journal()
        self._revisions: dict[Connection, int] = {}  # of clients, when they were last introduced
        met: dict[int, bytes] = {}
        try:
            met.update((client.number, introduce(client)) for client in present)
            data = plain.write(
                recipe, lambda client: met.update({client.number: introduce(client)})
            )
        except plain.NotPlain as problem:
            data = b"null"
            self.journal.give_up(str(problem))
        if recipe is None:
            self.journal.give_up("a table without a recipe")
        time, date = self.hall.stamp()
        self.beginning = Beginning(
            lobby=self.key,
            seed=self.seed,
            time=time,
            date=date,
            recipe=data,
            introduced=met,
            present=tuple(client.number for client in present),
        )

    def _note(
        self,
        act: Callable[..., Effects],
        args: tuple[Any, ...],
        by: Connection | None,
        frame: bytes | None,
    ) -> None:
        hall = self.hall
        if frame is not None and by is not None and self._revisions.get(by) == by.revision:
            # As nearly always: a message of a client that is known.
            note = self.journal.note(hall.stamp(), Kind.RECEIVE, by.number, frame)
            if hall.annals is not None:
                hall.annals.noted(self, note)
            return
        try:
            if by is not None:
                self.acquaint(by)
            if frame is not None:
                self._write(Kind.RECEIVE, by, frame)
            else:
                self._write(*self._put(act.__name__, args, by))
        except Exception as problem:  # whatever it is: the match goes on without a record
            self.journal.give_up(words(problem))
            told = [arg for arg in args if arg is not by]
            self._write(Kind.UNWRITTEN, by, f"{act.__name__} {words(told)}".encode(errors=HALVES))

    def acquaint(self, client: Connection) -> None:
        """The reception may have changed what is known about a client."""
        if self._revisions.get(client) != client.revision:
            self._revisions[client] = client.revision
            self._introduce(client)

    def _put(
        self, what: str, args: tuple[Any, ...], by: Connection | None
    ) -> tuple[Kind, Connection | None, bytes]:
        """A happening other than a frame, as it is written."""
        match what:
            case "receive" if isinstance(args[1], Malformed):
                return Kind.MALFORMED, by, args[1].reason.encode(errors=HALVES)
            case "enter":
                return Kind.ENTER, by, self._plain(args[1])
            case "leave":
                return Kind.LEAVE, by, b""
            case "time_up":
                return Kind.TIME_UP, None, words(args[0]).encode(errors=HALVES)
            case "order" | "told":
                return Kind[what.upper()], None, self._plain(args[0])
            case "worked":
                return Kind.WORKED, by, self._plain(args)
        raise plain.NotPlain(f"cannot write down {what}")

    def _plain(self, value: Any) -> bytes:
        met: list[Client] = []
        data = plain.write(value, met.append)
        for client in met:
            if not self.journal.knows(client.number):
                self._introduce(client)
        return data

    def _introduce(self, client: "Client") -> None:
        """Write down what is known about a client, unless that was done before."""
        known = introduce(client)
        if self.journal.introduce(client.number, known):
            self._write(Kind.INTRODUCED, client, known)

    def _write(self, kind: Kind, by: "Client | None", content: bytes) -> None:
        number = 0 if by is None else by.number
        note = self.journal.note(self.hall.stamp(), kind, number, content)
        if self.hall.annals is not None:
            self.hall.annals.noted(self, note)

    def _deliver(self, client: Connection, frame: bytes, made: datetime) -> None:
        if self._serves(client):
            self._write(Kind.FETCHED, client, made.isoformat().encode())
            self.journal.sent(frame, (client,))
            client.post(frame)

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
            beginning=self.beginning,
            pages=(*pages,),
            notes=notes,
            digest=self.journal.digest,
        )

    def _close_chapter(self) -> None:
        """A step leaves something behind, and perhaps everything begins anew."""
        told, self._told_result = self._told_result, None
        files, self._files = self._files, []
        if told is not None or files:
            self.hall.keep(self, told, files)
        self._afterwards = None
        renewal, self._renewal = self._renewal, None
        # Who waits for a long message has asked for it before: then the journal just goes on.
        if renewal is not None and not self._fetches:
            self.seed = renewal.seed
            self._open_journal(renewal.recipe, self._clients)
            if self.hall.annals is not None:
                self.hall.annals.renewed(self)

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
            case Renew():
                self._renewal, self._afterwards = effect, self._close_chapter
            case Save():
                self._files.append(effect)
                self._afterwards = self._close_chapter
            case Inform(notice=notice):
                self.hall.pending.append(partial(self.hall.foyer.hear_of, self, notice))
            case Began():
                self._match = effect, self.hall.clock.time()
                self.hosts = self._hosts_present()
            case Ended():
                self._end_match(effect)
            case _:
                super()._perform(effect)

    def _fail(self, bug: BaseException, by: Connection | None) -> None:
        self._bug = as_bug(bug)
        self._break_off()

    def _break_off(self) -> None:
        """Say goodbye as well as a broken table can, and close in the same step."""
        self._ending = FAULT
        try:
            self._note(self.table.order, (Fault(),), None, None)
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
        self._told_result, self._afterwards = (ended, seconds), self._close_chapter

    def _hosts_present(self) -> set[str]:
        present = [*self._clients, self._leaving] if self._leaving else [*self._clients]
        return {client.host for client in present if not client.hosted}

    def _end_untold_match(self) -> None:
        """Record a match whose table could not report its end."""
        if self._match is not None:
            self._end_match(untold(self._match[0]))

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
        if not self._stepping:
            self._close_chapter()
        self._alarm.cancel()
        for client in tuple(self._clients):
            self._forget(client)
            self.hall.pending.append(partial(self.hall.foyer.take_back, client))
        self.hall.forget(self)
