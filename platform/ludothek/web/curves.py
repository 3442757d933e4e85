"""Load and lag of the last minutes, as curves."""

import os
import time
from collections import deque
from collections.abc import Callable
from pathlib import Path

import attrs
import trio

from ludothek.contract.frozen import frozen
from ludothek.control.organiser import Organiser
from ludothek.control.views import open_lobbies
from ludothek.web.events import Event
from ludothek.web.feed import Say
from transports import unstopped_time

# Seconds between two points, and for how long they are kept.
STEP = 2.0
MEMORY = 15 * 60.0

_PAGE_BYTES = os.sysconf("SC_PAGE_SIZE")
_MEMORY = Path("/proc/self/statm")


@frozen(kw_only=True)
class Sample:
    """One point of all curves."""

    date: float
    messages_in: float  # per second
    messages_out: float
    clients: int
    lobbies: int
    matches: int  # that are running
    lag: float  # the largest since the last point, in seconds
    memory: int | None  # bytes
    cpu: float  # in cores


class Curves:
    """Takes samples of one daemon and remembers the latest."""

    def __init__(
        self,
        organiser: Organiser,
        clock: Callable[[], float] = unstopped_time,
        cpu: Callable[[], float] = time.process_time,
    ) -> None:
        self._organiser = organiser
        self._clock = clock
        self._cpu = cpu
        self._samples: deque[Sample] = deque(maxlen=int(MEMORY / STEP))
        self._taken = 0
        self._more = trio.Event()
        self._before = self._read()

    async def run(self) -> None:
        """Take samples until cancelled; only a daemon does this (see `LoopLag.watch`)."""
        while True:
            await trio.sleep(STEP)
            self.take()

    def take(self) -> None:
        """Take the next sample."""
        before, self._before = self._before, self._read()
        now = self._before
        seconds = max(now[0] - before[0], 0.001)
        # An endpoint that is gone has taken its counters with it.
        came, left, worked = (
            max(0.0, new - old) / seconds for new, old in zip(now[1:], before[1:], strict=True)
        )
        endpoints = self._organiser.endpoints
        lobbies = [lobby for endpoint in endpoints for lobby in open_lobbies(endpoint)]
        sample = Sample(
            date=time.time(),
            messages_in=round(came, 1),
            messages_out=round(left, 1),
            clients=sum(len(endpoint.clients) for endpoint in endpoints),
            lobbies=len(lobbies),
            matches=sum(lobby.match_runs for lobby in lobbies),
            lag=round(self._organiser.lag.take_peak(), 6),
            memory=_memory(),
            cpu=round(worked, 4),
        )
        self._samples.append(sample)
        self._taken += 1
        self._more.set()
        self._more = trio.Event()

    async def tell(self, say: Say, goes_on: Callable[[], bool]) -> None:
        """Say all samples, and then each new one; a slow browser misses some."""
        told = self._taken
        await say(Event.of("samples", [*map(attrs.asdict, self._samples)]).text)
        while goes_on():
            if self._taken == told:
                await self._more.wait()
            told = self._taken
            await say(Event.of("sample", attrs.asdict(self._samples[-1])).text)

    def _read(self) -> tuple[float, float, float, float]:
        traffics = [endpoint.traffic for endpoint in self._organiser.endpoints]
        came = sum(traffic.frames_in for traffic in traffics)
        left = sum(traffic.frames_out for traffic in traffics)
        return self._clock(), came, left, self._cpu()


def _memory() -> int | None:
    """Bytes of this process that are in memory; None where the system does not tell."""
    try:
        return int(_MEMORY.read_text().split()[1]) * _PAGE_BYTES
    except (OSError, ValueError, IndexError):
        return None
