"""Where the socket file is when nobody says where.

A service has the directory that systemd made for it, a user the one of the session; where there
is neither, a private directory among the temporary files has to do.
"""

from collections.abc import Mapping
from pathlib import Path

import attrs
import structlog

from ludothek.storage.temporary import is_ours, own_directory

log = structlog.get_logger()

SERVICE = Path("/run/ludothek/control.sock")
NAME = "control.sock"


@attrs.frozen
class Place:
    """A path for the socket file; one that somebody chose must work, a guess need not."""

    path: Path
    chosen: bool = True
    group: str | None = None  # whose members are organisers, too


def to_listen(environ: Mapping[str, str]) -> Place | None:
    """Where a daemon listens; None if there is no place for a file at all."""
    if directories := environ.get("RUNTIME_DIRECTORY"):  # set by systemd
        return Place(Path(directories.split(":")[0]) / NAME, chosen=False)
    path = _session(environ) or _temporary()
    if path is None:
        log.warning("no organiser's interface; choose a place with --control")
        return None
    return Place(path, chosen=False)


def to_call(environ: Mapping[str, str]) -> list[Path]:
    """Where an organiser may find a daemon, the nearest first."""
    guesses = [_session(environ), SERVICE, _temporary()]
    return [path for path in guesses if path and (path == SERVICE or is_ours(path.parent))]


def _session(environ: Mapping[str, str]) -> Path | None:
    directory = environ.get("XDG_RUNTIME_DIR")
    return Path(directory) / "ludothek" / NAME if directory else None


def _temporary() -> Path | None:
    directory = own_directory()
    return directory / NAME if directory else None


def no_permission(path: Path) -> str:
    """Why a user may not talk to a daemon, and who may."""
    return (
        f"not permitted to open {path}: organisers are root, the daemon's own user and the members "
        "of its control_group; use sudo, or join that group and log in again"
    )
