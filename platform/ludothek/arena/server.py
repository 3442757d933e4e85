"""A serving process: plays one game after another, each at an endpoint of its own.

It is started by a pool with the descriptor of a socket, over which it gets tasks. When the pool is
gone, it ends, and so do all programs that it has started.
"""

import gc
import logging
import os
import signal
import socket
import sys
from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path

import structlog
import trio

from ludothek.arena.channel import Closed, areceive, asend
from ludothek.arena.entrant import Kind
from ludothek.arena.failure import Failure
from ludothek.arena.outcome import Outcome
from ludothek.arena.played import Played
from ludothek.arena.referee import Referee
from ludothek.arena.scratch import scratch, sweep
from ludothek.arena.task import Task
from ludothek.kit.reports import words
from transports import BUGS, Poller, open_poller

log = structlog.get_logger()


async def serve(sock: socket.socket) -> None:
    """Play what the other end asks for, until it is gone."""
    sock.setblocking(False)
    stream = trio.SocketStream(trio.socket.from_stdlib_socket(sock))
    async with open_poller() as poller:
        while True:
            try:
                task, cores = await areceive(stream)
            except (Closed, trio.BrokenResourceError):
                return
            played: Played | None = None
            async with trio.open_nursery() as nursery:
                nursery.start_soon(_end_with, sock, nursery.cancel_scope)
                played = await play(task, cores, poller)
                nursery.cancel_scope.cancel()
            if played is None:  # the pool is gone
                return
            try:
                await asend(stream, played)
            except trio.BrokenResourceError:
                return


async def _end_with(sock: socket.socket, scope: trio.CancelScope) -> None:
    """While a game is played, the pool says nothing; if there is something to read, it is gone."""
    await trio.lowlevel.wait_readable(sock)
    scope.cancel()


async def play(task: Task, cores: Sequence[int], poller: Poller | None) -> Played:
    """Play one game on these cores."""
    if cores:
        os.sched_setaffinity(0, cores)
    programs = any(entrant.kind is Kind.COMMAND for entrant in task.entrants)
    try:
        with scratch() if programs else nullcontext(Path()) as directory:
            return await Referee(task, directory, cores, poller).play()
    except Failure as failure:
        return Played(Outcome(number=task.number, failure=str(failure)), {})
    except BUGS as bug:
        log.error("a game has failed", number=task.number, exc_info=bug)
        return Played(Outcome(number=task.number, failure=words(bug)), {})


def main() -> None:
    """Serve over the descriptor that the command line names."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # whoever types it wants the pool to end
    structlog.configure(
        wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
    )
    sweep()
    gc.freeze()  # what was loaded stays
    with socket.socket(fileno=int(sys.argv[1])) as sock:
        trio.run(serve, sock)


if __name__ == "__main__":
    main()
