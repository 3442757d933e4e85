"""Fills all places where it can write, reads what it can, tells of it, and ends."""

import ctypes
import json
import os
import sys
from pathlib import Path

MEGABYTE = 1024 * 1024
NEW_USER, NEW_MOUNT = 0x10000000, 0x20000


def fill(folder: str) -> int:
    """How many megabytes fit in there, up to 16."""
    size = 0
    try:
        for number in range(16):
            with open(os.path.join(folder, f"hoard{number}"), "wb") as file:
                file.write(bytes(MEGABYTE))
            size += 1
    except OSError:
        pass
    return size


def readable(path: Path) -> bool:
    try:
        return bool(path.read_bytes())
    except OSError:
        return False


folders = {line.split()[1] for line in Path("/proc/mounts").read_text().splitlines()} | {"."}
here = Path(__file__).parent
found = {
    "megabytes": sum(fill(folder) for folder in folders if os.access(folder, os.W_OK)),
    "namespaces": ctypes.CDLL(None).unshare(NEW_USER | NEW_MOUNT) == 0,
    "texts": [path.name for path in here.rglob("*.txt") if readable(path)],
}
sys.stdout.write(json.dumps(found))
