"""Games on this machine: as many at a time as fit its cores."""

from collections.abc import Collection, Iterator, Sequence
from contextlib import AsyncExitStack
from pathlib import Path

import structlog
import trio

from ludothek.arena.cores import Cores, needed, own_cores
from ludothek.arena.entrant import Kind
from ludothek.arena.outcome import Outcome
from ludothek.arena.played import Played
from ludothek.arena.sandbox import is_enclosed
from ludothek.arena.serving import Serving
from ludothek.arena.task import Task
from ludothek.kit.reports import words

log = structlog.get_logger()


class LocalPool:
    """Serving processes that are kept from game to game."""

    def __init__(self, cores: Sequence[int] = ()) -> None:
        self._cores = Cores(cores or own_cores())
        self._idle: list[Serving] = []
        self._ports: dict[int, trio.Lock] = {}  # at which clients from elsewhere connect
        self._threads = trio.CapacityLimiter(2 * len(self._cores.all) + 2)
        self._warned = False

    @property
    def slots(self) -> int:
        return len(self._cores.all)

    def has_room(self, running: Collection[Task], task: Task) -> bool:
        """Each game takes its cores, or all if there are fewer."""
        return sum(min(needed(each), self.slots) for each in (*running, task)) <= self.slots

    async def __aenter__(self) -> "LocalPool":
        return self

    async def __aexit__(self, *_: object) -> None:
        with trio.CancelScope(shield=True):
            async with trio.open_nursery() as nursery:
                for serving in self._idle:
                    nursery.start_soon(self._end, serving)
        self._idle.clear()

    async def play(self, task: Task) -> Outcome:
        """Play one game."""
        self._warn(task)
        async with AsyncExitStack() as stack:
            for port in sorted({*_fixed_ports(task)}):
                await stack.enter_async_context(self._ports.setdefault(port, trio.Lock()))
            cores = await self._cores.take(needed(task))
            try:
                played = await self._play(task, cores)
            except OSError as error:  # no process, no memory
                return Outcome(number=task.number, failure=words(error))
            finally:
                self._cores.give_back(cores)
        return await kept(played, task)

    async def _play(self, task: Task, cores: Sequence[int]) -> Played:
        serving = self._idle.pop() if self._idle else Serving()
        done = False
        try:
            played = await trio.to_thread.run_sync(
                serving.play, task, cores, abandon_on_cancel=True, limiter=self._threads
            )
            done = played.outcome.failure is None and serving.alive
        finally:
            if done:
                self._idle.append(serving)
            else:
                with trio.CancelScope(shield=True):
                    await self._end(serving)
        return played

    async def _end(self, serving: Serving) -> None:
        await trio.to_thread.run_sync(serving.close)

    def _warn(self, task: Task) -> None:
        """Say once that programs are not enclosed."""
        programs = any(entrant.kind is Kind.COMMAND for entrant in task.entrants)
        if programs and not self._warned and not is_enclosed():
            log.warning(
                "bubblewrap is not available: programs can read this user's files, use the network "
                "and disturb each other",
            )
            self._warned = True


async def kept(played: Played, task: Task) -> Outcome:
    """The outcome, once the files of the game are written; if they cannot be, we have failed."""
    try:
        await trio.to_thread.run_sync(played.keep, Path(task.folder))
    except OSError as error:
        reason = f"the files of the game cannot be written: {error.strerror or error}"
        return Outcome(number=task.number, failure=reason)
    return played.outcome


def _fixed_ports(task: Task) -> Iterator[int]:
    for entrant in task.entrants:
        if entrant.kind is Kind.REMOTE and (port := int(entrant.options.get("port", task.port))):
            yield port
