"""Where the socket file is when nobody says where.

A service has the directory that systemd made for it, a user the one of the session; where there
is neither, a private directory among the temporary files has to do.
"""

import os
import tempfile
from collections.abc import Mapping
from pathlib import Path

import attrs

SERVICE = Path("/run/ludothek/control.sock")
NAME = "control.sock"


@attrs.frozen
class Place:
    """A path for the socket file; one that somebody chose must work, a guess need not."""

    path: Path
    chosen: bool = True


def to_listen(environ: Mapping[str, str]) -> Place:
    """Where a daemon listens."""
    if directories := environ.get("RUNTIME_DIRECTORY"):  # set by systemd
        return Place(Path(directories.split(":")[0]) / NAME, chosen=False)
    return Place(_session(environ) or _temporary(), chosen=False)


def to_call(environ: Mapping[str, str]) -> list[Path]:
    """Where an organiser may find a daemon, the nearest first."""
    guesses = [_session(environ), SERVICE, _temporary()]
    return [path for path in guesses if path and (path == SERVICE or is_ours(path.parent))]


def is_ours(directory: Path) -> bool:
    """Whether this user made it: in the temporary directory, anybody may have been first."""
    try:
        return directory.lstat().st_uid == os.getuid()
    except OSError:
        return False


def _session(environ: Mapping[str, str]) -> Path | None:
    directory = environ.get("XDG_RUNTIME_DIR")
    return Path(directory) / "ludothek" / NAME if directory else None


def _temporary() -> Path:
    return Path(tempfile.gettempdir()) / f"ludothek-{os.getuid()}" / NAME
