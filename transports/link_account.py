"""What the ledger knows about one link."""

from transports import link_notes
from transports.input_account import InputAccount
from transports.ledger import Ledger
from transports.link import Farewell
from transports.outbox import Outbox
from transports.parting import NOT_PARTING, Parting
from transports.state import LinkState
from transports.tape import LINK


class LinkAccount:
    """Its input, its output and its end, as far as they are in the ledger."""

    __slots__ = (
        "_host",
        "_logged",
        "_told",
        "input",
        "ledger",
        "number",
        "packed",
        "parting",
        "paused",
        "posted",
        "sign",
        "welcome",
    )

    def __init__(
        self, ledger: Ledger, number: int, host: str, input_: InputAccount, welcome: bytes
    ) -> None:
        self.ledger = ledger
        self.number = number
        self.sign = LINK | number  # while it is at work
        self.welcome: bytes | None = welcome  # the first output; None: it has begun
        self.paused = True  # neither reads nor writes
        self.input = input_
        self.posted = 0  # bytes of output that were committed, whether they are written or not
        self.packed = b""  # output that is being committed
        self.parting = NOT_PARTING
        self._host = host
        self._logged = 0  # up to where output is in the log
        self._told: tuple[LinkState, Parting] = _NOTHING_TOLD

    def part(self, farewell: Farewell) -> None:
        """We are going to hang up."""
        self.parting = Parting(farewell, self.parting.has_left)

    def say_goodbye(self) -> None:
        """Our last word is part of the output."""
        self.parting = Parting(self.parting.farewell, has_left=True)

    def note_end(self, state: LinkState, notes: list[bytes]) -> None:
        """Note how far the connection has come, if that is new."""
        told = self._told
        self._tell(state)
        if told != self._told and state is not LinkState.OVER:
            notes.append(self._end(state))

    def _tell(self, state: LinkState) -> None:
        open_ = state is LinkState.OPEN and self.parting is NOT_PARTING
        self._told = _NOTHING_TOLD if open_ else (state, self.parting)

    def _end(self, state: LinkState) -> bytes:
        farewell, has_left = self.parting.farewell, self.parting.has_left
        return link_notes.state(self.number, state, farewell, has_left=has_left)

    def note_lag(self, outbox: Outbox, notes: list[bytes]) -> None:
        """Note the output that waits: its place in the tray is about to be used again."""
        start = max(self._logged, self.posted - outbox.bytes)
        if start < self.posted:
            data = outbox.last(self.posted - start)
            notes.append(link_notes.unsent(self.number, start, data))
        self._logged = self.posted

    def portrait(
        self, peer: str, state: LinkState, outbox: Outbox, input_: list[bytes]
    ) -> list[bytes]:
        """Everything that the next process needs, between two turns."""
        number = self.number
        notes = [link_notes.opened(number, peer, self._host, self.input.head), *input_]
        if outbox.bytes:
            waiting = outbox.last(outbox.bytes)
            notes.append(link_notes.unsent(number, self.posted - outbox.bytes, waiting))
        if state not in (LinkState.OPEN, LinkState.OVER):
            notes.append(self._end(state))
        return notes

    def settle(self, state: LinkState) -> None:
        """The portrait is in the ledger."""
        self._logged = self.posted
        self._tell(state)


# The same object for all links, as long as they are open.
_NOTHING_TOLD = (LinkState.OPEN, NOT_PARTING)
