"""A link over a socket that the next process continues if this one is killed."""

import socket
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from math import inf

import trio

from transports.byte_counts import ByteCounts, count_bytes
from transports.complaint import Complaint
from transports.input_account import InputAccount
from transports.ledger import Ledger
from transports.link import Farewell
from transports.link_account import LinkAccount
from transports.parting import Parting
from transports.peer_link import PeerLink
from transports.poller import TURN, Poller
from transports.recovered_link import RecoveredLink
from transports.resumable_framer import ResumableFramer
from transports.socket_link import SocketLink
from transports.state import LinkState
from transports.tape import SENT_BYTES, pack_sent
from transports.terms import TERMS, Terms

_OPEN = LinkState.OPEN  # a global, since it is looked up for every message


class DurableLink(SocketLink):
    """Reads into the ledger's tape, and writes only what was committed."""

    __slots__ = ("_account",)

    _framer: ResumableFramer

    def __init__(
        self,
        sock: socket.socket,
        framer: ResumableFramer,
        peer: str,
        poller: Poller,
        ledger: Ledger,
        number: int,
        *,
        host: str,
        head: int = 0,
        terms: Terms = TERMS,
        welcome: bytes = b"",
    ) -> None:
        """`head` bytes at the beginning of the stream were looked at, and are skipped; `welcome` is
        the first thing that is sent.

        Nothing is read or sent until somebody listens or says something, and until then the ledger
        does not know the link: so it begins in the same turn in which its client does, and never
        without it.
        """
        self._account = LinkAccount(ledger, number, host, InputAccount(framer, head), welcome)
        super().__init__(sock, framer, peer, poller, terms=terms)

    @property
    def number(self) -> int:
        """Under which the ledger knows it."""
        return self._account.number

    @property
    def ledger_id(self) -> int:
        return self._account.number

    @property
    def paused(self) -> bool:
        """Whether it neither reads nor writes."""
        return self._account.paused

    def _begin(self) -> None:
        """The ledger knows the link from the end of this turn on."""
        account = self._account
        welcome, account.welcome = account.welcome, None
        account.paused = False
        account.ledger.open(self)
        account.ledger.draft.notes += self.portrait()
        self.settle()
        self._update()
        if welcome:
            self._write((welcome, b""))

    def fileno(self) -> int:
        return self._socket.fileno()

    # Receiving

    def fetch(self) -> bytes | None:
        account = self._account
        stream = account.input
        if stream.received < stream.head and not self._skip_head():
            return None
        tape = account.ledger.tape
        piece = tape.last + 1
        announced, word, view, start = tape.slots[piece % TURN]
        tape.announce(tape.map, announced, 0, stream.received, account.number, piece)
        try:
            size = self._socket.recv_into(view)
        except (BlockingIOError, InterruptedError):
            tape.revoke(announced)
            return None
        except OSError:
            tape.revoke(announced)
            self._lose()
            return None
        if not size:
            tape.revoke(announced)
            return b""
        tape.words[word] = size
        tape.last = piece
        stream.received += size
        return tape.map[start : start + size]

    def _skip_head(self) -> bool:
        """Read what came before the first message; False if there is more of it."""
        stream = self._account.input
        try:
            stream.received += len(self._socket.recv(stream.head - stream.received))
        except (BlockingIOError, InterruptedError):
            pass
        except OSError:
            self._lose()
        return stream.received == stream.head

    def take(self, data: bytes) -> None:
        account = self._account
        tape, stream = account.ledger.tape, account.input
        tape.words[0] = account.sign
        if data:
            tape.handled += 1  # they come in the order in which they were read
        PeerLink.take(self, data)
        touched = account.ledger.draft.touched
        if self in touched:
            touched[self] += data
        elif stream.more or self._inbox.backlog is not None or self._framer.resting != stream.base:
            touched[self] = data  # otherwise the ledger knows already where the framer is

    def go_on(self) -> None:
        account = self._account
        with self._poller.turns.turn():
            if account.welcome is not None:
                self._begin()
            account.ledger.tape.words[0] = account.sign
            super().go_on()
            self._touch()

    def _update(self) -> None:
        account = self._account
        if not account.paused:
            super()._update()
        if account.welcome is None:
            self._touch()

    def _touch(self) -> None:
        """What the ledger knows about the link may change in this turn."""
        self._account.ledger.draft.touched.setdefault(self, b"")

    # Sending

    def post(self, frame: bytes) -> None:
        framer, outbox, turn = self._framer, self._outbox, self._poller.turns.corked
        if (
            turn is None
            or outbox.corked is not None
            or self._account.welcome is not None
            or self.state is not _OPEN
            or framer.ended
        ):
            PeerLink.post(self, frame)
        else:  # as nearly always: one frame for each peer in a turn
            outbox.corked = [*framer.wrap(frame)]
            turn.append(self)

    def _write(self, pieces: tuple[bytes, bytes]) -> None:
        turns = self._poller.turns
        if turns.corked is None:
            with turns.turn():
                self._write(pieces)
            return
        if self._account.welcome is not None:
            self._begin()
        if (corked := self._outbox.corked) is None:
            self._outbox.corked = [*pieces]
            turns.corked.append(self)
        else:
            corked += pieces

    def pack(self, output: list[bytes]) -> int:
        if not (pieces := self._outbox.corked):
            return 0
        account = self._account
        account.packed = data = b"".join(pieces)
        size = len(data)
        output += (pack_sent(size, account.posted, account.number), data)
        return SENT_BYTES + size

    @property
    def packed(self) -> tuple[int, int, Sequence[bytes]]:
        """The same piece by piece: the number of the link, bytes before, and what was said."""
        return self.number, self._account.posted, self._outbox.corked or ()

    def uncork(self) -> None:
        outbox, account = self._outbox, self._account
        if (pieces := outbox.corked) is None:
            return
        outbox.corked = None
        data, account.packed = account.packed or b"".join(pieces), b""
        size = len(data)
        account.posted += size
        written = 0
        if not (outbox.bytes or account.paused):
            try:
                written = self._socket.send(data)
            except (BlockingIOError, InterruptedError):
                pass
            except OSError:
                self._lose()
                return
            if written == size:
                return
            self._deadlines.be_patient(self, outbox.limits.seconds)
        account.ledger.draft.lagging[self] = None
        self._keep(pieces, written)

    def writable(self) -> None:
        with self._poller.turns.turn():
            super().writable()

    # What the ledger is told

    def account(self, data: bytes, notes: list[bytes]) -> None:
        """Note what has changed in this turn, in which these bytes were taken."""
        account = self._account
        account.input.note(account.number, data, self._framer, self._inbox.backlog, notes)
        account.note_end(self.state, notes)

    def note_lag(self, notes: list[bytes]) -> None:
        """Note the output that waits: its place in the tray is about to be used again."""
        self._account.note_lag(self._outbox, notes)

    def portrait(self) -> list[bytes]:
        """Everything that the next process needs, between two turns."""
        account = self._account
        heard = account.input.portrait(account.number, self._framer, self._inbox.backlog)
        return account.portrait(self.peer, self.state, self._outbox, heard)

    def settle(self) -> None:
        """The portrait is in the ledger."""
        self._account.input.settle(self._framer, self._inbox.backlog)
        self._account.settle(self.state)

    # After another process

    def resume(self, recovered: RecoveredLink) -> None:
        """Be where that link was; nothing is read or written before `go`."""
        account = self._account
        account.welcome = None
        account.ledger.links[account.number] = self
        account.parting = Parting(recovered.farewell, recovered.has_left)
        try:
            counts = count_bytes(self._socket)
        except OSError:  # it is gone; reading will tell
            counts = ByteCounts(0, 0, over=True)
        self._resume_output(recovered, counts)
        if not account.input.resume(recovered.input, counts):
            self.complaint = Complaint.INTERRUPTED
        try:
            self._resume_framer(recovered)
        except Exception:  # it is of a version that has another state
            self.complaint = Complaint.INTERRUPTED
        if recovered.state is not LinkState.OPEN or self._framer.ended:
            self.state = LinkState.ENDED
            self._inbox.finish(trio.EndOfChannel)
        if recovered.state is LinkState.CUT_OFF:
            self._cut_off()
        self._inbox.held = True  # until `go`

    def _resume_output(self, recovered: RecoveredLink, counts: ByteCounts) -> None:
        self._account.posted = counts.written
        if recovered.state is LinkState.CUT_OFF or counts.over:
            return
        rest = recovered.posted_from(counts.written)
        if rest is None:
            self.complaint = Complaint.INTERRUPTED
            recovered.state = LinkState.CUT_OFF
        elif rest:
            self._account.posted += len(rest)
            self._outbox.keep((rest, b""))
            self._outbox.waiting.peers.add(self)

    def _resume_framer(self, recovered: RecoveredLink) -> None:
        known = recovered.input
        if known.framer is not None:
            self._framer.resume(known.framer, spoken=self._account.posted > 0)
        frames = list(known.backlog)
        for chunk in known.chunks:
            frames += self._framer.feed(chunk)  # which may step in
            self._framer.replies.clear()  # they are part of what was posted
        self._framer.trifles = 0
        if frames := frames[len(frames) - known.left :]:
            self._inbox.backlog = deque(frames)
        if recovered.has_left:
            self._framer.ending(recovered.farewell or Farewell.DONE)  # it was said

    def _cut_off(self) -> None:
        self.state = LinkState.CUT_OFF
        self._outbox.forget()
        self._outbox.waiting.peers.discard(self)
        self._inbox.finish(trio.BrokenResourceError)

    def go(self) -> None:
        """Read and write from now on."""
        account, deadlines = self._account, self._deadlines
        account.paused = False
        if self._outbox.bytes:
            deadlines.be_patient(self, self._outbox.limits.seconds)
        if deadlines.silent < inf:
            deadlines.expect_next_word(self)
        deadlines.expect_rest(self, midway=self._framer.midway, anew=True)
        self._release()
        unheard, account.input.unheard = account.input.unheard, b""
        if unheard:
            account.ledger.tape.words[0] = account.sign
            PeerLink.take(self, unheard)
            self._touch()
            account.input.rebase()  # what was unheard is noted again

    # Closing

    def end(self, farewell: Farewell = Farewell.DONE) -> None:
        self._account.part(farewell)
        super().end(farewell)

    async def _part(self, farewell: Farewell) -> None:
        self._account.part(farewell)
        if self._account.welcome is not None:
            with self._poller.turns.turn():
                self._begin()
        await super()._part(farewell)

    def _say_goodbye(self, farewell: Farewell) -> None:
        if self._account.parting.has_left:
            return
        with self._poller.turns.turn():
            super()._say_goodbye(farewell)
            self._account.say_goodbye()
            self._touch()

    def _close(self) -> None:
        ledger = self._account.ledger
        # The store has the same connection, which would stay open.
        if ledger.promise.given:
            with suppress(OSError):
                self._socket.shutdown(socket.SHUT_RDWR)
        ledger.release(self)
        super()._close()
