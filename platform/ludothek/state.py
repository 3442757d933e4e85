"""The state directory: what should outlive the daemon."""

import os
import re
from collections.abc import Mapping
from pathlib import Path

import attrs
import structlog
import trio

log = structlog.get_logger()


def usual_directory(environ: Mapping[str, str]) -> Path:
    """Where it is when nobody says where: systemd's, or the user's own."""
    if directories := environ.get("STATE_DIRECTORY"):
        return Path(directories.split(":")[0])
    if home := environ.get("XDG_STATE_HOME"):
        return Path(home) / "ludothek"
    return Path.home() / ".local" / "state" / "ludothek"


@attrs.frozen
class StateDirectory:
    """A directory that is made when the first file is kept in it."""

    path: Path

    def file(self, folder: str, name: str) -> Path:
        """Where a file is; whatever its name is made of, it stays in its folder."""
        return self.path / folder / re.sub(r"[^\w.-]|^\.", "_", name)

    async def keep(self, folder: str, name: str, content: bytes) -> None:
        """Write a file, in a worker thread; a full disk or missing permission is only reported."""
        path = self.file(folder, name)
        try:
            await trio.to_thread.run_sync(write_whole, path, content)
        except OSError as error:
            log.warning("could not keep a file", path=str(path), error=error.strerror)


def write_whole(path: Path, content: bytes) -> None:
    """Write a file that is there as a whole or not at all; raises OSError."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    partial = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        partial.write_bytes(content)
        partial.rename(path)
    except OSError:
        partial.unlink(missing_ok=True)  # the disk may be full of such halves
        raise
