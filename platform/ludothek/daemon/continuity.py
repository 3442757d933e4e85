"""Continuing where the last process stopped, and leaving the next one what it needs."""

import socket
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from pathlib import Path

import structlog
import trio

from ludothek.daemon.handover import COUNTER, Handover
from ludothek.daemon.store import Store
from ludothek.runtime.annals import RETIRED
from ludothek.runtime.chronicle import Chronicle
from ludothek.runtime.endpoint import Endpoint
from ludothek.runtime.legacy import Legacy
from ludothek.runtime.recovery import BadChronicle, Past
from transports import Complaint, Door, Link, Poller, Transport
from transports.byte_counts import count_bytes
from transports.ledger import Ledger
from transports.link_names import link_number
from transports.listening import Accepted
from transports.recovered_ledger import NoLedger, RecoveredLedger, read_back
from transports.recovered_link import RecoveredLink
from transports.tape import LINK, REPEATING

log = structlog.get_logger()

# The file that says until when a daemon is being drained, by its clock.
DRAINING = "draining"

# Seconds between two looks at the size of the ledger.
LOOK_SECONDS = 0.25

# Seconds after which a ledger that could not be written is tried again.
RETRY_SECONDS = 30.0


# Processes in a row that have died at the same point because of what happens there: while they
# were handling the same message, or repeating the same lobby, which takes longer.
DEADLY_MESSAGE, DEADLY_LOBBY = 2, 3

# So many more if somebody has killed them, which may be just then by chance.
KILLS = 2


class Continuity:
    """The ledger of a durable daemon, and everything that was in the one before."""

    def __init__(self, directory: Path, store: Store, *, was_killed: bool = False) -> None:
        """Read what another process has left, which may have been killed."""
        self._patience = KILLS if was_killed else 0
        self.directory = directory
        self._store = store
        self.drains_until: float | None = None  # if the process before this one was being drained
        self.is_heir = store.count > 0  # otherwise nobody has kept anything for us
        self._sockets = store.take()  # by name
        self._recovered: RecoveredLedger | None = None
        self._past: Past | None = None
        self._poller: Poller
        self._chronicle: Chronicle
        self._deadly = 0  # the number of a link that has ended processes
        self.ledger: Ledger
        try:
            self._recovered = read_back(directory)
            self._past = Past(self._recovered.notes)
        except (NoLedger, BadChronicle) as problem:
            self._recovered = None
            if self._sockets:
                log.error("matches are lost", reason=str(problem))
        if self.is_heir:
            self._read_drain()
        else:
            self._begin_anew()

    def _read_drain(self) -> None:
        with suppress(OSError, ValueError):  # as nearly always, there is none
            self.drains_until = float((self.directory / DRAINING).read_text())

    def _begin_anew(self) -> None:
        """Another daemon has died, and all connections with it: its matches end here."""
        with suppress(OSError):
            (self.directory / DRAINING).unlink()
        if self._past is None or self._recovered is None:
            return
        for endpoint in self._past.endpoints.values():
            endpoint.draining = False
        log.warning(
            "connections of an earlier daemon are gone",
            reason="its guardian has ended"
            if self._recovered.same_boot
            else "the machine was booted",
            lobbies=self._past.lobbies,
            connections=self._past.connections,
        )

    @property
    def time(self) -> float | None:
        """Until when players have had time to think, if another process has served them."""
        return None if self._recovered is None else self._recovered.time

    @property
    def problem(self) -> str | None:
        """Why nothing would survive if this process died now."""
        return self.ledger.promise.problem

    def open(self, poller: Poller) -> Legacy:
        """Have everything written down from now on."""
        self._poller = poller
        self.ledger = Ledger(
            self.directory,
            poller.turns,
            self._store,
            recovered=self._recovered,
            names=self._sockets,
        )
        self.ledger.promise.on_problem = lambda problem: log.error(
            "matches would not survive a crash", reason=problem
        )
        poller.ledger = self.ledger
        self._chronicle = Chronicle(self.ledger, self._past.serial if self._past else 0)
        poller.turns.commit = self._chronicle.commit
        culprit = self._culprit()
        if culprit & LINK:
            self._deadly = culprit & ~LINK
            culprit = 0
        return Legacy(self._chronicle, self._past, self, culprit)

    def _culprit(self) -> int:
        """The lobby or link that has ended processes at the same point; 0: none."""
        if self._past is None or self._recovered is None:
            return 0
        at_work = self._recovered.at_work
        if at_work & REPEATING:
            self._chronicle.suspicion = self._past.suspicion
            deaths = self._deaths(self._recovered, at_work)
            return at_work if deaths >= self._patience + DEADLY_LOBBY else 0
        accused = self._accused(self._recovered, at_work) if at_work & LINK else None
        accused = accused or self._past.accuse(at_work)
        if accused is None:
            return 0
        former, deaths = self._past.suspicion or (None, 0)
        deaths = deaths + 1 if accused == former else 1
        self._chronicle.suspicion = accused, deaths
        return accused[0] if deaths >= self._patience + DEADLY_MESSAGE else 0

    def _deaths(self, recovered: RecoveredLedger, at_work: int) -> int:
        """How many processes in a row have died while they were repeating that lobby."""
        repeated, deaths = recovered.repeated
        deaths = deaths + 1 if repeated == at_work else 1
        self.ledger.count_death(at_work, deaths)
        return deaths

    def _accused(self, recovered: RecoveredLedger, at_work: int) -> tuple[int, int] | None:
        """The link that was at work when the process died, and how much of it was handled."""
        link = recovered.links.get(at_work & ~LINK)
        sock = self._sockets.get(link.name) if link is not None else None
        if link is None or sock is None:
            return None
        return at_work, _handled_bytes(link, sock)

    def accepted(self, sock: socket.socket) -> None:
        """A client has connected just now."""
        self.ledger.custody.accepted(sock.fileno())

    def resume(self, number: int, transport: Transport, door: Door) -> Link | None:
        """The link of that number, made again; None if it is lost."""
        known = self._recovered.links if self._recovered is not None else {}
        recovered = known.pop(number, None)
        if recovered is None:
            return None  # it is over; or it has not begun yet, and is a newcomer
        sock = self._sockets.pop(recovered.name, None)
        if sock is None:
            return None
        link = transport.resume(sock, recovered, self._poller, door)
        if number == self._deadly:
            log.error("processes have died of what a client has said", address=recovered.peer)
            link.complaint = Complaint.DEADLY
        return link

    def newcomers(self, came: Callable[[socket.socket], bool]) -> Sequence[Accepted]:
        """Connections that came in there and that nobody has read from yet."""
        known = self._recovered.links if self._recovered is not None else {}
        found = []
        for name, sock in [*self._sockets.items()]:
            number = link_number(name)
            if number and number not in known and came(sock) and _is_untouched(sock):
                del self._sockets[name]
                found.append(Accepted(sock, number))
        return found

    def begin(self, handover: Handover, endpoints: Iterable[Endpoint]) -> None:
        """Everybody is back: serve them, and tell how many they are."""
        handover.count_in(self.directory)
        self._hang_up(self._sockets.items())
        self._sockets = {}
        self._chronicle.checkpoint()
        handover.continuity = self
        for endpoint in endpoints:
            carried = endpoint.carried
            handover.matches.carried += carried.matches
            handover.matches.all += carried.all_matches
            handover.connections.carried += carried.connections
            handover.connections.all += carried.all_connections
        for identity, past in self._past.endpoints.items() if self._past is not None else ():
            if past.connections:
                host, retired, _ = identity.partition(RETIRED)
                removed = "by a reload" if retired else "from the configuration"
                log.error("a host that was removed ends at once", host=host, removed=removed)
            handover.matches.all += past.occupied  # as far as we know
            handover.connections.all += past.connections

    def _hang_up(self, sockets: Iterable[tuple[str, socket.socket]]) -> None:
        """End connections that belong to no endpoint any more."""
        for name, sock in sockets:
            log.info("a connection belongs to no host any more", name=name)
            with suppress(OSError):  # it may be over
                sock.shutdown(socket.SHUT_RDWR)
            sock.close()
            self._store.remove(name)

    async def run(self) -> None:
        """Keep the ledger small, and try again if it could not be written, until cancelled."""
        retry_at = 0.0
        while True:
            await trio.sleep(LOOK_SECONDS)
            with self._poller.turns.turn():
                self._chronicle.settle()
            self.ledger.look()
            if self.ledger.promise.problem is None:
                if self.ledger.wants_checkpoint:
                    self._chronicle.checkpoint()
            elif trio.current_time() >= retry_at:
                retry_at = trio.current_time() + RETRY_SECONDS
                self._chronicle.checkpoint()

    def drain(self, deadline: float) -> None:
        """The next process has to end as well, after the last match or at that time."""
        with suppress(OSError):  # then it serves until somebody ends it
            (self.directory / DRAINING).write_text(str(deadline))

    def end(self) -> None:
        """Nobody comes after this process: it has said goodbye to everybody."""
        self.ledger.promise.on_problem = None
        self.ledger.end()
        for name in (COUNTER, DRAINING):
            with suppress(OSError):
                (self.directory / name).unlink()


def _is_untouched(sock: socket.socket) -> bool:
    """Whether nobody has read from it or written to it: otherwise only its ledger could tell how
    to continue, and has been lost."""
    try:
        counts = count_bytes(sock)
    except OSError:
        return False
    return counts.read == counts.written == 0


def _handled_bytes(link: RecoveredLink, sock: socket.socket) -> int:
    """Up to where the stream of a peer was handled; -1 if that cannot be known."""
    try:
        return link.handled(count_bytes(sock))
    except OSError:
        return -1
