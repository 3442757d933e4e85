"""A connection that is not accepted yet; a proxy may have opened it for another client."""

import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import attrs
import trio

from transports.address import Address
from transports.complaint import Complaint
from transports.ledger import Ledger
from transports.peek_stream import PeekStream
from transports.proxy_header import MAX_BLOCK, BadHeader, read_header
from transports.terms import TERMS, Door, Terms

# The host under which a proxy is counted until it has named its client.
NOBODY = ""


class TurnedAway(Exception):
    """The connection is refused, and why."""

    def __init__(self, complaint: Complaint) -> None:
        super().__init__(complaint.value)
        self.complaint = complaint


@attrs.define(eq=False)
class Guest:
    """A connection before there is a link, and the host it is counted for at the door."""

    stream: trio.SocketStream
    door: Door
    address: Address
    said: bytes = b""  # what was already read from the stream
    terms: Terms = TERMS
    counted: str | None = None
    ledger: Ledger | None = None
    number: int = 0  # in the ledger
    _peek: PeekStream | None = None

    @property
    def reader(self) -> trio.abc.Stream:
        """What to read from before there is a link."""
        return self._peek or self.stream

    def be_kept(self, ledger: Ledger, number: int) -> None:
        """Let the next process have the connection if this one dies."""
        self.ledger, self.number = ledger, ledger.custody.admit(self.stream.socket.fileno(), number)
        # An urgent byte is one like all others: otherwise the kernel would count it although nobody
        # has read it.
        with suppress(OSError):  # the peer is gone
            self.stream.setsockopt(socket.SOL_SOCKET, socket.SO_OOBINLINE, 1)
        self._peek = PeekStream(self.stream, self.be_forgotten)

    def be_forgotten(self) -> None:
        """The connection ends with this process from now on."""
        if self.ledger is not None:
            self.ledger.custody.forget(self.number)

    def finish(self, rest: bytes) -> int:
        """Nothing more is read here; returns how many bytes came before the rest."""
        assert self._peek is not None
        self._peek.finish()
        return self._peek.seen - len(rest)

    @property
    def is_proxy(self) -> bool:
        """Whether the address known so far is that of a trusted proxy."""
        return self.door.trusts(self.address.host)

    def knock(self) -> None:
        """Ask to be let in; a proxy does not count for its address, which all its clients share.

        Raises:
          TurnedAway: there is no room for it.
        """
        self._count(NOBODY if self.is_proxy else self.address.host)

    def introduce(self, address: Address | None) -> None:
        """Count for the client that the proxy has named; raises TurnedAway."""
        if address is not None:
            self.address = address
        self.knock()

    def settle(self) -> None:
        """Count for the connection's own address, as no other will be named; raises TurnedAway."""
        self._count(self.address.host)

    def _count(self, host: str) -> None:
        if host == self.counted:
            return
        self.leave()
        terms = self.door.enter(host)
        if isinstance(terms, Complaint):
            raise TurnedAway(terms)
        self.counted, self.terms = host, terms

    def leave(self) -> None:
        if self.counted is not None:
            self.door.leave(self.counted)
            self.counted = None

    @property
    def has_header(self) -> bool:
        """Whether the connection must begin with a PROXY header."""
        return self.door.proxy_protocol and self.is_proxy

    async def read_header(self) -> None:
        """Read which client the proxy speaks for.

        Raises:
          BadHeader: there is no readable header.
          TurnedAway: there is no room for that client.
        """
        data = b""
        while (header := read_header(data)) is None:
            try:
                piece = await self.reader.receive_some(MAX_BLOCK)
            except trio.BrokenResourceError:
                piece = b""
            if not piece:
                raise BadHeader("hung up before the PROXY header")
            data += piece
        self.said = header.rest
        self.introduce(header.address)

    @contextmanager
    def handshake(self) -> Iterator[trio.CancelScope]:
        """Limits the time until there must be a link; the door may cancel it earlier."""
        deadline = trio.current_time() + self.terms.handshake_seconds
        scope = trio.CancelScope(deadline=deadline)
        self.door.handshakes.add(scope)
        try:
            with scope:
                yield scope
        finally:
            self.door.handshakes.remove(scope)
