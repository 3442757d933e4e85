"""Files that lobbies leave behind, written beside the games, one after the other."""

from pathlib import Path

import structlog
import trio

from ludothek.contract.effects import Chore, Save
from ludothek.kit.reports import careful
from ludothek.storage.state import StateDirectory, make_room, write_whole
from transports import BUGS

log = structlog.get_logger()

# Files that may wait for a slow disk.
WAITING = 100

# Seconds that all which still waits may take at the end.
LAST_SECONDS = 1.0


class Archive:
    """Writes what lobbies want to be kept; nobody waits for it, whatever the disk does."""

    def __init__(self, state: StateDirectory) -> None:
        self._state = state
        self._incoming, self._files = trio.open_memory_channel[Save | Chore](WAITING)
        self._patience = trio.CancelScope(shield=True)
        self._failing = False

    def put(self, save: Save | Chore) -> None:
        """Have a file written or a chore done soon."""
        try:
            self._incoming.send_nowait(save)
        except trio.WouldBlock:
            self._report(save, "the disk is too slow")
        except trio.ClosedResourceError:
            self._report(save, "the daemon has ended")

    async def run(self) -> None:
        """Write until cancelled; what waits then is still written, if that is quick."""
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._work)
            try:
                await trio.sleep_forever()
            finally:
                self._incoming.close()
                self._patience.deadline = trio.current_time() + LAST_SECONDS

    async def _work(self) -> None:
        with self._patience:
            async for save in self._files:
                await self._write(save)

    async def _write(self, save: Save | Chore) -> None:
        try:
            # A thread that hangs with its disk is left alone at the end.
            await trio.to_thread.run_sync(self._do, save, abandon_on_cancel=True)
            self._failing = False
        except OSError as error:
            self._report(save, error.strerror or str(error))
        except BUGS as bug:
            # What a game wants to keep is made by the game, and must not end the daemon.
            self._state.failures += 1
            with careful("making a file crashed"):
                log.error("making a file crashed", **_names(save), exc_info=bug)

    def _do(self, save: Save | Chore) -> None:
        if isinstance(save, Chore):
            save.do()
        else:
            _write(self._state.file(save.folder, save.name), save)

    def _report(self, save: Save | Chore, problem: str) -> None:
        """Say it once, not for every file, until it goes well again; but count them all."""
        self._state.failures += 1
        level = log.debug if self._failing else log.warning
        level("could not keep a file", **_names(save), error=problem)
        self._failing = True


def _write(path: Path, save: Save) -> None:
    write_whole(_unused(path), save.content())
    make_room(path.parent, save.room)


def _names(save: Save | Chore) -> dict[str, str]:
    return {"folder": save.folder, "name": save.name} if isinstance(save, Save) else {}


def _unused(path: Path) -> Path:
    """The path, or one like it that is free."""
    number, free = 2, path
    while free.exists():
        free = path.with_name(f"{path.stem}-{number}{path.suffix}")
        number += 1
    return free
