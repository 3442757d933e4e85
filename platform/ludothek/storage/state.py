"""The state directory: what should outlive the daemon."""

import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from time import monotonic

import structlog

from ludothek.kit.partial import sweep
from ludothek.storage.archive import Archive
from ludothek.storage.lines import Lines
from ludothek.storage.rotating_file import RotatingFile, RotationPolicy
from ludothek.storage.temporary import make_own_directory
from ludothek.storage.writer import LAST_SECONDS, Writer

log = structlog.get_logger()

# How matches ended: a line takes some 300 bytes, so this is half a million of them in all. They
# cannot fill a disk, and pushing out those of others takes days of playing: only so many are
# recorded per hour and address (`results_per_address`).
RESULTS = "results.jsonl"
RESULTS_ROTATION = RotationPolicy(max_bytes=32 * 1024 * 1024, older_files=4)


def usual_directory(environ: Mapping[str, str]) -> Path | None:
    """The default: systemd's directory, or the user's own.

    A user without a home, as in a container, gets one among the temporary files, or none.
    """
    if directories := environ.get("STATE_DIRECTORY"):
        return Path(directories.split(":")[0])
    if home := environ.get("XDG_STATE_HOME"):
        return Path(home) / "ludothek"
    try:
        return Path.home() / ".local" / "state" / "ludothek"
    except RuntimeError:
        own = make_own_directory()
        log.warning("no home directory: choose a --state-dir", kept_in=str(own or "nothing"))
        return own / "state" if own else None


class StateDirectory:
    """A directory that is created when the first file is kept in it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.archive = Archive(path)
        self.writer = Writer("lines")  # of the wire log and of results
        self.results_file = RotatingFile(path / RESULTS, RESULTS_ROTATION)
        self.results = Lines(self.writer, self.results_file, called="the file of results")
        self._failures = 0

    @property
    def failures(self) -> int:
        """How often something could not be kept."""
        return self._failures + self.archive.lost

    def count_failure(self) -> None:
        """For games that keep files themselves."""
        self._failures += 1

    def check(self) -> None:
        """Warn at startup about what would only be noticed when something is lost, and tidy up."""
        places = (self.path, *self.path.parents)
        nearest = next((place for place in places if os.path.exists(place)), self.path)
        if not (nearest.is_dir() and os.access(nearest, os.W_OK | os.X_OK)):
            problem = f"{nearest} cannot be written to"
            log.warning("nothing will be kept: choose a --state-dir", problem=problem)
        with suppress(OSError):
            for folder in self.path.iterdir():
                sweep(folder)  # files that a killed daemon was writing

    def close(self, seconds: float = LAST_SECONDS) -> None:
        """Write what is waiting, unless that takes too long."""
        deadline = monotonic() + seconds
        self.archive.close(seconds)
        self.writer.close(max(0.0, deadline - monotonic()))
