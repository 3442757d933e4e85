"""What is alive in this daemon, written down turn by turn so that the next process can continue."""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Protocol

import orjson

from ludothek.kit.reports import words
from ludothek.runtime.recovery import SUSPICION
from transports import BUGS

if TYPE_CHECKING:
    from ludothek.runtime.annals import Annals


class EntryLedger(Protocol):
    """What keeps entries, and the bytes of all links, when the process dies."""

    def note(self, entry: bytes, rest: bytes = b"") -> None:
        """Keep an entry from the end of this turn on; it may come in two parts."""

    def commit(self) -> None:
        """This turn is over; from now on it counts."""

    def checkpoint(self, entries: Iterable[bytes]) -> object:
        """Forget all earlier entries: these are all that is needed."""

    def at_work(self, serial: int) -> None:
        """From now on a lobby is at work, or none (0)."""

    def repeating(self, serial: int) -> None:
        """The past of a lobby is being repeated, or of none any more (0)."""

    def give_up(self, problem: str) -> None:
        """Keep nothing until the next checkpoint."""


class Chronicle:
    """Collects what has changed in a turn; the ledger makes it last."""

    def __init__(self, ledger: EntryLedger, serial: int = 0) -> None:
        self.ledger = ledger
        self.annals: list[Annals] = []  # of all endpoints
        self.suspicion: tuple[tuple[int, int], int] | None = None  # see `Past`
        self._changed: dict[Annals, None] = {}  # in this turn
        self._serial = serial  # the latest

    def next_serial(self) -> int:
        """A number that no other lobby or estate has, in this process and in those before it."""
        self._serial += 1
        return self._serial

    def change(self, annals: "Annals") -> None:
        """Ask these annals at the end of the turn what has changed."""
        self._changed[annals] = None

    def commit(self) -> None:
        """The end of a turn, before anything is sent."""
        self.ledger.at_work(0)
        if self._changed:
            self._collect()
        self.ledger.commit()

    def checkpoint(self) -> None:
        """Begin a new ledger with what is alive; between turns."""
        self._collect()
        self.ledger.checkpoint(self.everything())

    def settle(self) -> None:
        """Forget estates that are on disk by now; in a turn."""
        for annals in self.annals:
            annals.settle()
        self.annals = [annals for annals in self.annals if not annals.are_over]

    def _collect(self) -> None:
        changed, self._changed = self._changed, {}
        try:
            for annals in changed:
                for entry in annals.changes():
                    self.ledger.note(entry)
        except BUGS as bug:  # of a reception; everybody plays on
            self.ledger.give_up(f"what has changed cannot be written down: {words(bug)}")

    def everything(self) -> Iterator[bytes]:
        """What a new ledger begins with."""
        if self.suspicion is not None:
            (serial, progress), deaths = self.suspicion
            told = {"serial": serial, "progress": progress, "deaths": deaths}
            yield orjson.dumps({"kind": SUSPICION, **told})
        for annals in self.annals:
            yield from annals.everything()
