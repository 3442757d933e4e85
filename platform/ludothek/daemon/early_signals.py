"""Signals to end that come while the program loads, before anybody can wait for them.

Loading is quick, and a daemon that nobody has come to has nothing to say goodbye to. One that has
inherited connections has: it goes on with them first, and then ends as always.
"""

import os
import signal

from ludothek.daemon.guarded import AGAIN

# Those that are to be heeded later.
waiting: list[int] = []


def install() -> None:
    """Heed them from now on, until somebody else does."""
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, _end)
    signal.signal(signal.SIGUSR1, lambda *_: os._exit(AGAIN))
    signal.signal(signal.SIGHUP, signal.SIG_IGN)


def _end(number: int, _: object) -> None:
    if waiting or not _has_clients():  # who asks twice is in a hurry
        os._exit(0)
    waiting.append(number)


def _has_clients() -> bool:
    """Whether the process before this one has left connections. (A spare one learns it late.)"""
    names = os.environ.get("LISTEN_FDNAMES", "").split(":")
    return any(name[:1] == "c" and name[1:].isdecimal() for name in names)
