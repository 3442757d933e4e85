"""The supervisor of a hall: runs its lobbies, and reports those that a bug has ended."""

import traceback
from typing import TYPE_CHECKING

import structlog
import trio

from ludothek.kit.reports import careful
from ludothek.observe import log_context
from ludothek.runtime.lobby import Lobby
from ludothek.runtime.record import notes_of
from ludothek.storage.crash_reports import bug_place, crash_report
from ludothek.storage.state import StateDirectory
from transports import BUGS

if TYPE_CHECKING:
    from ludothek.runtime.hall import Hall

log = structlog.get_logger()

# The latest happenings of a crashed lobby that are logged; its report has all of them.
LOGGED = 100


class Supervisor:
    """Each lobby runs in a task of its own, whose failure does not concern the others."""

    def __init__(self, hall: "Hall", nursery: trio.Nursery, state: StateDirectory | None) -> None:
        self._hall = hall
        self._nursery = nursery
        self._state = state
        self._running = 0  # lobbies
        self._ended_one = trio.lowlevel.ParkingLot()

    def run(self, lobby: Lobby) -> None:
        """Run a lobby until it is closed."""
        self._running += 1
        self._nursery.start_soon(self._supervise, lobby, name=f"lobby {lobby.key}")

    async def wait_idle(self) -> None:
        """Wait until no lobby runs any more."""
        while self._running:
            await self._ended_one.park()

    async def _supervise(self, lobby: Lobby) -> None:
        structlog.contextvars.unbind_contextvars("client")  # now it is not only that client's
        log_context.step.set(None)
        with structlog.contextvars.bound_contextvars(lobby=lobby.key):
            log.debug("lobby opened", seed=lobby.seed)
            try:
                await lobby.run()
            except* BUGS as bugs:
                self._hall.crashes += 1
                with careful("lobby crashed"):
                    self._report(lobby, bugs)
            finally:
                self._running -= 1
                self._ended_one.unpark_all()
            log.debug("lobby closed")

    def _report(self, lobby: Lobby, bugs: BaseException) -> None:
        inputs: list[str] = []
        with careful("what led to the crash of a lobby"):
            inputs.extend(map(str, notes_of(lobby.journal.snapshot()())[-LOGGED:]))
        with careful("lobby crashed"):
            log.error("lobby crashed", seed=lobby.seed, inputs=inputs, exc_info=bugs)
        if self._state is not None:
            about = {
                **self._hall.about,
                "time": (now := self._hall.clock.date()).isoformat(),
                "lobby": lobby.key,
                "bug": bug_place(bugs),
                "traceback": "".join(traceback.format_exception(bugs)),
            }
            if not lobby.journal.complete:
                about["incomplete"] = lobby.journal.problem
            content = lobby.record(about)
            self._state.archive.put(crash_report(now, bugs, lobby.key, content))
