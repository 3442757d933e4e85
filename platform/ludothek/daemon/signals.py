"""Signals that ask the daemon to end, reload or restart, however many of them are sent."""

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from queue import SimpleQueue
from threading import Thread

import attrs
import trio

from ludothek.daemon import early_signals

ENDS = (signal.SIGTERM, signal.SIGINT)
RESTART = signal.SIGUSR1  # the unit's RestartKillSignal=
ALL = (*ENDS, signal.SIGHUP, RESTART)

# The second request to end hurries the first. Reloading twice in a row makes no sense.
ENDS_WAITING, HANGUPS_WAITING, RESTARTS_WAITING = 2, 1, 1


@attrs.frozen
class Signals:
    """Signals as numbers that can be waited for."""

    ends: trio.MemoryReceiveChannel[int]
    hangups: trio.MemoryReceiveChannel[int]
    restarts: trio.MemoryReceiveChannel[int]


@contextmanager
def open_signals() -> Iterator[Signals]:
    """Receive SIGTERM, SIGINT, SIGHUP and SIGUSR1; afterwards they are ignored.

    Not with `trio.open_signal_receiver`: the next signal can interrupt its handler, which is Python
    code, and so on until the stack is full. `SimpleQueue.put` is C code and made to be reentrant.
    """
    send_end, ends = trio.open_memory_channel[int](ENDS_WAITING)
    send_hangup, hangups = trio.open_memory_channel[int](HANGUPS_WAITING)
    send_restart, restarts = trio.open_memory_channel[int](RESTARTS_WAITING)
    channels: dict[int, trio.MemorySendChannel[int]] = {
        signal.SIGHUP: send_hangup,
        RESTART: send_restart,
    }

    def receive(number: int) -> None:
        with suppress(trio.WouldBlock):
            channels.get(number, send_end).send_nowait(number)

    arrived: SimpleQueue[int | None] = SimpleQueue()
    token = trio.lowlevel.current_trio_token()
    Thread(target=_pass_on, args=(arrived, token, receive), name="signals", daemon=True).start()
    for number in ALL:
        signal.signal(number, arrived.put)  # type: ignore[arg-type] # the frame is taken for `block`
    while early_signals.waiting:
        arrived.put(early_signals.waiting.pop())
    try:
        yield Signals(ends, hangups, restarts)
    finally:
        for number in ALL:
            signal.signal(number, signal.SIG_IGN)
        arrived.put(None)


def _pass_on(
    arrived: SimpleQueue[int | None], token: trio.lowlevel.TrioToken, receive: Callable[[int], None]
) -> None:
    with suppress(trio.RunFinishedError):
        while (number := arrived.get()) is not None:
            # Idempotent: while the event loop is busy, many signals of a kind are one.
            token.run_sync_soon(receive, number, idempotent=True)
