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

    async def keep(self, folder: str, name: str, content: bytes) -> None:
        """Write a file, in a worker thread; a full disk or missing permission is only reported."""
        path = self.path / folder / re.sub(r"[^\w.-]", "_", name)
        try:
            await trio.to_thread.run_sync(_write, path, content)
        except OSError as error:
            log.warning("could not keep a file", path=str(path), error=error.strerror)


def _write(path: Path, content: bytes) -> None:
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    partial = path.with_name(f".{path.name}.{os.getpid()}")
    partial.write_bytes(content)
    partial.rename(path)  # whole or not at all
