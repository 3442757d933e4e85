"""Names never heard before: a stranger who makes them up does not fill the memory."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

# Each connection brings new names, in the shape that is asked for; prints what they have cost in
# KiB. A process of its own, whose memory nothing else uses.
STRANGERS = """
import sys
from games.penguins.codec import CODEC
from transports import XmlFramer

def names(number, count, length):
    return [b"n%d_%d_" % (number, n) + b"x" * length for n in range(count)]

SHAPES = {
    "attributes": lambda n: b"<a " + b" ".join(b"%b=''" % x for x in names(n, 1000, 0)) + b"/>",
    "few attributes": lambda n: b"<a " + b" ".join(b"%b=''" % x for x in names(n, 16, 900)) + b"/>",
    "elements": lambda n: b"<a>" + b"".join(b"<%b/>" % x for x in names(n, 200, 50)) + b"</a>",
    "prefixes": lambda n: b"<a>" + b"".join(b"<b xmlns:%b='u'/>" % x for x in names(n, 60, 50))
    + b"</a>",
}

def connect(number):
    framer = XmlFramer("protocol")
    for frame in framer.feed(b"<protocol>" + SHAPES[sys.argv[1]](number)):
        if isinstance(frame, bytes):
            CODEC.decode(frame)

def resident():
    with open("/proc/self/statm") as statm:
        return int(statm.read().split()[1]) * 4

for number in range(100):
    connect(number)
before = resident()
for number in range(100, 600):
    connect(number)
print(resident() - before)
"""


@pytest.mark.parametrize("shape", ["attributes", "few attributes", "elements", "prefixes"])
def test_new_names_over_many_connections_leave_memory_flat(shape: str) -> None:
    strangers = subprocess.run(
        [sys.executable, "-c", STRANGERS, shape],
        cwd=ROOT,
        env={"PYTHONPATH": f"{ROOT / 'platform'}:{ROOT}"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert int(strangers.stdout) < 1000
