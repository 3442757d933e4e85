"""Connections survive the process because what has happened is in files before anybody hears it.

Each turn ends with a commit: input that is not handled yet, output, and the notes of the layer
above are in mapped files before the first byte is sent. The next process continues from the
latest commit (`past.py`), whatever has ended this one. A turn that was not committed has
not happened: its input is still on the tape, and nobody has seen its output.
"""

import os
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import trio

from transports import link_notes
from transports.bugs import as_bug
from transports.commit_log import CommitLog
from transports.link_notes import FOREIGN, entry, link_number, store_name
from transports.past import LOG, NEW_LOG, LedgerPast, boot, tape_name
from transports.tape import Margin, Tape
from transports.turns import Turns

if TYPE_CHECKING:
    from transports.durable_link import DurableLink

# A new checkpoint is worth it when the log is so many times larger than after the last one, and at
# least so large.
GROWTH = 4
LEAST_BYTES = 4 * 1024 * 1024

# Added to the number of a link that is at work: it is not one of the layer above.
LINK = 1 << 62
# Added to a number of the layer above while its past is being repeated.
REPEATING = 1 << 63

# A ledger larger than this ends the promise: something grows that should not.
MOST_BYTES = 512 * 1024 * 1024


class DescriptorStore(Protocol):
    """Keeps descriptors for the next process."""

    def put(self, name: str, descriptor: int, /) -> object: ...

    def remove(self, name: str) -> None: ...


class Ledger:
    """The ledger of one poller, which is its own directory's only writer.

    It promises nothing before its first checkpoint, nor after a problem, until the next checkpoint.
    """

    def __init__(
        self,
        directory: Path,
        turns: Turns,
        store: DescriptorStore,
        *,
        past: LedgerPast | None = None,
        names: Iterable[str] = (),
        clock: Callable[[], float] = trio.current_time,
        most: int = MOST_BYTES,
    ) -> None:
        """`names` are those of the descriptors that we have inherited."""
        self.problem: str | None = None  # why it has ended its promise
        self.on_problem: Callable[[str], None] | None = None
        self.durable = False  # whether what is committed survives us
        self.begun = trio.Event()  # the first checkpoint: nobody is met before
        self.handled = 0  # pieces of the intake
        # Links whose input or state may have changed in this turn, and what was read from them.
        self.touched: dict[DurableLink, bytes] = {}
        # Links with output that waits, and that is only in the tray.
        self.lagging: dict[DurableLink, None] = {}
        self.links: dict[int, DurableLink] = {}
        self.tape = Tape(None)
        self._directory = directory
        self._turns = turns
        self._store = store
        self._clock = clock
        self._most = most
        self._log: CommitLog | None = None
        self._notes: list[bytes] = []
        self._number = 0  # of the latest commit
        self._tape_number = past.tape if past else 0
        self._kept = set(map(link_number, names)) - {0}  # links whose descriptors the store has
        self._last_link = max(past.last_number if past else 0, *self._kept, 0)
        self._checkpoint_at = 0
        self._was_at_work = 0 if past is None or past.at_work & REPEATING else past.at_work
        self._margin: Margin | None = None
        if past is not None:
            with suppress(OSError):
                self._margin = Margin(directory / tape_name(past.tape))
        self._accepted: dict[int, int] = {}  # numbers of those that are not admitted yet
        turns.commit = self.commit

    # What others write

    def note(self, content: bytes) -> None:
        """Commit this with the current turn, or with the next one if there is none."""
        self._notes.append(entry(FOREIGN, content))

    def at_work(self, number: int) -> None:
        """Say who is being served right now; 0: nobody."""
        self.tape.words[0] = number

    def repeating(self, number: int) -> None:
        """Say whose past is being repeated, before the first checkpoint; 0: nobody's any more."""
        if self._margin is not None:
            with suppress(OSError):
                self._margin.at_work(REPEATING | number if number else self._was_at_work)

    def count_death(self, number: int, deaths: int) -> None:
        """So many processes have died while they were repeating the past of that one."""
        if self._margin is not None:
            with suppress(OSError):
                self._margin.repeated(number, deaths)

    def add_notes(self, *notes: bytes) -> None:
        """The same as `note` for notes about links."""
        self._notes.extend(notes)

    # Connections

    def admit(self, fd: int, number: int = 0) -> int:
        """Have a connection kept that nothing was read from yet; returns its number.

        `number` is that of a connection which an earlier process has accepted.
        """
        if not number and (number := self._accepted.pop(fd, 0)):
            return number
        if not number:
            self._last_link += 1
            number = self._last_link
        self.keep(number, fd)
        return number

    def keep(self, number: int, fd: int) -> None:
        """Have the descriptor kept of a connection that was admitted."""
        if self.durable:
            self._keep(number, fd)

    def accepted(self, fd: int) -> None:
        """A connection was accepted just now; it is admitted in a moment, and kept until then."""
        self._accepted.pop(fd, None)  # of one that nobody has admitted
        self._accepted[fd] = self.admit(fd)

    def forget(self, number: int) -> None:
        """A connection that was admitted is over."""
        if number in self._kept:
            self._kept.remove(number)
            with suppress(OSError):
                self._store.remove(store_name(number))

    def _keep(self, number: int, fd: int) -> None:
        # One that cannot be kept ends with the process, as it would without us.
        if number not in self._kept:
            with suppress(OSError):
                self._store.put(store_name(number), fd)
                self._kept.add(number)

    def release(self, link: "DurableLink") -> None:
        """A link is closed."""
        # In this order: a descriptor that is in the store is either in the ledger or a newcomer.
        self.forget(link.number)
        if self.links.pop(link.number, None) is not None:
            self._notes.append(link_notes.closed(link.number))
        self.lagging.pop(link, None)

    # Commits

    def commit(self) -> None:
        """All of this turn happens now, or it has never happened. Never raises."""
        if not self.durable:
            self.touched.clear()
            self._notes.clear()
            return
        if self.touched or self._notes or self._turns.corked:
            try:
                self._commit()
            except BaseException as error:  # no await in here, so never Cancelled
                self.give_up(_why(error))

    def _commit(self) -> None:
        touched, notes, log = self.touched, self._notes, self._log
        assert log is not None
        number = self._number + 1
        for link, data in touched.items():
            link.account(data, notes)
        touched.clear()
        output: list[tuple[int, int, bytes]] = []
        for corked in self._turns.corked or ():
            corked.pack(output)
        if output:
            if self.lagging:
                self._note_lagging()
            if not self.tape.put_out(number, output):
                posted = [(link, before, self.links[link].pieces) for link, before, _ in output]
                notes.append(link_notes.output(posted))
        if notes:
            log.append(number, b"".join(notes))
            notes.clear()
        log.commit(number, self.handled, self._clock())
        self._number = number

    def _note_lagging(self) -> None:
        for link in self.lagging:
            link.note_lag(self._notes)
        self.lagging.clear()

    # Checkpoints

    @property
    def wants_checkpoint(self) -> bool:
        """Whether the log has grown much larger than what is alive."""
        return self._log is not None and self._log.end > self._checkpoint_at

    def checkpoint(self, notes: Iterable[bytes]) -> bool:
        """Start over with these notes of the layer above, and with all links as they are.

        Between turns only. Returns whether everything is durable from now on as far as it was
        noted; links that were resumed are served from now on in any case.
        """
        assert not self._turns.number
        was_durable = self.durable
        try:
            self._write_checkpoint(notes)
        except BaseException as error:  # no await in here, so never Cancelled
            with suppress(OSError):
                (self._directory / NEW_LOG).unlink()
            if was_durable:
                self._checkpoint_at *= 2  # the old log is as good as before
            else:
                self.give_up(_why(error))
        self._serve()
        return self.durable

    def _write_checkpoint(self, notes: Iterable[bytes]) -> None:
        self._directory.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not self.durable:
            self._tape_number += 1
            self.tape.move(self._directory / tape_name(self._tape_number))
            for link in self.links.values():
                self._keep(link.number, link.fileno())
        parts = [link_notes.numbers(self._last_link)]
        parts += [entry(FOREIGN, note) for note in notes]
        for link in self.links.values():
            parts += link.portrait()
        batch, number = b"".join(parts), self._number + 1
        new = self._directory / NEW_LOG
        log = CommitLog(new, self._tape_number, boot(), len(batch), self._most)
        try:
            log.append(number, batch)
            log.commit(number, self.handled, self._clock())
            new.rename(self._directory / LOG)
        except BaseException:
            log.close()
            raise
        self._adopt(log, number)

    def _adopt(self, log: CommitLog, number: int) -> None:
        for link in self.links.values():
            link.settle()
        old, self._log, self._number = self._log, log, number
        self.durable, self.problem = True, None
        self._checkpoint_at = max(LEAST_BYTES, GROWTH * log.end)
        self.touched.clear()
        self.lagging.clear()
        self._notes.clear()
        if old is not None:
            old.close()
        if self._margin is not None:
            self._margin.close()
            self._margin = None
        self._remove_tapes(tape_name(self._tape_number))

    def _serve(self) -> None:
        """Let the links be served that were waiting for the first checkpoint."""
        with self._turns.turn():
            for link in tuple(self.links.values()):
                if link.paused:
                    try:
                        link.go()
                    except BaseException as bug:  # no await in here, so never Cancelled
                        link.fail(as_bug(bug))
        self.begun.set()

    # Problems

    def give_up(self, problem: str) -> None:
        """End the promise: nobody must ever continue from what is in the files now."""
        self.durable = False
        self.problem = problem
        self.touched.clear()
        self.lagging.clear()
        self._notes.clear()
        if self._log is not None:
            self._log.invalidate()
            self._log.close()
            self._log = None
        self.remove_files()
        for number in self.links:
            self.forget(number)
        if self.on_problem is not None:
            self.on_problem(problem)

    def look(self) -> None:
        """End the promise if the files were removed: the next process would not find them."""
        tape = self._directory / tape_name(self._tape_number)
        if self._log is None:
            return
        if not (self._log.is_at(self._directory / LOG) and self.tape.is_at(tape)):
            self.give_up("the ledger was removed")

    def end(self) -> None:
        """End the promise because nobody comes after us."""
        self.give_up("it has ended")

    def remove_files(self) -> None:
        for name in (LOG, NEW_LOG):
            with suppress(OSError):
                (self._directory / name).unlink()
        self._remove_tapes()

    def _remove_tapes(self, but: str = "") -> None:
        with suppress(OSError):
            for file in self._directory.glob(tape_name(0).replace("0", "*")):
                if file.name != but:
                    file.unlink()


def _why(error: BaseException) -> str:
    if isinstance(error, OSError) and error.errno:
        return f"the ledger cannot be written: {os.strerror(error.errno)}"
    return f"the ledger cannot be written: {error or type(error).__name__}"
