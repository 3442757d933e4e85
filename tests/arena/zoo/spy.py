"""Looks around, says what it finds, and ends."""

import json
import os
import socket
import sys


def reaches(port: str) -> bool:
    try:
        socket.create_connection(("127.0.0.1", int(port)), timeout=5).close()
    except OSError:
        return False
    return True


def writes(path: str) -> bool:
    try:
        with open(path, "a"):
            return True
    except OSError:
        return False


def is_open(descriptor: int) -> bool:
    try:
        os.fstat(descriptor)
    except OSError:
        return False
    return True


ours, elsewhere, rival = sys.argv[1:4]
found = {
    "directory": os.listdir(),
    "reaches the server": reaches(ours),
    "reaches others": reaches(elsewhere),
    "sees a rival": os.path.exists(os.path.join(os.path.dirname(__file__), "..", rival)),
    "sees itself": os.path.exists(__file__),
    "changes itself": writes(__file__),
    "writes where it is": writes("notes"),
    "descriptors": [*filter(is_open, range(100))],
    "processes": sum(name.isdigit() for name in os.listdir("/proc")),
    "variables": sorted(os.environ),
}
sys.stdout.write(json.dumps(found))
