"""What others tell this process by signals, however many of them they send."""

import operator
import signal
import socket
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress

import attrs
import trio

ENDS = (signal.SIGTERM, signal.SIGINT)

# Two wishes to end are heard, however soon the second one comes. To read a file again twice in a
# row makes no sense.
ENDS_WAITING, HANGUPS_WAITING = 2, 1


@attrs.frozen
class Signals:
    """Signals as numbers that can be waited for."""

    ends: trio.MemoryReceiveChannel[int]
    hangups: trio.MemoryReceiveChannel[int]
    _pipe: trio.socket.SocketType
    _say: Mapping[int, trio.MemorySendChannel[int]]  # other signals mean nothing

    async def listen(self) -> None:
        """Pass on what comes, until cancelled."""
        while True:
            for number in await self._pipe.recv(4096):
                if say := self._say.get(number):
                    with suppress(trio.WouldBlock):
                        say.send_nowait(number)


@contextmanager
def open_signals() -> Iterator[Signals]:
    """Hear SIGTERM, SIGINT and SIGHUP; whoever sends another one afterwards is ignored.

    A handler written in Python can be interrupted by the next signal, and so on until there is no
    more stack. The one here is written in C and does nothing: the interpreter itself puts the
    number of every signal into a socket, and numbers for which there is no room are lost.
    """
    ours, wakeup = socket.socketpair()
    with ours, wakeup:
        wakeup.setblocking(False)
        before = signal.set_wakeup_fd(wakeup.fileno(), warn_on_full_buffer=False)
        for number in (*ENDS, signal.SIGHUP):
            signal.signal(number, operator.is_)
        say_end, ends = trio.open_memory_channel[int](ENDS_WAITING)
        say_hangup, hangups = trio.open_memory_channel[int](HANGUPS_WAITING)
        pipe = trio.socket.from_stdlib_socket(ours)
        try:
            say: dict[int, trio.MemorySendChannel[int]] = dict.fromkeys(ENDS, say_end)
            say[signal.SIGHUP] = say_hangup
            yield Signals(ends, hangups, pipe, say)
        finally:
            for number in (*ENDS, signal.SIGHUP):
                signal.signal(number, signal.SIG_IGN)
            signal.set_wakeup_fd(before)
