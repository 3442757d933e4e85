"""Tries to get more than its share, says how far it has come, and ends."""

import array
import ctypes
import json
import os
import resource
import socket
import sys
from contextlib import suppress

KEYCTL = {"x86_64": 250, "aarch64": 219}
GET_KEYRING, SESSION = 0, -3

# Descriptors that fit into one message.
MANY = 250


def in_flight() -> int:
    """How many descriptors can be on their way from here to nowhere, of 5000."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    ends: list[socket.socket] = []
    sent = 0
    with suppress(OSError):
        while sent < 5000:
            ends += socket.socketpair()
            passed = array.array("i", [ends[-1].fileno()] * MANY)
            ends[-1].sendmsg([b"x"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, passed)])
            sent += MANY
    return sent


for who in (0, 1):
    os.sched_setaffinity(who, range(os.cpu_count() or 1))
os.setpriority(os.PRIO_PROCESS, 1, 19)
os.sched_setscheduler(1, os.SCHED_IDLE, os.sched_param(0))
slow = os.getpriority(os.PRIO_PROCESS, 1) or os.sched_getscheduler(1) != os.SCHED_OTHER
keyctl = KEYCTL[os.uname().machine]
found = {
    "cores": [len(os.sched_getaffinity(who)) for who in (0, 1)],
    "slows the launcher": bool(slow),
    "has our keys": ctypes.CDLL(None).syscall(keyctl, GET_KEYRING, SESSION, 0) > 0,
    "in flight": in_flight(),
}
sys.stdout.write(json.dumps(found))
