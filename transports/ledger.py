"""Connections survive the process because what has happened is in files before anybody hears it.

Each turn ends with a commit: input that is not handled yet, output, and the notes of the layer
above are in mapped files before the first byte is sent. The next process continues from the
latest commit (`recovered_ledger.py`), whatever has ended this one. A turn that was not committed
has not happened: its input is still on the tape, and nobody has seen its output.
"""

import os
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import trio

from transports import link_notes
from transports.bugs import as_bug
from transports.commit_log import CommitLog
from transports.custody import Custody, DescriptorStore
from transports.draft import Draft
from transports.ledger_files import LedgerFiles, tape_name
from transports.link_notes import FOREIGN, entry, entry_head
from transports.margin import Margin
from transports.promise import Promise
from transports.recovered_ledger import RecoveredLedger
from transports.tape import Tape
from transports.turns import Turns

if TYPE_CHECKING:
    from transports.durable_link import DurableLink

# A ledger larger than this ends the promise: something grows that should not.
MOST_BYTES = 512 * 1024 * 1024


class Ledger:
    """The ledger of one poller, which is its own directory's only writer."""

    def __init__(
        self,
        directory: Path,
        turns: Turns,
        store: DescriptorStore,
        *,
        recovered: RecoveredLedger | None = None,
        names: Iterable[str] = (),
        clock: Callable[[], float] = trio.current_time,
        most: int = MOST_BYTES,
    ) -> None:
        """`names` are those of the descriptors that we have inherited."""
        self.promise = Promise()
        self.draft = Draft()
        self.links: dict[int, DurableLink] = {}
        self.tape = Tape(None)
        last_link = recovered.last_number if recovered else 0
        self.custody = Custody(store, self.promise, names, last_link)
        self._files = LedgerFiles(directory, recovered.tape if recovered else 0, most)
        self._log: CommitLog | None = None
        self._number = 0  # of the latest commit in earlier logs
        self._turns = turns
        self._clock = clock
        self._margin: Margin | None = None  # None: there is no past, or we have a tape of our own
        if recovered is not None:
            with suppress(OSError):
                self._margin = Margin(directory / tape_name(recovered.tape), recovered.at_work)
        turns.commit = self.commit

    # What others write

    def note(self, content: bytes, rest: bytes = b"") -> None:
        """Commit this with the current turn, or with the next one if there is none."""
        self.draft.notes += (entry_head(len(content) + len(rest), FOREIGN), content, rest)

    def at_work(self, number: int) -> None:
        """Say who is being served right now; 0: nobody."""
        self.tape.words[0] = number

    def repeating(self, number: int) -> None:
        """Say whose past is being repeated, before the first checkpoint; 0: nobody's any more."""
        if self._margin is not None:
            self._margin.repeating(number)

    def count_death(self, number: int, deaths: int) -> None:
        """So many processes have died while they were repeating the past of that one."""
        if self._margin is not None:
            self._margin.count_death(number, deaths)

    # Connections

    def open(self, link: "DurableLink") -> None:
        """A link that was admitted is in use from now on."""
        if self.promise.given:
            self.custody.keep(link.number, link.fileno())  # unless that was done
        self.links[link.number] = link

    def release(self, link: "DurableLink") -> None:
        """A link is closed."""
        # In this order: a descriptor that is in the store is either in the ledger or a newcomer.
        self.custody.forget(link.number)
        if self.links.pop(link.number, None) is not None:
            self.draft.notes.append(link_notes.closed(link.number))
        self.draft.lagging.pop(link, None)

    # Commits

    def commit(self) -> None:
        """All of this turn happens now, or it has never happened. Never raises."""
        draft = self.draft
        if not self.promise.given:
            draft.touched.clear()
            draft.notes.clear()
            return
        if draft.touched or draft.notes or self._turns.corked:
            try:
                self._commit(draft)
            except BaseException as error:  # no await in here, so never Cancelled
                self.give_up(_why(error))

    def _commit(self, draft: Draft) -> None:
        notes, log = draft.notes, self._log
        assert log is not None
        for link, data in draft.touched.items():
            link.account(data, notes)
        draft.touched.clear()
        output: list[bytes] = []
        size = 0
        for corked in self._turns.corked or ():
            size += corked.pack(output)
        if output:
            if draft.lagging:
                self._note_lagging(draft)
            if not self.tape.put_out(log.number + 1, output, size):
                posted = [link.packed for link in self.links.values() if link.packed[2]]
                notes.append(link_notes.output(posted))
        if notes:
            log.append(b"".join(notes))
            notes.clear()
        log.commit(self.tape.handled, self._clock())

    def _note_lagging(self, draft: Draft) -> None:
        for link in draft.lagging:
            link.note_lag(draft.notes)
        draft.lagging.clear()

    # Checkpoints

    @property
    def wants_checkpoint(self) -> bool:
        """Whether the log has grown much larger than what is alive."""
        return self._log is not None and self._log.has_grown

    def checkpoint(self, notes: Iterable[bytes]) -> bool:
        """Start over with these notes of the layer above, and with all links as they are.

        Between turns only. Returns whether everything is durable from now on as far as it was
        noted; links that were resumed are served from now on in any case.
        """
        assert not self._turns.number
        try:
            self._write_checkpoint(notes)
        except BaseException as error:  # no await in here, so never Cancelled
            if self.promise.given and self._log is not None:
                self._log.grow_on()  # it is as good as before
            else:
                self.give_up(_why(error))
        self._serve()
        return self.promise.given

    def _write_checkpoint(self, notes: Iterable[bytes]) -> None:
        if not self.promise.given:
            self._files.begin_tape(self.tape)
            for link in self.links.values():
                self.custody.keep(link.number, link.fileno())
        parts = [link_notes.numbers(self.custody.last)]
        parts += [entry(FOREIGN, note) for note in notes]
        for link in self.links.values():
            parts += link.portrait()
        number = (self._log.number if self._log is not None else self._number) + 1
        handled = self.tape.handled
        self._adopt(self._files.begin_log(number, b"".join(parts), handled, self._clock()))

    def _adopt(self, log: CommitLog) -> None:
        for link in self.links.values():
            link.settle()
        old, self._log = self._log, log
        self.promise.give()
        self.draft.clear()
        if old is not None:
            old.close()
        self._close_margin()
        self._files.remove_old_tapes()

    def _close_margin(self) -> None:
        if self._margin is not None:
            self._margin.close()
            self._margin = None

    def _serve(self) -> None:
        """Let the links be served that were waiting for the first checkpoint."""
        with self._turns.turn():
            for link in tuple(self.links.values()):
                if link.paused:
                    try:
                        link.go()
                    except BaseException as bug:  # no await in here, so never Cancelled
                        link.fail(as_bug(bug))
        self.promise.begun.set()

    # Problems

    def give_up(self, problem: str) -> None:
        """End the promise: nobody must ever continue from what is in the files now."""
        self.draft.clear()
        if self._log is not None:
            self._number = self._log.number
            self._log.invalidate()
            self._log.close()
            self._log = None
        self._close_margin()  # which would take the room of the next tape
        self._files.remove()
        for number in self.links:
            self.custody.forget(number)
        self.promise.take_back(problem)

    def look(self) -> None:
        """End the promise if the files were removed: the next process would not find them."""
        if self._log is not None and not self._files.have(self._log, self.tape):
            self.give_up("the ledger was removed")

    def end(self) -> None:
        """End the promise because nobody comes after us."""
        self.give_up("it has ended")


def _why(error: BaseException) -> str:
    if isinstance(error, OSError) and error.errno:
        return f"the ledger cannot be written: {os.strerror(error.errno)}"
    return f"the ledger cannot be written: {error or type(error).__name__}"
