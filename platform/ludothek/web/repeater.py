"""Repeating matches in other processes, for browsers that wait."""

import os
import resource
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress

import attrs
import structlog
import trio
import trio_parallel

from ludothek.contract.registry import UnknownGame
from ludothek.kit.reports import words
from ludothek.runtime.record import BadRecord
from ludothek.runtime.replay import Differs
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
# Matches that browsers wait for, in all and for each address.
MOST_WAITING = 200
MOST_FOR_ONE = 10
# Bytes of memory for each process; a hostile match could take far more.
MEMORY = 1024**3
# Seconds for which what cannot be repeated is not tried again, and of how much that is remembered.
PAUSE = 30.0
MOST_PROBLEMS = 1000


@asynccontextmanager
async def open_workers() -> AsyncIterator[trio_parallel.WorkerContext]:
    """Processes of its own: bots, which decide in other processes too, come first."""
    try:
        async with trio_parallel.open_worker_context(
            idle_timeout=IDLE, init=_yield_to_games, grace_period=GRACE
        ) as workers:
            yield workers
    except trio_parallel.BrokenWorkerError:
        pass  # one that was busy did not end by itself


def _yield_to_games() -> bool:
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
    with suppress(OSError):  # a service that may not do this has weights of its own
        os.nice(NICENESS)
    return True


class NotShown(Exception):
    """A match that cannot be shown; the text says why."""

    def __init__(self, status: int, reason: str) -> None:
        super().__init__(reason)
        self.status = status


@attrs.define(eq=False)
class _Job:
    who: str
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
        self._problems: OrderedDict[str, tuple[float, NotShown]] = OrderedDict()

    async def repeat(self, key: str, make: Callable[[], bytes], who: str = "") -> bytes:
        """What `make` returns in another process; raises NotShown.

        `who` asks; each may have some matches repeated at the same time, and nobody any number.
        """
        job = self._jobs.get(key) or self._begin(key, make, who)
        await job.done.wait()
        if job.problem is not None:
            raise NotShown(job.problem.status, str(job.problem))
        return job.content

    def _begin(self, key: str, make: Callable[[], bytes], who: str) -> _Job:
        until, problem = self._problems.get(key, (0.0, None))
        if problem is not None and trio.current_time() < until:
            raise NotShown(problem.status, str(problem))
        if len(self._jobs) >= MOST_WAITING:
            raise NotShown(503, "too many matches are being prepared; try again in a minute")
        if who and sum(job.who == who for job in self._jobs.values()) >= MOST_FOR_ONE:
            raise NotShown(429, "you have asked for many matches; wait until you have them")
        job = self._jobs[key] = _Job(who)
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
            if job.problem is not None:
                self._remember(key, job.problem)

    def _remember(self, key: str, problem: NotShown) -> None:
        self._problems[key] = trio.current_time() + PAUSE, problem
        self._problems.move_to_end(key)
        if len(self._problems) > MOST_PROBLEMS:
            self._problems.popitem(last=False)

    async def _run(self, make: Callable[[], bytes]) -> bytes:
        try:
            content: bytes = await self._context.run_sync(
                make, cancellable=True, limiter=self._workers
            )
        except trio_parallel.BrokenWorkerError:
            raise NotShown(503, "the match could not be repeated; try again") from None
        except OSError as error:  # whose text has the path of a file
            log.warning("a match cannot be shown", error=words(error))
            raise NotShown(410, "its record cannot be read") from error
        except (BadRecord, Differs, UnknownGame) as problem:
            log.warning("a match cannot be shown", error=words(problem))
            raise NotShown(410, f"it cannot be repeated: {words(problem)}") from problem
        except BUGS as bug:
            log.warning("a match cannot be shown", error=words(bug))
            raise NotShown(410, "it cannot be repeated; the log says more") from bug
        return content
