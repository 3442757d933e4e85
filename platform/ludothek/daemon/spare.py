"""A spare process: it has loaded everything, and takes over at once when the daemon dies.

Loading the program takes most of the time that clients would have to wait for the next process. So
a daemon leaves a copy of itself behind, from before it has begun to do anything. The copy shares
its memory and waits. The guardian sends it what another process would have inherited.
"""

import ctypes
import gc
import os
import signal
import socket
from collections.abc import MutableMapping
from contextlib import suppress
from fcntl import F_DUPFD_CLOEXEC, fcntl

from ludothek.daemon.guarded import GUARDIAN, PR_SET_PDEATHSIG, SPARE, renumber

# Some systems allow a billion.
MOST_DESCRIPTORS = 65_536

# More than a guardian sends at once.
BATCH = 255


def stand_by(environ: MutableMapping[str, str]) -> bool:
    """Leave a spare process behind.

    Returns at once in this process; in the spare one, when it has to take over, and then True. It
    must be called before there are threads or files, of which the spare process would know nothing.
    """
    has_taken_over = False
    while (channel := _fork(environ["NOTIFY_SOCKET"])) is not None:
        _take_over(channel, environ)
        has_taken_over = True
    return has_taken_over


def _fork(address: str) -> socket.socket | None:
    """Returns the channel to the guardian in the spare process, and None in this one."""
    ours, theirs = socket.socketpair()
    gc.freeze()  # so that memory stays shared
    try:
        process = os.fork()
    except OSError:  # there are too many
        process = -1
    if process == 0:
        theirs.close()
        os.closerange(3, ours.fileno())
        os.closerange(ours.fileno() + 1, MOST_DESCRIPTORS)
        return ours
    if process > 0:
        # Before anything else: a guardian ends what belongs to a dead daemon.
        with suppress(ProcessLookupError):  # somebody was quicker
            os.setpgid(process, process)
    with ours, theirs, socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as guardian:
        if process > 0:
            guardian.connect(address)
            socket.send_fds(guardian, [f"{SPARE}={process}".encode()], [theirs.fileno()])
    return None


def _take_over(channel: socket.socket, environ: MutableMapping[str, str]) -> None:
    """Wait until the daemon is dead, and get what belonged to it."""
    with channel:
        size = int.from_bytes(_read(channel, 8), "big")
        text = os.fsdecode(_read(channel, size))
        environ.update(line.partition("=")[::2] for line in text.split("\0"))
        count = int(environ["LISTEN_FDS"])
        descriptors: list[int] = []
        while len(descriptors) < 1 + count:
            _, some, _, _ = socket.recv_fds(channel, 1, BATCH, socket.MSG_CMSG_CLOEXEC)
            if not some:
                os._exit(0)
            descriptors += some
    lock, *others = descriptors
    fcntl(lock, F_DUPFD_CLOEXEC, 3 + count)
    os.close(lock)
    names = environ["LISTEN_FDNAMES"].split(":") if count else []
    environ["LISTEN_FDNAMES"] = ":".join(renumber(dict(zip(others, names, strict=True))))
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, int(signal.SIGTERM), 0, 0, 0)
    if str(os.getppid()) != environ[GUARDIAN]:
        os._exit(0)


def _read(channel: socket.socket, size: int) -> bytes:
    """So many bytes; without a guardian, this process is of no use."""
    read = b""
    while len(read) < size:
        some = channel.recv(size - len(read))
        if not some:
            os._exit(0)
        read += some
    return read
