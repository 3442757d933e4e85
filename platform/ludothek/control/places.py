"""The default path of the socket file.

A service uses the directory that systemd created for it, a user the session's runtime directory.
Without either, it is a private directory below the one for temporary files.
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
class SocketPlace:
    """A path for the socket file; if it was chosen explicitly, failing to use it is an error."""

    path: Path
    chosen: bool = True
    group: str | None = None  # its members are organisers as well


def to_listen(environ: Mapping[str, str]) -> SocketPlace | None:
    """Where a daemon listens; None if no directory is suitable."""
    if directories := environ.get("RUNTIME_DIRECTORY"):  # set by systemd
        return SocketPlace(Path(directories.split(":")[0]) / NAME, chosen=False)
    path = _session(environ) or _temporary()
    if path is None:
        log.warning("no organiser's interface; choose a place with --control")
        return None
    return SocketPlace(path, chosen=False)


def to_call(environ: Mapping[str, str]) -> list[Path]:
    """Where a client looks for a daemon, the user's own first."""
    guesses = [_session(environ), SERVICE, _temporary()]
    return [path for path in guesses if path and (path == SERVICE or is_ours(path.parent))]


def _session(environ: Mapping[str, str]) -> Path | None:
    directory = environ.get("XDG_RUNTIME_DIR")
    return Path(directory) / "ludothek" / NAME if directory else None


def _temporary() -> Path | None:
    directory = own_directory()
    return directory / NAME if directory else None


def no_permission(path: Path) -> str:
    """Tell a user who may not open the socket who may."""
    return (
        f"not permitted to open {path}: organisers are root, the daemon's own user and the members "
        "of its control_group; use sudo, or join that group and log in again"
    )
