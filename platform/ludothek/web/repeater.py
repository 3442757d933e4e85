"""Repeating matches in other processes, for browsers that wait."""

import logging
import os
import resource
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Hashable
from contextlib import asynccontextmanager, suppress

import attrs
import structlog
import trio
import trio_parallel

from ludothek.contract.registry import UnknownGame
from ludothek.kit.fair_queue import FairQueue
from ludothek.kit.reports import words
from ludothek.runtime.record import BadRecord
from ludothek.runtime.replay import Differs
from transports import BUGS, Spawner

log = structlog.get_logger()

# Repeating a match takes a core for a while, so few are repeated at once.
WORKERS = 2
# Seconds that it may take, and that somebody waits for an answer: proxies do not wait longer.
PATIENCE, ANSWER = 60.0, 50.0
# How much less important than games it is.
NICENESS = 10
# Seconds that a process waits for more work, and how long it may take to end.
IDLE, GRACE = 60.0, 1.0
# Matches that browsers wait for, in all and for each address.
MOST_WAITING = 200
MOST_FOR_ONE = 10
# Bytes of memory for each process; a hostile match could take far more.
MEMORY = 1024**3
# Seconds for which what cannot be repeated is not tried again, and what takes too long; and of how
# much that is remembered.
PAUSE, LONG_PAUSE = 30.0, 600.0
MOST_PROBLEMS = 1000


@asynccontextmanager
async def open_workers() -> AsyncIterator[trio_parallel.WorkerContext]:
    """Processes of its own: bots, which decide in other processes too, come first."""
    try:
        async with trio_parallel.open_worker_context(
            idle_timeout=IDLE, init=_prepare, grace_period=GRACE
        ) as workers:
            yield workers
    except trio_parallel.BrokenWorkerError:
        pass  # one that was busy did not end by itself


def _prepare() -> bool:
    """Yield to the games, and log nothing: what a table has to say was logged when it happened."""
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))
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
    key: str
    make: Callable[[], bytes]
    who: str
    done: trio.Event = attrs.field(factory=trio.Event)
    content: bytes = b""
    problem: NotShown | None = None


class Repeater:
    """Does each piece of work once for all who ask for it meanwhile.

    Those who ask take turns, and nobody occupies all processes, however long his matches take.
    """

    def __init__(self, nursery: Spawner, context: trio_parallel.WorkerContext) -> None:
        self._nursery = nursery
        self._context = context
        self._jobs: dict[str, _Job] = {}
        self._waiting: FairQueue[_Job] = FairQueue(MOST_WAITING, MOST_FOR_ONE)
        self._running: list[_Job] = []
        self._workers = trio.CapacityLimiter(WORKERS)
        self._problems: OrderedDict[str, tuple[float, NotShown]] = OrderedDict()

    async def repeat(self, key: str, make: Callable[[], bytes], who: str = "") -> bytes:
        """What `make` returns in another process; raises NotShown.

        `who` asks; each may have some matches repeated, one at a time, and nobody any number.
        """
        job = self._jobs.get(key) or self._begin(key, make, who)
        with trio.move_on_after(ANSWER):
            await job.done.wait()
        if not job.done.is_set():
            raise NotShown(503, "this match is still being prepared; try again")
        if job.problem is not None:
            raise NotShown(job.problem.status, str(job.problem))
        return job.content

    def _begin(self, key: str, make: Callable[[], bytes], who: str) -> _Job:
        until, problem = self._problems.get(key, (0.0, None))
        if problem is not None and trio.current_time() < until:
            raise NotShown(problem.status, str(problem))
        if who and sum(job.who == who for job in self._jobs.values()) >= MOST_FOR_ONE:
            raise NotShown(429, "you have asked for many matches; wait until you have them")
        job = self._jobs[key] = _Job(key, make, who)
        if (left_out := self._waiting.put(who, job, limited=bool(who))) is not None:
            left_out.problem = NotShown(
                503, "too many matches are being prepared; try again in a minute"
            )
            self._end(left_out)
        # Not in the task of the one who asks, who may hang up while others wait.
        self._go_on()
        return job

    def _go_on(self) -> None:
        """Begin as many jobs as may be done now."""
        while len(self._running) < WORKERS:
            job = self._waiting.take(lambda job: True, self._is_turn_of)
            if job is None:
                return
            self._running.append(job)
            self._nursery.start_soon(self._do, job)

    def _is_turn_of(self, who: Hashable) -> bool:
        return not who or all(job.who != who for job in self._running)

    def _end(self, job: _Job) -> None:
        del self._jobs[job.key]
        job.done.set()

    async def _do(self, job: _Job) -> None:
        job.problem = too_long = NotShown(503, "it takes too long to repeat this match")
        try:
            with trio.move_on_after(PATIENCE) as patience:
                job.content = await self._run(job.make)
                job.problem = None
            if patience.cancelled_caught:
                self._remember(job.key, too_long, LONG_PAUSE)
        except NotShown as problem:
            job.problem = problem
            self._remember(job.key, problem, PAUSE)
        finally:
            self._running.remove(job)
            self._end(job)
            self._go_on()

    def _remember(self, key: str, problem: NotShown, seconds: float) -> None:
        self._problems[key] = trio.current_time() + seconds, problem
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
