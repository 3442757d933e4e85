"""The log is written beside the games, and says itself what is missing in it."""

import os
from collections.abc import Iterator
from threading import Thread

import attrs
import pytest

from ludothek.storage.lines import Lines
from ludothek.storage.stream import Stream
from ludothek.storage.writer import MAX_BYTES, Writer

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


class Log:
    """Lines for a descriptor, one at a time, as the program's log is written."""

    def __init__(self, descriptor: int, max_waiting: int = MAX_BYTES) -> None:
        self._writer = Writer("log", max_bytes=max_waiting, batch_bytes=0)
        self._lines = Lines(self._writer, Stream(descriptor), note=tell_lost)

    def write(self, *lines: str) -> None:
        for line in lines:
            self._lines.put(line.encode())

    @property
    def lost(self) -> int:
        return self._lines.lost

    def close(self, seconds: float = 60) -> None:
        self._writer.close(seconds)


def tell_lost(lines: int) -> bytes:
    return f"lost {lines}\n".encode()


def test_lines_come_in_their_order(pipe: Pipe) -> None:
    log = Log(pipe.writer)
    log.write(*(f"line {n}\n" for n in range(100)))
    log.close()
    assert pipe.read_until(b"line 99\n").decode().splitlines() == [f"line {n}" for n in range(100)]


@pytest.mark.parametrize("blocking", [True, False])
def test_a_reader_that_stops_blocks_nobody_and_is_told_what_is_missing(
    pipe: Pipe, blocking: bool
) -> None:
    os.set_blocking(pipe.writer, blocking)
    log = Log(pipe.writer, max_waiting=2 * PIPE_BYTES)
    log.write(*(["x" * PIPE_BYTES + "\n"] * 5))
    assert log.lost == 4
    log.close(seconds=0)  # does not wait for the reader either
    assert pipe.read_until(b"lost 4\n").count(b"\n") == 2


def test_the_gap_is_named_where_it_is(pipe: Pipe) -> None:
    log = Log(pipe.writer, max_waiting=PIPE_BYTES)
    long = "x" * (PIPE_BYTES - 20) + "\n"
    log.write(long, "before\n", "too long for what is left\n", "this too, after all\n", "after\n")
    assert pipe.read_until(b"after\n").endswith(b"x\nbefore\nlost 2\nafter\n")
    assert log.lost == 2
    log.close()
    log.write(long)
    assert log.lost == 2, "there is room again"
    assert pipe.read_until(b"x\n").decode() == long


def test_lines_from_many_threads_are_all_written_or_counted(pipe: Pipe) -> None:
    log = Log(pipe.writer, max_waiting=300)
    threads = [Thread(target=log.write, args=["line\n"] * 200) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    log.close()
    os.write(pipe.writer, b"end\n")
    *lines, _ = pipe.read_until(b"end\n").decode().splitlines()
    missing = [int(line.removeprefix("lost ")) for line in lines if line != "line"]
    assert sum(missing) == log.lost
    assert lines.count("line") + log.lost == 8 * 200


def test_a_full_disk_costs_lines_and_nothing_else() -> None:
    full = os.open("/dev/full", os.O_WRONLY)
    log = Log(full)
    log.write(*(["nobody will read this\n"] * 3))
    log.close()
    os.close(full)
    assert log.lost == 3


def test_when_there_is_room_again_the_log_says_how_much_is_missing(
    pipe: Pipe, monkeypatch: pytest.MonkeyPatch
) -> None:
    failures = iter([True, True, False, False])
    write = os.write

    def fail_at_first(descriptor: int, data: bytes) -> int:
        if next(failures):
            raise OSError(28, "No space left on device")
        return write(descriptor, data)

    monkeypatch.setattr("ludothek.storage.stream.os.write", fail_at_first)
    log = Log(pipe.writer)
    log.write(*(f"line {n}\n" for n in range(3)))
    log.close()
    assert pipe.read_until(b"line 2\n") == b"lost 2\nline 2\n"
