"""Repeating matches in other processes, for browsers that wait."""

import os
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager

import attrs
import structlog
import trio
import trio_parallel

from ludothek.kit.reports import words
from transports import BUGS, Spawner

log = structlog.get_logger()

# Repeating a match takes a core for a while, so few are repeated at once.
WORKERS = 2
# Seconds that it may take.
PATIENCE = 60.0
# How much less important than games it is.
NICENESS = 10
# Seconds that a process waits for more work, and how long it may take to end.
IDLE, GRACE = 60.0, 1.0
# Browsers wait for so many matches at the most.
MOST_WAITING = 50


def open_workers() -> AbstractAsyncContextManager[trio_parallel.WorkerContext]:
    """Processes of its own: bots, which decide in other processes too, come first."""
    workers: AbstractAsyncContextManager[trio_parallel.WorkerContext]
    workers = trio_parallel.open_worker_context(
        idle_timeout=IDLE, init=_yield_to_games, grace_period=GRACE
    )
    return workers


def _yield_to_games() -> bool:
    os.nice(NICENESS)
    return True


class NotShown(Exception):
    """A match that cannot be shown; the text says why."""

    def __init__(self, status: int, reason: str) -> None:
        super().__init__(reason)
        self.status = status


@attrs.define(eq=False)
class _Job:
    done: trio.Event = attrs.field(factory=trio.Event)
    content: bytes = b""
    problem: NotShown | None = None


class Repeater:
    """Does each piece of work once for all who ask for it meanwhile."""

    def __init__(self, nursery: Spawner, context: trio_parallel.WorkerContext) -> None:
        self._nursery = nursery
        self._context = context
        self._jobs: dict[str, _Job] = {}
        self._workers = trio.CapacityLimiter(WORKERS)

    async def repeat(self, key: str, make: Callable[[], bytes]) -> bytes:
        """What `make` returns in another process; raises NotShown."""
        job = self._jobs.get(key) or self._begin(key, make)
        await job.done.wait()
        if job.problem is not None:
            raise NotShown(job.problem.status, str(job.problem))
        return job.content

    def _begin(self, key: str, make: Callable[[], bytes]) -> _Job:
        if len(self._jobs) >= MOST_WAITING:
            raise NotShown(503, "too many matches are being prepared; try again in a minute")
        job = self._jobs[key] = _Job()
        # Not in the task of the one who asks, who may hang up while others wait.
        self._nursery.start_soon(self._do, key, job, make)
        return job

    async def _do(self, key: str, job: _Job, make: Callable[[], bytes]) -> None:
        try:
            job.problem = NotShown(503, "it takes too long to repeat this match; try again")
            with trio.move_on_after(PATIENCE):
                job.content = await self._run(make)
                job.problem = None
        except NotShown as problem:
            job.problem = problem
        finally:
            del self._jobs[key]
            job.done.set()

    async def _run(self, make: Callable[[], bytes]) -> bytes:
        try:
            content: bytes = await self._context.run_sync(
                make, cancellable=True, limiter=self._workers
            )
        except trio_parallel.BrokenWorkerError:
            raise NotShown(503, "the match could not be repeated; try again") from None
        except BUGS as bug:
            log.warning("a match cannot be shown", error=words(bug))
            raise NotShown(410, f"it cannot be repeated: {words(bug)}") from bug
        return content
