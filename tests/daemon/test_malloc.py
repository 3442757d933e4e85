"""Large blocks leave nothing behind."""

import platform
import subprocess
import sys

import pytest

# Worker threads use large blocks, and between two of them something small is made that stays.
USE = """
import os, threading
from ludothek.daemon.malloc import return_large_blocks

def pages():
    return int(open("/proc/self/statm").read().split()[1])

def use():
    for _ in range(3):
        large = b"x" * (19 * 1024 * 1024)
        stays.append(bytes(2000))
        del large

{prepare}
stays = []
before = pages()
for _ in range(3):
    thread = threading.Thread(target=use)
    thread.start()
    thread.join()
print((pages() - before) * os.sysconf("SC_PAGESIZE") / 2**20)
"""


# What slow clients did not read, and between two frames something small that stays.
WAIT = """
import os
from ludothek.daemon.malloc import FreeMemory, return_large_blocks

def mebibytes():
    return int(open("/proc/self/statm").read().split()[1]) * os.sysconf("SC_PAGESIZE") / 2**20

return_large_blocks()
memory = FreeMemory()
given = [memory.give_back()]
stays = []
before = mebibytes()
frames = []
for _ in range(2000):
    frames.append(b"x" * 64000)
    stays.append(bytes(600))
frames.clear()
print(mebibytes() - before)
given += [memory.give_back(), memory.give_back()]
print(mebibytes() - before)
print(given)
"""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="this is about glibc")
def test_what_becomes_free_between_other_things_is_given_back_once() -> None:
    command = [sys.executable, "-c", WAIT]
    kept, left, given = subprocess.check_output(command, timeout=30, text=True).splitlines()
    assert float(kept) > 100, "the C library does so by itself: nobody needs to ask"
    assert float(left) < 20
    assert given == "[False, True, False]"


def left_behind(prepare: str) -> float:
    """MiB that a process has more than before."""
    command = [sys.executable, "-c", USE.format(prepare=prepare)]
    return float(subprocess.check_output(command, timeout=30))


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="this is about glibc")
def test_large_blocks_go_back_to_the_system_at_once() -> None:
    assert left_behind("return_large_blocks()") < 4
    assert left_behind("pass") > 15, "the C library does so by itself: the module is not needed"
