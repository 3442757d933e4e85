"""Games on the machines of a Dask cluster."""

import threading
from collections.abc import Callable, Collection
from contextlib import suppress
from functools import partial
from math import inf
from typing import Any

import structlog
import trio

from ludothek import __version__
from ludothek.arena.cores import needed, shared_cores
from ludothek.arena.entrant import Kind
from ludothek.arena.local_pool import kept
from ludothek.arena.outcome import Outcome
from ludothek.arena.played import Played
from ludothek.arena.pool import PoolLost
from ludothek.arena.serving import Serving
from ludothek.arena.task import Task
from ludothek.kit.reports import words

log = structlog.get_logger()

# Of Dask, which is imported only where it is used.
Client = Any
Future = Any

# Seconds in which the scheduler must answer, and then a first worker be there.
CONNECT_SECONDS, WORKER_SECONDS = 30.0, 60.0

# How often Dask itself repeats a game whose worker is lost.
RETRIES = 3

# Seconds between two looks at how many games the cluster can play.
LOOK_SECONDS = 5.0


class ClusterPool:
    """Hands games to the workers of a cluster; records and logs come back with the outcomes.

    Dask's client belongs to asyncio and has a thread of its own. Everything it is asked for here
    happens in worker threads, and its answers come back through Trio's token.
    """

    def __init__(self, address: str) -> None:
        self._address = address
        self._client: Client
        self._threads = 0  # of all workers
        self._looked = -inf

    @property
    def slots(self) -> int:
        return max(1, self._threads)

    def has_room(self, running: Collection[Task], task: Task) -> bool:
        """A game per thread: which machine it will be on, and with how many cores, nobody knows."""
        return len(running) < self.slots

    async def _count_threads(self) -> None:
        """Workers come and go."""
        now = trio.current_time()
        if now >= self._looked + LOOK_SECONDS:
            self._looked = now
            found = await trio.to_thread.run_sync(self._client.nthreads)
            self._threads = sum(found.values())

    # Coming and going

    async def __aenter__(self) -> "ClusterPool":
        try:
            self._client = await trio.to_thread.run_sync(self._connect)
        except ImportError:
            raise PoolLost("a cluster needs Dask: pip install 'ludothek[arena]'") from None
        except (OSError, TimeoutError, ValueError) as error:
            raise PoolLost(f"{self._address}: {words(error)}") from None
        await self._count_threads()
        return self

    def _connect(self) -> Client:
        import distributed

        # Dask itself would only notice when the program ends, and then hang.
        security = distributed.Security().get_connection_args("client")
        if self._address.startswith("tls:") and security["ssl_context"] is None:
            raise ValueError("TLS needs a key and a certificate, and none are configured")
        # A client that cannot understand its address would not go away without a noise.
        distributed.comm.get_address_host_port(self._address)
        client: Client = distributed.Client(
            self._address, timeout=CONNECT_SECONDS, set_as_default=False
        )
        try:
            client.wait_for_workers(1, timeout=WORKER_SECONDS)
            # Workers may come and go all the time.
            others = {*client.run(version, on_error="ignore").values()} - {__version__}
        except BaseException:
            client.close()
            raise
        if others:
            client.close()
            raise ValueError(f"workers have version {', '.join(others)}, not {__version__}")
        return client

    async def __aexit__(self, *_: object) -> None:
        with trio.CancelScope(shield=True):
            await trio.to_thread.run_sync(self._client.close)

    # Playing

    async def play(self, task: Task) -> Outcome:
        """Play one game."""
        if any(entrant.kind is Kind.REMOTE for entrant in task.entrants):
            raise PoolLost("clients from elsewhere cannot know where on a cluster their game is")
        future = None
        try:
            await self._count_threads()
            future = await trio.to_thread.run_sync(self._submit, task)
            played = await self._result(future)
        except trio.Cancelled:
            if future is not None:
                with trio.CancelScope(shield=True):
                    await trio.to_thread.run_sync(partial(future.cancel, force=True))
            raise
        except Exception as error:
            if self._client.status != "running":
                raise PoolLost(f"the cluster is lost: {words(error)}") from None
            return Outcome(number=task.number, failure=f"the cluster has failed: {words(error)}")
        return await kept(played, task)

    def _submit(self, task: Task) -> Future:
        return self._client.submit(play, task, pure=False, retries=RETRIES)

    async def _result(self, future: Future) -> Played:
        done, token = trio.Event(), trio.lowlevel.current_trio_token()
        future.add_done_callback(partial(_tell, token, done.set))
        await done.wait()
        played: Played = await trio.to_thread.run_sync(future.result, abandon_on_cancel=True)
        return played


def _tell(token: trio.lowlevel.TrioToken, callback: Callable[[], None], future: Any) -> None:
    with suppress(trio.RunFinishedError):  # nobody waits any more
        token.run_sync_soon(callback)


# On the worker

_idle: list[Serving] = []
_lock = threading.Lock()


def version() -> str:
    """That of the worker."""
    return __version__


def _look_after() -> Callable[[], bool]:
    """Says whether the scheduler still wants what this thread does; Dask ends no threads."""
    from distributed import get_worker

    worker = get_worker()
    key = worker.get_current_task()

    def wanted() -> bool:
        state = worker.state.tasks.get(key)
        return state is not None and state.state == "executing"

    return wanted


def play(task: Task) -> Played:
    """Play a game on this machine, with a serving process that is kept for the next one.

    A failure is reported like any other outcome: the organiser decides whether to repeat it. A
    game ends at once if it is given up, or if the organiser is gone.
    """
    wanted = _look_after()
    with shared_cores(needed(task), wanted) as cores:
        with _lock:
            serving = _idle.pop() if _idle else Serving()
        played = serving.play(task, cores, wanted)
        if played.outcome.failure is None and serving.alive:
            with _lock:
                _idle.append(serving)
        else:
            serving.close()
        return played
