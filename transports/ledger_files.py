"""The files of a ledger in its directory. The log names the tape that belongs to it, by number."""

from contextlib import suppress
from pathlib import Path

from transports.commit_log import CommitLog
from transports.tape import Tape

LOG = "ledger"
NEW_LOG = "ledger.new"


def tape_name(number: int) -> str:
    return f"tape-{number}"


def boot() -> str:
    """Identifies this run of the machine."""
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text().strip()
    except OSError:
        return ""


class LedgerFiles:
    """Creates, replaces and removes them; all that create something raise OSError."""

    __slots__ = ("_directory", "_most", "_tape")

    def __init__(self, directory: Path, tape: int, most: int) -> None:
        """`tape` is the number of the latest one; a log may have `most` bytes."""
        self._directory = directory
        self._tape = tape
        self._most = most

    def begin_tape(self, tape: Tape) -> None:
        """Let the tape go on in a new file."""
        self._directory.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._tape += 1
        tape.move(self._directory / tape_name(self._tape))

    def begin_log(self, number: int, batch: bytes, handled: int, time: float) -> CommitLog:
        """Replace the log by one that begins with this commit."""
        new = self._directory / NEW_LOG
        log = None
        try:
            log = CommitLog(new, self._tape, boot(), len(batch), self._most, number - 1)
            log.append(batch)
            log.commit(handled, time)
            new.rename(self._directory / LOG)
        except BaseException:
            if log is not None:
                log.close()
            with suppress(OSError):
                new.unlink()
            raise
        return log

    def have(self, log: CommitLog, tape: Tape) -> bool:
        """Whether the next process would find these two."""
        tape_file = self._directory / tape_name(self._tape)
        return log.is_at(self._directory / LOG) and tape.is_at(tape_file)

    def remove(self) -> None:
        for name in (LOG, NEW_LOG):
            with suppress(OSError):
                (self._directory / name).unlink()
        self._remove_tapes()

    def remove_old_tapes(self) -> None:
        self._remove_tapes(but=tape_name(self._tape))

    def _remove_tapes(self, but: str = "") -> None:
        with suppress(OSError):
            for file in self._directory.glob(tape_name(0).replace("0", "*")):
                if file.name != but:
                    file.unlink()
