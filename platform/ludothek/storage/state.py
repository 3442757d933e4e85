"""The state directory: what should outlive the daemon."""

import hashlib
import os
import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from itertools import islice
from pathlib import Path

import attrs
import structlog
import trio

from ludothek.contract.keeping import Claim, Kept, Room, no_claim, superfluous
from ludothek.kit.partial import partial_file, sweep
from ludothek.kit.trouble import Trouble
from ludothek.storage.rotating_file import Limits
from ludothek.storage.temporary import make_own_directory
from ludothek.wire.recorder import Recorder
from ludothek.wire.recording import Recording

log = structlog.get_logger()

# Characters of a name that somebody else has chosen; file systems take 255 bytes in all.
LONGEST_NAME = 100

# What is kept in each folder: who finds a way to crash lobbies must not fill the disk.
MOST_FILES = 1000
MOST_BYTES = 256 * 1024 * 1024

# Files that are removed in one go, when much more was kept before; choosing them takes time.
MOST_REMOVALS = 100


# How matches ended: a line takes some 300 bytes, so this is half a million of them in all. Nobody
# fills a disk with them, and whoever wants to push out those of others has to play on for days: of
# one address only so many are told in an hour (`results_per_address`).
RESULTS = "results.jsonl"
RESULTS_LIMITS = Limits(max_bytes=32 * 1024 * 1024, older_files=4)


def usual_directory(environ: Mapping[str, str]) -> Path | None:
    """Where it is when nobody says where: systemd's, or the user's own.

    A user that nobody knows, as in a container, has none: then it is among the temporary files,
    or nowhere.
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


def file_name(text: str) -> str:
    """A text as part of a file's name; different texts stay different."""
    plain = re.sub(r"[^A-Za-z0-9_.-]|^\.", "_", text)[:LONGEST_NAME]
    if plain == text:
        return plain
    digest = hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()
    return f"{plain}-{digest[:8]}"


@attrs.define(eq=False)
class StateDirectory:
    """A directory that is made when the first file is kept in it."""

    path: Path
    failures: int = attrs.field(init=False, default=0)  # files that could not be kept
    recorder: Recorder = attrs.field(init=False, factory=Recorder)
    results: Recording = attrs.field(init=False)  # a line for each match that has ended
    _troubles: dict[str, Trouble] = attrs.field(init=False, factory=dict)

    def __attrs_post_init__(self) -> None:
        self.results = self.recorder.open(
            self.path / RESULTS, RESULTS_LIMITS, called="the file of results", notes=False
        )

    def file(self, folder: str, name: str) -> Path:
        """Where a file is; whatever its name is made of, it stays in its folder."""
        stem, _, kind = name.rpartition(".")
        if stem and kind.isalnum():
            return self.path / folder / f"{file_name(stem)}.{kind}"
        return self.path / folder / file_name(name)

    async def keep(
        self, folder: str, name: str, content: bytes, claim: Callable[[str], Claim] = no_claim
    ) -> None:
        """Write a file, in a worker thread; a full disk or missing permission is only reported.

        And that once, until a file can be kept in that folder again. By its claim, who or what a
        file is kept for, each has a fair share of the folder.
        """
        path = self.file(folder, name)
        trouble = self._troubles.setdefault(folder, Trouble(path=str(path.parent)))
        try:
            await trio.to_thread.run_sync(_keep, path, content, claim)
        except OSError as error:
            self.failures += 1
            trouble.failed("could not keep a file", error.strerror or str(error), file=path.name)
        else:
            trouble.worked("files are kept again")

    def check(self) -> None:
        """Say at the start what would otherwise only be noticed when something is lost.

        And tidy up.
        """
        places = (self.path, *self.path.parents)
        nearest = next((place for place in places if os.path.exists(place)), self.path)
        if not (nearest.is_dir() and os.access(nearest, os.W_OK | os.X_OK)):
            problem = f"{nearest} cannot be written to"
            log.warning("nothing will be kept: choose a --state-dir", problem=problem)
        self._sweep()

    def _sweep(self) -> None:
        """Remove what a daemon that was killed has left of files it was writing."""
        with suppress(OSError):
            for folder in self.path.iterdir():
                sweep(folder)

    def close(self) -> None:
        """Write what is still to be written, if that is possible within a second."""
        self.recorder.close()


def _keep(path: Path, content: bytes, claim: Callable[[str], Claim]) -> None:
    write_whole(path, content)
    make_room(path.parent, Room(files=MOST_FILES, bytes=MOST_BYTES, claim=claim))


def make_room(folder: Path, room: Room) -> None:
    """Remove files that are too many; raises OSError."""
    found = []
    for file in folder.iterdir():
        with suppress(FileNotFoundError):  # another daemon has removed it
            if not file.name.startswith("."):
                found.append((file.stat(), file.name))
    found.sort(key=lambda entry: (entry[0].st_mtime_ns, entry[1]))
    files = [Kept(name, status.st_size, room.claim(name)) for status, name in found]
    for victim in islice(superfluous(files, room), MOST_REMOVALS):
        (folder / victim.name).unlink(missing_ok=True)


def write_whole(path: Path, content: bytes) -> None:
    """Write a file that is there as a whole or not at all; raises OSError."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with partial_file(path) as partial:
        partial.write_bytes(content)
        partial.rename(path)
