"""A link over a socket that the next process continues if this one is killed."""

import socket
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from math import inf

import trio

from transports import link_notes
from transports.byte_counts import ByteCounts, count_bytes
from transports.complaint import Complaint
from transports.framing import Framer
from transports.ledger import LINK, Ledger
from transports.link import Farewell, Frame
from transports.link_notes import LinkPast
from transports.peer_link import PeerLink
from transports.poller import TURN, Poller
from transports.socket_link import SocketLink
from transports.state import LinkState
from transports.terms import TERMS, Terms

# What comes behind the last known state of the framer is noted piece by piece, until that is this
# much and as much as the state itself: so a peer that sends single bytes does not cause a state to
# be noted for each of them.
REBASE_BYTES = 4096

_OVER = LinkState.OVER


class DurableLink(SocketLink):
    """Reads into the ledger's tape, and writes only what was committed."""

    __slots__ = (
        "_base",
        "_base_size",
        "_farewell",
        "_has_left",
        "_head",
        "_host",
        "_ledger",
        "_left",
        "_logged",
        "_more",
        "_packed",
        "_received",
        "_sign",
        "_skip",
        "_state",
        "_unheard",
        "_welcome",
        "number",
        "paused",
        "posted",
    )

    def __init__(
        self,
        sock: socket.socket,
        framer: Framer,
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
        self.number = number
        self._sign = LINK | number  # while it is at work
        self.posted = 0  # bytes that were committed, whether they are written or not
        self.paused = True  # neither reads nor writes
        self._welcome: bytes | None = welcome  # None: it has begun
        self._ledger = ledger
        self._host = host
        self._received = 0
        self._head = self._skip = head
        self._farewell: Farewell | None = None
        self._has_left = False
        self._unheard = b""  # read by an earlier process, and not handled yet
        self._packed = b""
        # What the ledger knows: the state of the framer, how much came behind it, and how many
        # frames of that wait; up to where output is in the log; how far the connection has come.
        self._base = framer.state
        self._base_size = self._more = self._left = 0
        self._logged = 0
        self._state: tuple[LinkState, Farewell | None, bool] = (LinkState.OPEN, None, False)
        super().__init__(sock, framer, peer, poller, terms=terms)
        self.ledger_id = number

    def _begin(self) -> None:
        """The ledger knows the link from the end of this turn on."""
        welcome, self._welcome = self._welcome, None
        self.paused = False
        ledger = self._ledger
        ledger.keep(self.number, self.fileno())  # unless that was done
        ledger.links[self.number] = self
        ledger.add_notes(*self.portrait())
        self.settle()
        self._update()
        if welcome:
            self._write((welcome, b""))

    def fileno(self) -> int:
        return self._socket.fileno()

    # Receiving

    def fetch(self) -> bytes | None:
        if self._skip and not self._skip_head():
            return None
        tape = self._ledger.tape
        piece = tape.last + 1
        announced, view, start = tape.slots[piece % TURN]
        tape.announce(tape.map, announced, 0, self._received, self.number, piece)
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
        tape.words[announced >> 3] = size
        tape.last = piece
        self._received += size
        return tape.map[start : start + size]

    def _skip_head(self) -> bool:
        """Read what came before the first message; False if there is more of it."""
        try:
            size = len(self._socket.recv(self._skip))
        except (BlockingIOError, InterruptedError):
            return False
        except OSError:
            self._lose()
            return False
        self._received += size
        self._skip -= size
        return not self._skip

    def take(self, data: bytes) -> None:
        ledger = self._ledger
        ledger.tape.words[0] = self._sign
        if data:
            ledger.handled += 1  # they come in the order in which they were read
        PeerLink.take(self, data)
        touched = ledger.touched
        touched[self] = touched[self] + data if self in touched else data

    def go_on(self) -> None:
        with self._poller.turns.turn():
            if self._welcome is not None:
                self._begin()
            self._ledger.tape.words[0] = self._sign
            super().go_on()
            self._ledger.touched.setdefault(self, b"")

    def _update(self) -> None:
        if not self.paused:
            super()._update()
        if self._welcome is None:
            self._ledger.touched.setdefault(self, b"")

    # Sending

    def _write(self, pieces: tuple[bytes, bytes]) -> None:
        turns = self._poller.turns
        if turns.corked is None:
            with turns.turn():
                self._write(pieces)
            return
        if self._welcome is not None:
            self._begin()
        if (corked := self._outbox.corked) is None:
            self._outbox.corked = [*pieces]
            turns.corked.append(self)
        else:
            corked += pieces

    def pack(self, output: list[tuple[int, int, bytes]]) -> None:
        """Add what is about to be sent, and behind how many other bytes."""
        if pieces := self._outbox.corked:
            self._packed = data = b"".join(pieces)
            output.append((self.number, self.posted, data))

    @property
    def pieces(self) -> Sequence[bytes]:
        """The same as it was said."""
        return self._outbox.corked or ()

    def uncork(self) -> None:
        outbox = self._outbox
        pieces, outbox.corked = outbox.corked, None
        data, self._packed = self._packed, b""
        if pieces is None:
            return
        data = data or b"".join(pieces)
        self.posted += len(data)
        sent = 0
        if not (outbox.bytes or self.paused):
            try:
                sent = self._socket.send(data)
            except (BlockingIOError, InterruptedError):
                pass
            except OSError:
                self._lose()
                return
            if sent == len(data):
                return
            self._deadlines.be_patient(self, outbox.limits.seconds)
        self._ledger.lagging[self] = None
        self._keep(pieces, sent)

    def writable(self) -> None:
        with self._poller.turns.turn():
            super().writable()

    # What the ledger is told

    def account(self, data: bytes, notes: list[bytes]) -> None:
        """Note what has changed in this turn, in which these bytes were taken."""
        resting, backlog = self._framer.resting, self._inbox.backlog
        if resting is None or backlog is not None:
            self._account_rest(data, backlog or (), notes)
        elif self._more or resting != self._base:
            notes.append(link_notes.base(self.number, resting, ()))
            self._base, self._base_size, self._more = resting, 0, 0
        state = self.state
        if state is not self._state[0] or self._farewell is not self._state[1]:
            self._account_state(notes)

    def _account_rest(self, data: bytes, backlog: Sequence[Frame], notes: list[bytes]) -> None:
        more, left = self._more + len(data), len(backlog)
        if more > max(REBASE_BYTES, self._base_size):
            note = link_notes.base(self.number, self._framer.state, backlog)
            notes.append(note)
            self._base_size, self._more = len(note), 1
        elif data or left != self._left:
            notes.append(link_notes.more(self.number, data, left))
            self._more = more + 1
        self._left = left

    def _account_state(self, notes: list[bytes]) -> None:
        state = self.state, self._farewell, self._has_left
        if state != self._state and self.state is not _OVER:
            notes.append(
                link_notes.state(self.number, self.state, self._farewell, has_left=self._has_left)
            )
        self._state = state

    def note_lag(self, notes: list[bytes]) -> None:
        """Note the output that waits: its place in the tray is about to be used again."""
        start = max(self._logged, self.posted - self._outbox.bytes)
        if start < self.posted:
            data = self._outbox.last(self.posted - start)
            notes.append(link_notes.unsent(self.number, start, data))
        self._logged = self.posted

    def portrait(self) -> list[bytes]:
        """Everything that the next process needs, between two turns."""
        number, outbox = self.number, self._outbox
        notes = [link_notes.opened(number, self.peer, self._host, self._head)]
        notes.append(link_notes.base(number, self._framer.state, self._inbox.backlog or ()))
        if self._unheard:
            notes.append(link_notes.unheard(number, self._unheard))
        if outbox.bytes:
            waiting = outbox.last(outbox.bytes)
            notes.append(link_notes.unsent(number, self.posted - outbox.bytes, waiting))
        if self.state not in (LinkState.OPEN, _OVER):
            notes.append(
                link_notes.state(number, self.state, self._farewell, has_left=self._has_left)
            )
        return notes

    def settle(self) -> None:
        """The portrait is in the ledger."""
        resting, backlog = self._framer.resting, self._inbox.backlog
        self._base = resting or b""
        self._left = len(backlog or ())
        self._more = int(resting is None or backlog is not None or bool(self._unheard))
        self._base_size = len(self._framer.state)
        self._logged = self.posted
        self._state = self.state, self._farewell, self._has_left

    # After another process

    def resume(self, past: LinkPast) -> None:
        """Be where that link was; nothing is read or written before `go`."""
        self._welcome = None
        self._ledger.links[self.number] = self
        try:
            counts = count_bytes(self._socket)
        except OSError:  # it is gone; reading will tell
            counts = ByteCounts(0, 0, over=True)
        self._farewell, self._has_left = past.farewell, past.has_left
        self._resume_output(past, counts)
        try:
            self._resume_input(past, counts)
        except Exception:  # the framer is of a version that has another state
            self.complaint = Complaint.INTERRUPTED
        if past.state is not LinkState.OPEN or self._framer.ended:
            self.state = LinkState.ENDED
            self._inbox.finish(trio.EndOfChannel)
        if past.state is LinkState.CUT_OFF:
            self._cut_off()
        self._inbox.held = True  # until `go`

    def _resume_output(self, past: LinkPast, counts: ByteCounts) -> None:
        self.posted = counts.written
        if past.state is LinkState.CUT_OFF or counts.over:
            return
        rest = _stream_from(counts.written, past.posted)
        if rest is None:
            self.complaint = Complaint.INTERRUPTED
            past.state = LinkState.CUT_OFF
        elif rest:
            self.posted += len(rest)
            self._outbox.keep((rest, b""))
            self._outbox.waiting.peers.add(self)

    def _resume_input(self, past: LinkPast, counts: ByteCounts) -> None:
        self._received = counts.read
        self._skip = 0 if counts.over else max(0, self._head - counts.read)
        unheard = _read_by(past, counts)
        if unheard is None:
            self.complaint = Complaint.INTERRUPTED
        self._unheard = unheard or b""
        if past.framer is not None:
            self._framer.resume(past.framer, spoken=self.posted > 0)
        frames = list(past.backlog)
        for chunk in past.chunks:
            frames += self._framer.feed(chunk)  # which may step in
            self._framer.replies.clear()  # they are part of what was posted
        self._framer.trifles = 0
        if frames := frames[len(frames) - past.left :]:
            self._inbox.backlog = deque(frames)
        if past.has_left:
            self._framer.ending(past.farewell or Farewell.DONE)  # it was said

    def _cut_off(self) -> None:
        self.state = LinkState.CUT_OFF
        self._outbox.forget()
        self._outbox.waiting.peers.discard(self)
        self._inbox.finish(trio.BrokenResourceError)

    def go(self) -> None:
        """Read and write from now on."""
        self.paused = False
        deadlines = self._deadlines
        if self._outbox.bytes:
            deadlines.be_patient(self, self._outbox.limits.seconds)
        if deadlines.silent < inf:
            deadlines.expect_next_word(self)
        deadlines.expect_rest(self, midway=self._framer.midway, anew=True)
        self._release()
        unheard, self._unheard = self._unheard, b""
        if unheard:
            self._ledger.tape.words[0] = self._sign
            PeerLink.take(self, unheard)
            self._more = max(REBASE_BYTES, self._base_size) + 1  # what was unheard is noted again

    # Closing

    def end(self, farewell: Farewell = Farewell.DONE) -> None:
        self._farewell = farewell
        super().end(farewell)

    async def _part(self, farewell: Farewell) -> None:
        self._farewell = farewell
        if self._welcome is not None:
            with self._poller.turns.turn():
                self._begin()
        await super()._part(farewell)

    def _say_goodbye(self, farewell: Farewell) -> None:
        if self._has_left:
            return
        with self._poller.turns.turn():
            super()._say_goodbye(farewell)
            self._has_left = True
            self._state = (self._state[0], None, False)  # to be noted with the words themselves
            self._ledger.touched.setdefault(self, b"")

    def _close(self) -> None:
        # The store has the same connection, which would stay open.
        if self._ledger.durable:
            with suppress(OSError):
                self._socket.shutdown(socket.SHUT_RDWR)
        self._ledger.release(self)
        super()._close()


def _stream_from(start: int, pieces: Sequence[tuple[int, bytes]]) -> bytes | None:
    """What comes behind the first `start` bytes of a stream; None if some of that is missing."""
    rest = bytearray()
    for before, data in sorted(pieces, key=lambda piece: piece[0]):
        at = start + len(rest)
        if before > at:
            return None
        rest += data[at - before :]
    return bytes(rest)


def handled_bytes(past: LinkPast, sock: socket.socket) -> int:
    """Up to where the stream of a peer was handled; -1 if that cannot be known."""
    try:
        counts = count_bytes(sock)
    except OSError:
        return -1
    unheard = _read_by(past, counts)
    return -1 if unheard is None or counts.over else counts.read - len(unheard)


def _read_by(past: LinkPast, counts: ByteCounts) -> bytes | None:
    """What was read and not handled; None if more was read than anybody knows of."""
    if counts.over:
        return past.unheard
    if past.begun is not None:
        before, room = past.begun
        size = counts.read - before
        return past.unheard + room[:size] if 0 <= size <= len(room) else None
    if past.received is not None and past.received != counts.read:
        return None
    return past.unheard
