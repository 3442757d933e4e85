"""What the last restart has carried over from one process to the next."""

import os
import time
from collections.abc import Mapping
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import attrs

from ludothek.daemon.guarded import DIED, RESTARTS
from ludothek.daemon.store import Store

if TYPE_CHECKING:
    from ludothek.daemon.continuity import Continuity


# The file that counts restarts.
COUNTER = "restarts"


def _age() -> float:
    """How long this process has been there."""
    # The program's name may contain anything but the last bracket; the start is the 22nd field.
    started = Path("/proc/self/stat").read_text().rpartition(")")[2].split()[19]
    ticks = os.sysconf("SC_CLK_TCK")
    return time.clock_gettime(time.CLOCK_BOOTTIME) - int(started) / ticks


@attrs.define
class Carried:
    """How many of a kind there were, and how many of them go on."""

    carried: int = 0
    all: int = 0

    def __str__(self) -> str:
        return f"{self.carried} of {self.all}"


@attrs.define
class Handover:
    """The last restart, and whether there can be a next one that nobody notices.

    Recovery fills in the matches and connections that it has found. A guardian reports how often it
    has started the daemon, and when the last one died. A service manager does not: there, a file
    counts the starts, and the pause is measured from the start of the new process.
    """

    store: Store | None = None
    guarded: bool = False
    restarts: int = 0
    died: float | None = None  # since when nobody was served, by CLOCK_MONOTONIC
    time: datetime | None = None  # when somebody was served again
    pause_seconds: float = 0.0
    matches: Carried = attrs.field(factory=Carried)
    connections: Carried = attrs.field(factory=Carried)
    continuity: "Continuity | None" = None

    @classmethod
    def of(cls, environ: Mapping[str, str], store: Store | None) -> "Handover":
        """The handover to this process, as far as its environment tells."""
        restarts, died = environ.get(RESTARTS, ""), environ.get(DIED)
        known = int(restarts) if restarts.isdecimal() else 0
        return cls(store, bool(restarts), known, float(died) if died else None)

    def count_in(self, directory: Path) -> None:
        """Count restarts in a file of the runtime directory, if no guardian does."""
        if self.guarded:
            return
        counter = directory / COUNTER
        with suppress(OSError, ValueError):  # the first one, or another program's file
            self.restarts = int(counter.read_text()) + 1
            self.died = time.monotonic() - _age()
        with suppress(OSError):
            counter.write_text(str(self.restarts))

    @property
    def durable(self) -> bool:
        """Whether the next process can continue where this one stops."""
        return self.problem is None

    @property
    def problem(self) -> str | None:
        """Why it cannot."""
        if self.store is None:
            return "started without --durable"
        return self.continuity.problem if self.continuity is not None else None

    @property
    def unprotected(self) -> int:
        """How many connections would be lost."""
        return len(self.store.lost) if self.store else 0

    def finish(self) -> None:
        """Call this as soon as clients are served again."""
        if self.restarts:
            self.time = datetime.now(UTC)
        if self.died is not None:
            self.pause_seconds = max(0.0, time.monotonic() - self.died)
