"""What a dead process has left in its ledger."""

import os
import stat
from pathlib import Path

import attrs

from transports.commit_log import NoLog, read_log
from transports.ledger_files import LOG, boot, tape_name
from transports.link_notes import FOREIGN, NUMBERS, BadNote, apply, entries, read_numbers
from transports.recovered_link import RecoveredLink
from transports.tape import OldTape, read_tape


class NoLedger(Exception):
    """There is nothing that can be continued, and why."""


@attrs.frozen
class RecoveredLedger:
    """What was committed, by all its links and by the layer above."""

    notes: list[bytes]  # of the layer above, in their order; those of the checkpoint first
    links: dict[int, RecoveredLink]
    last_number: int  # the highest that a link has had
    at_work: int  # a link, or somebody of the layer above
    repeated: tuple[int, int]  # whose past was being repeated by later processes, and their deaths
    time: float
    same_boot: bool  # otherwise all connections are gone
    tape: int


def read_back(directory: Path) -> RecoveredLedger:
    """What the ledger in that directory says.

    Raises:
      NoLedger: there is none, or it cannot be read; nothing of it must be believed then.
    """
    try:
        return _read_back(directory)
    except FileNotFoundError as error:
        missing = Path(str(error.filename)).name
        raise NoLedger(f"no file '{missing}' in {directory}") from None
    except OSError as error:
        raise NoLedger(f"the ledger cannot be read: {error.strerror or error}") from None
    except (NoLog, BadNote, ValueError) as error:
        raise NoLedger(f"the ledger in {directory} cannot be used: {error}") from None


def _read_back(directory: Path) -> RecoveredLedger:
    log = read_log(_read_own(directory / LOG))
    notes: list[bytes] = []
    links: dict[int, RecoveredLink] = {}
    last = 0
    for batch in log.batches:
        for kind, content in entries(batch):
            if kind == FOREIGN:
                notes.append(content)
            elif kind == NUMBERS:
                last = max(last, read_numbers(content))
            else:
                apply(kind, content, links)
    tape = read_tape(_read_own(directory / tape_name(log.tape)), log.number, log.handled)
    _add_tape(tape, links)
    last = max(last, *links, 0)
    same_boot = log.boot == boot()
    return RecoveredLedger(
        notes, links, last, tape.at_work, tape.repeated, log.time, same_boot, log.tape
    )


def _read_own(path: Path) -> bytes:
    """The content of a file that this user has written; others could make us do anything."""
    # Without waiting for whoever writes to a pipe.
    flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    with open(os.open(path, flags), "rb") as file:
        about = os.fstat(file.fileno())
        if not stat.S_ISREG(about.st_mode):
            raise ValueError(f"'{path.name}' is no file")
        if about.st_uid != os.geteuid():
            raise ValueError(f"'{path.name}' belongs to another user")
        return file.read()


def _add_tape(tape: OldTape, links: dict[int, RecoveredLink]) -> None:
    for piece in tape.sent:
        if (link := links.get(piece.link)) is not None:
            link.posted.append((piece.before, piece.data))
    for piece in tape.taken:
        if (link := links.get(piece.link)) is not None:
            link.input.unheard += piece.data
            link.input.received = piece.before + len(piece.data)
    if tape.begun is not None and (link := links.get(tape.begun.link)) is not None:
        link.input.begun = tape.begun.before, tape.begun.data
