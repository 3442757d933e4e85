"""The journal of a lobby: what led to a crash, in little room."""

import random
import tracemalloc
from collections.abc import Iterator

import pytest

from ludothek.contract.codec import Malformed
from ludothek.runtime.journal import LONG_BYTES, PAGE_HAPPENINGS, PAGES, Journal
from ludothek.testing.dummies import DummyClient
from tests.support.toy import ToyCodec

MOVE = (
    b'{"messageType":"MoveRequest","userId":"6c0b44d5-8f67-4cd1-b1f3-3de086504a95",'
    b'"lobbyId":"c28fa90e-143b-4510-bdc7-fa86636a02d1","move":{"tileFrom":%d,"tileTo":%d}}'
)
WHOLE = PAGES * PAGE_HAPPENINGS
KIB = 1024


def receive() -> None: ...
def enter() -> None: ...
def time_up() -> None: ...
def order() -> None: ...


class Lines:
    """A journal, and what one client says."""

    def __init__(self) -> None:
        self.journal = Journal(ToyCodec())
        self.client = DummyClient(7)

    def __iter__(self) -> Iterator[str]:
        return (str(happening) for happening in self.journal)

    def hear(self, frame: bytes) -> None:
        self.journal.note(1.5, receive, self.client, (self.client, "what it means"), frame)


@pytest.fixture
def lines() -> Lines:
    return Lines()


def test_messages_are_told_as_they_are_understood(lines: Lines) -> None:
    lines.hear(b"hello")
    lines.hear(b"!")
    assert [*lines] == [
        "1.500 receive(<client 7>, 'hello')",
        "1.500 receive(<client 7>, Malformed(reason='loud'))",
    ]


def test_all_else_is_told_as_it_was(lines: Lines) -> None:
    client = lines.client
    lines.journal.note(2, receive, client, (client, Malformed("binary")))  # no frame could be cut
    lines.journal.note(3, enter, client, (client, 5))
    lines.journal.note(4, time_up, None, ())
    lines.journal.note(5, order, None, ("pause", 1))
    assert [*lines] == [
        "2.000 receive(<client 7>, Malformed(reason='binary'))",
        "3.000 enter(<client 7>, 5)",
        "4.000 time_up()",
        "5.000 order('pause', 1)",
    ]


def test_the_latest_happenings_of_a_whole_match_are_kept(lines: Lines) -> None:
    for number in range(2 * WHOLE):
        lines.hear(b"%d" % number)
    told = [int(line.split("'")[1]) for line in lines]
    assert told == [*range(2 * WHOLE - len(told), 2 * WHOLE)]
    assert WHOLE <= len(told) <= WHOLE + PAGE_HAPPENINGS


def room_taken(frames: list[bytes]) -> float:
    """KiB of the journal of a lobby in which all this was said."""
    lines = Lines()
    tracemalloc.start()
    try:
        for frame in frames:
            lines.hear(bytes(bytearray(frame)))  # a copy, as each frame is one
        return tracemalloc.get_traced_memory()[0] / KIB
    finally:
        tracemalloc.stop()


def test_a_whole_match_takes_a_few_kilobytes() -> None:
    rng = random.Random(1)
    moves = [MOVE % (rng.randrange(60), rng.randrange(60)) for _ in range(WHOLE)]
    assert room_taken(moves) < 32


def test_nobody_can_fill_it_with_noise() -> None:
    rng = random.Random(1)
    assert room_taken([rng.randbytes(LONG_BYTES) for _ in range(200)]) < 128


def test_the_longest_message_is_there_if_it_was_the_last(lines: Lines) -> None:
    long = "x" * 200 * KIB
    lines.hear(long.encode())
    assert [*lines] == [f"1.500 receive(<client 7>, '{long}')"]
    for _ in range(PAGE_HAPPENINGS):
        lines.hear(b"short")
    assert next(iter(lines)) == f"1.500 receive(<client 7>, <{len(long)} bytes>)"
