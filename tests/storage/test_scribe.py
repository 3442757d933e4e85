"""The log is written beside the games, and says itself what is missing in it."""

import os
from collections.abc import Iterator

import attrs
import pytest

from ludothek.storage.scribe import Scribe

PIPE_BYTES = 1024 * 1024  # more than a pipe holds


@attrs.frozen
class Pipe:
    """Something that is written to, whether or not somebody reads."""

    reader: int
    writer: int

    def read_until(self, end: bytes) -> bytes:
        text = b""
        while not text.endswith(end):
            text += os.read(self.reader, 65536)
        return text


@pytest.fixture
def pipe() -> Iterator[Pipe]:
    pipe = Pipe(*os.pipe())
    yield pipe
    os.close(pipe.reader)
    os.close(pipe.writer)


def tell_lost(lines: int) -> str:
    return f"lost {lines}\n"


def test_lines_come_in_their_order(pipe: Pipe) -> None:
    scribe = Scribe(pipe.writer, tell_lost)
    for n in range(100):
        scribe.write(f"line {n}\n")
    scribe.close(seconds=60)
    assert pipe.read_until(b"line 99\n").decode().splitlines() == [f"line {n}" for n in range(100)]


@pytest.mark.parametrize("blocking", [True, False])
def test_who_does_not_read_stops_nobody_and_is_told_what_is_missing(
    pipe: Pipe, blocking: bool
) -> None:
    os.set_blocking(pipe.writer, blocking)
    scribe = Scribe(pipe.writer, tell_lost, max_waiting=2 * PIPE_BYTES)
    long = "x" * PIPE_BYTES + "\n"
    for _ in range(5):
        scribe.write(long)
    assert scribe.lost == 4
    scribe.close(seconds=0)  # does not wait for the reader either
    assert pipe.read_until(b"x\n").count(b"\n") == 1


def test_the_gap_is_named_where_it_is(pipe: Pipe) -> None:
    scribe = Scribe(pipe.writer, tell_lost, max_waiting=PIPE_BYTES)
    scribe.write("x" * (PIPE_BYTES - 10) + "\n")
    scribe.write("too long for what is left\n")
    scribe.write("this too, after all\n")
    scribe.write("short\n")
    assert pipe.read_until(b"short\n").endswith(b"x\nlost 2\nshort\n")
    assert scribe.lost == 2
    scribe.close(seconds=60)


def test_a_full_disk_costs_lines_and_nothing_else() -> None:
    full = os.open("/dev/full", os.O_WRONLY)
    scribe = Scribe(full, tell_lost)
    for _ in range(3):
        scribe.write("nobody will read this\n")
    scribe.close(seconds=60)
    os.close(full)
    assert scribe.lost == 3


def test_when_there_is_room_again_the_log_says_how_much_is_missing(
    pipe: Pipe, monkeypatch: pytest.MonkeyPatch
) -> None:
    failures = iter([True, True, False, False])
    write = os.write

    def fail_at_first(descriptor: int, data: bytes) -> int:
        if next(failures):
            raise OSError(28, "No space left on device")
        return write(descriptor, data)

    monkeypatch.setattr("ludothek.storage.scribe.os.write", fail_at_first)
    scribe = Scribe(pipe.writer, tell_lost)
    for n in range(3):
        scribe.write(f"line {n}\n")
    scribe.close(seconds=60)
    assert pipe.read_until(b"line 2\n") == b"lost 2\nline 2\n"
