"""A serving process as pools see it."""

import socket
import subprocess
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from select import select
from time import monotonic

from ludothek.arena import channel
from ludothek.arena.channel import Closed
from ludothek.arena.outcome import Outcome
from ludothek.arena.played import Played
from ludothek.arena.scratch import sweep
from ludothek.arena.task import Task

# Seconds beyond all bounds of a game after which a serving process must have hung itself up.
PATIENCE = 120.0

# Seconds that it may take to end its programs.
CLOSE_SECONDS = 10.0

# Seconds between two looks whether somebody still wants a game.
LOOK_SECONDS = 0.5

# Why a game has failed that nobody wants any more; so nobody reads it either.
UNWANTED = "nobody waits for this game any more"


class Serving:
    """Plays one game at a time; what it raises never concerns the entrants."""

    def __init__(self) -> None:
        self._sock, theirs = socket.socketpair()
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "ludothek.arena.server", str(theirs.fileno())],
                stdin=subprocess.DEVNULL,
                pass_fds=[theirs.fileno()],
                start_new_session=True,
            )

    @property
    def pid(self) -> int:
        return self._process.pid

    def play(
        self, task: Task, cores: Sequence[int], wanted: Callable[[], bool] | None = None
    ) -> Played:
        """Play a game as long as it is wanted, or say why that has failed; blocks."""
        try:
            channel.send(self._sock, (task, [*cores]))
            bounds = task.bounds
            rounds = bounds.startup_seconds * len(task.entrants)
            seconds = rounds + bounds.game_seconds + PATIENCE
            if wanted is not None and not self._await_answer(seconds, wanted):
                return _failed(task, UNWANTED)
            self._sock.settimeout(seconds)
            played: Played = channel.receive(self._sock)
        except TimeoutError:
            self._process.kill()
            return _failed(task, "the serving process does not answer")
        except Closed:
            code = self._wait()
            return _failed(task, f"the serving process has ended with {code}")
        return played

    def _await_answer(self, seconds: float, wanted: Callable[[], bool]) -> bool:
        """Whether there is an answer before the game is no longer wanted; raises TimeoutError."""
        deadline = monotonic() + seconds
        while not select([self._sock], [], [], LOOK_SECONDS)[0]:
            if not wanted():
                return False
            if monotonic() >= deadline:
                raise TimeoutError
        return True

    @property
    def alive(self) -> bool:
        return self._process.poll() is None

    def close(self) -> None:
        """End it and everything that it has started; blocks. May be called from another thread."""
        with suppress(OSError):
            self._sock.shutdown(socket.SHUT_RDWR)
        if self._wait():  # it may not have cleaned up
            sweep()
        self._sock.close()

    def _wait(self) -> int:
        try:
            return self._process.wait(CLOSE_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            return self._process.wait()


def _failed(task: Task, failure: str) -> Played:
    return Played(Outcome(number=task.number, failure=failure), {})
