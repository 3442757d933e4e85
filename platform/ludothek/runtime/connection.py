"""A connected peer as the core sees it: what it sends, what it is sent, and how it ends."""

from collections.abc import Callable
from contextvars import copy_context
from functools import partial
from typing import TYPE_CHECKING, Any

import structlog
import trio

from ludothek.contract.clauses import Breach, Consequence
from ludothek.contract.client import Client
from ludothek.contract.codec import Codec, Malformed
from ludothek.contract.effects import Send
from ludothek.contract.limit_clauses import framing_broken, limit_broken
from ludothek.observe.coverage import Usage
from ludothek.observe.traffic import Traffic
from ludothek.runtime.explanations import Explanation, Explanations, RefusedClient
from ludothek.settings.limits import origin
from transports import BUGS, Bucket, Complaint, Farewell, Frame, Link, Unreadable
from transports.memory import MemoryLink

if TYPE_CHECKING:
    from ludothek.runtime.foyer import Foyer
    from ludothek.runtime.hosted_bot import HostedBot
    from ludothek.runtime.lobby import Lobby
    from ludothek.runtime.person import Person
    from ludothek.wire.tap import Tap

log = structlog.get_logger()

# Seconds for the last goodbye (a close frame and its answer), also during shutdown.
GOODBYE = 1.5

# Seconds until the server notices that a peer has hung up whose messages are held, and wait.
LOOK_SECONDS = 1.0


class Connection:
    """A client and its link: `post` never waits, and a peer that stops reading is dropped."""

    __slots__ = (
        "_bug",
        "_codec",
        "_farewell",
        "_foyer",
        "_held",
        "_link",
        "_traffic",
        "chats",
        "explanations",
        "heard",
        "held_frame",
        "hosted",
        "key",
        "listener",
        "lobbies",
        "name",
        "number",
        "parted",
        "peer",
        "revision",
        "tap",
        "told",
        "usage",
        "visitor",
    )

    def __init__(
        self,
        number: int,
        link: Link,
        codec: Codec,
        foyer: "Foyer",
        usage: Usage,
        *,
        traffic: Traffic | None = None,
        hosted: bool = False,
    ) -> None:
        self.number = number
        self.key = str(number)
        self.name = ""
        self.hosted = hosted
        self.peer = link.peer
        self.visitor: Any = None
        self.revision = 0  # grows whenever the reception may have changed what is known about it
        self.chats: Bucket | None = None
        self.heard = 0  # messages received
        self.explanations: Explanations | None = None  # why its messages were refused, if any
        self.usage = usage  # of the protocol
        self.told = usage.told  # where its actor counts what it is sent
        self.parted = False  # the reception knows that it is gone
        self.held_frame: bytes | None = None  # the one it is held for
        self.tap: Tap | None = None  # records its traffic
        self.lobbies: tuple[Lobby, ...] = ()  # those it is in, the latest last
        self.listener: Foyer | Lobby = foyer  # receives its messages
        self._foyer = foyer
        self._link = link
        self._codec = codec
        self._traffic = traffic or Traffic()  # of its endpoint
        self._farewell: Farewell | None = None
        self._held = False  # its messages have to wait
        self._bug: Exception | None = None
        if isinstance(link, MemoryLink):
            link.on_change = self.touch
        link.on_breach = self.refuse

    def __repr__(self) -> str:
        return f"<client {self.number}>"

    @property
    def host(self) -> str:
        return (self.peer.rpartition(":")[0] or self.peer).strip("[]")

    @property
    def origin(self) -> str:
        return origin(self.host)

    def resume(self, farewell: Farewell | None, held: bytes | None, *, parted: bool) -> None:
        """Be as far as another process had come with it."""
        self._farewell, self.held_frame, self.parted = farewell, held, parted

    @property
    def link_id(self) -> int | None:
        """Under which number the ledger knows its link; None for one inside this process."""
        return None if self.hosted or self.person is not None else self._link.ledger_id

    @property
    def bot(self) -> "HostedBot | None":
        """The bot of this daemon that it is."""
        return self._owner if self.hosted else None

    @property
    def person(self) -> "Person | None":
        """Who plays it on the page."""
        return None if self.hosted else self._owner

    @property
    def foreign(self) -> bool:
        """Whether it is somebody's program: neither a bot of ours nor played on the page."""
        return not self.hosted and self.person is None

    @property
    def _owner(self) -> Any:
        return self._link.owner if isinstance(self._link, MemoryLink) else None

    @property
    def lost(self) -> bool:
        """Whether its connection did not survive the last process."""
        return self._link.ledger_id == 0

    @property
    def place(self) -> str | None:
        """The lobby it is in, for people who watch."""
        return self.lobbies[-1].key if self.lobbies else None

    @property
    def places(self) -> tuple[str, ...]:
        return tuple([lobby.key for lobby in self.lobbies])

    # Receiving

    async def run(self, *, resumed: bool = False) -> None:
        """Serve the peer until it hangs up or is dropped.

        Another process may have served it until now: then it is `resumed`. Raises the bug that one
        of its messages has revealed in the reception.
        """
        try:
            # A peer may be dropped before it is served, or be parting already.
            if not self.parted and (self._farewell is None or resumed):
                try:
                    (self._repeat_held_frame if resumed else self._arrive)()
                    await self._listen()
                except (trio.EndOfChannel, trio.BrokenResourceError):
                    pass
                finally:
                    self._foyer.part(self)
            if self._bug is not None:
                raise self._bug
            self.close()
            with trio.move_on_after(self._link.outbox_limits.seconds):
                await self._link.flush()
        except BUGS:  # also of a codec, of which nobody has told us
            self._farewell = Farewell.FAULT
            raise
        finally:
            self._link.on_breach = None
            self._note_drop()
            with trio.move_on_after(GOODBYE, shield=True):
                await self._link.aclose(self._farewell or Farewell.DONE)

    def _arrive(self) -> None:
        self._foyer.arrive(self)

    def _repeat_held_frame(self) -> None:
        """Say again what the other process has not answered."""
        frame, self.held_frame = self.held_frame, None
        if frame is not None and self._farewell is None:
            self._hear(frame)

    async def _listen(self) -> None:
        while self._farewell is None:
            if self._held:
                await self._wait()
            else:
                await self._link.converse(self._hear)

    async def _wait(self) -> None:
        with trio.move_on_after(LOOK_SECONDS):
            await self._link.rest()
        if self._held and self._link.gone:
            raise trio.EndOfChannel

    def _hear(self, frame: Frame) -> None:
        if isinstance(frame, Unreadable):
            if self.tap is not None:
                self.tap.note(self, f"unreadable: {frame.reason}")
            self.listener.hear(self, Malformed(frame.reason), None)
            return
        traffic = self._traffic
        traffic.frames_in += 1
        traffic.bytes_in += len(frame)
        self.heard += 1
        if self.tap is not None:
            self.tap.heard(self, frame)
        message = self._codec.decode_request(frame)
        self.usage.count(message)
        self.listener.hear(self, message, frame)

    def hold(self, frame: bytes | None = None) -> None:
        """Handle no messages until `unhold` is called; they wait, and so does the peer.

        The frame is what it waits for an answer to.
        """
        self.held_frame = frame
        self._held = True
        self._link.hush()
        self.touch()

    def unhold(self) -> None:
        self.held_frame = None
        if self._held:
            self._held = False
            self._link.hush()  # which wakes whoever waits
            self.touch()

    def touch(self) -> None:
        """What the next process has to know about it may change in this turn."""
        if (annals := self._foyer.hall.annals) is not None:
            annals.touch(self)

    def charge(self, copies: int) -> None:
        """Charge it for its latest message, which was passed on to that many others."""
        self._link.charge(copies)

    def explain(self, breach: Breach, consequence: Consequence) -> None:
        """Tell the log, the wire log and organisers which clause it has broken."""
        explanation, explanations = self._remember(breach, consequence)
        # No answer waits for a line of the log. The line still says where this has happened.
        loud = explanations.is_loud(explanation)
        tell = partial(copy_context().run, explanation.log, loud)
        self._foyer.hall.turns.after(tell)

    def _remember(
        self, breach: Breach, consequence: Consequence
    ) -> tuple[Explanation, Explanations]:
        explanation = Explanation(self._foyer.hall.clock.date(), breach, consequence)
        if self.explanations is None:
            self.explanations = Explanations()
        self.explanations.add(explanation)
        # What may have crossed with another message is nobody's mistake.
        forgiven = consequence.tolerated or breach.clause.crossing
        self.usage.broken[breach.clause.id] += not forgiven
        if self.tap is not None:
            self.tap.explained(self, explanation)
        return explanation, self.explanations

    def as_refused(self) -> RefusedClient | None:
        """What is remembered of it when it is gone, if it has broken any clause."""
        if self.explanations is None:
            return None
        return RefusedClient(
            number=self.number,
            key=self.key,
            name=self.name,
            peer=self.peer,
            explanations=self.explanations,
        )

    # Sending

    def post(self, frame: bytes) -> None:
        """Send an encoded frame."""
        if self._farewell is not None:
            return
        frame = self._codec.address(frame, self.key)
        self._link.post(frame)
        traffic = self._traffic
        traffic.frames_out += 1
        traffic.bytes_out += len(frame)
        if self.tap is not None:
            self.tap.said(self, frame)

    @property
    def waiting_frames(self) -> int:
        """Frames that are waiting to be written."""
        return self._link.waiting_frames

    @property
    def waiting_bytes(self) -> int:
        return self._link.waiting_bytes

    # Closing

    @property
    def closing(self) -> bool:
        """Whether we have said goodbye to it."""
        return self._farewell is not None

    @property
    def gone(self) -> bool:
        """Whether the peer has hung up, or we have."""
        return self._farewell is not None or self._link.gone

    @property
    def farewell(self) -> Farewell | None:
        """How we have said goodbye to it."""
        return self._farewell

    def refuse(self, complaint: Complaint) -> None:
        """Drop the peer because it has broken a limit, and tell it so."""
        self._remember_limit(complaint)
        if self._farewell is None and (words := self._codec.refusal(complaint)) is not None:
            self.post(words)
        self.close(Farewell.REFUSED)

    def drop(self, complaint: Complaint) -> None:
        """The same for limits that only games know; it is logged and counted."""
        if self._farewell is None:
            self._log_drop(log.warning, complaint)
            self._traffic.drops[complaint.key] += 1
            self.refuse(complaint)

    def fail(self, bug: Exception) -> None:
        """Hang up because of a bug, which `run` raises; others may follow from the first one."""
        self._bug = self._bug or bug
        self.close(Farewell.FAULT)

    def close(self, farewell: Farewell = Farewell.DONE) -> None:
        """Hang up politely: what was sent still arrives, if the peer reads it in time."""
        if self._farewell is None:
            self._farewell = farewell
            self.touch()
            self.unhold()
            self._link.hush()
            self._link.end(farewell)  # from now on nothing is received; only writing goes on

    def _note_drop(self) -> None:
        if complaint := self._link.complaint:
            self._remember_limit(complaint)
            self._log_drop(log.info, complaint)
            self._traffic.drops[complaint.key] += 1
            self._farewell = Farewell.REFUSED
        elif broken := self._link.broken:
            self.explain(framing_broken(broken), Consequence.KICKED)

    def _log_drop(self, level: Callable[..., Any], complaint: Complaint) -> None:
        level(
            "client dropped",
            client=self.number,
            address=self.host,
            clause=complaint.clause,
            reason=complaint.value,
        )

    def _remember_limit(self, complaint: Complaint) -> None:
        """It is dropped for this; some limits are noticed twice, by the link and by us."""
        breach = limit_broken(complaint)
        latest = self.explanations.latest if self.explanations else ()
        if not any(each.breach.clause is breach.clause for each in latest):
            self._remember(breach, Consequence.KICKED)


def connection(client: Client) -> Connection:
    """The core's view of a client."""
    if not isinstance(client, Connection):
        raise TypeError(f"{client!r} is no client of this server")
    return client


def receivers(send: Send) -> tuple[Connection, ...]:
    """Who gets a message."""
    to = send.to
    if isinstance(to, Connection):
        return (to,)
    clients: tuple[Any, ...] = tuple(to)  # type: ignore[arg-type]
    for client in clients:
        if type(client) is not Connection:
            connection(client)  # raises TypeError
    return clients
