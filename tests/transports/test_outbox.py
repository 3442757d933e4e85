"""What waits for a peer, without any I/O."""

import pytest

from transports import OutboxLimits
from transports.outbox import Outbox
from transports.waiting import Waiting

HEAD, FRAME = b"head", b"x" * 1000
PAIRS = [(HEAD, FRAME), (FRAME, b"\n"), (FRAME, b"")]


@pytest.mark.parametrize("pair", PAIRS)
def test_frames_are_counted_until_their_last_byte_is_written(pair: tuple[bytes, bytes]) -> None:
    outbox = Outbox(OutboxLimits(), Waiting())
    outbox.keep(pair * 3)
    size = sum(map(len, pair))
    for written in range(1, 3 * size + 1):
        outbox.drop_written(1)
        assert outbox.bytes == 3 * size - written
        assert outbox.frames == -(-outbox.bytes // size)
    assert not outbox.waits
    assert outbox.waiting.bytes == 0


@pytest.mark.parametrize("pair", PAIRS)
def test_the_frame_that_is_written_next_may_be_of_any_size(pair: tuple[bytes, bytes]) -> None:
    outbox = Outbox(OutboxLimits(bytes=100), Waiting())
    outbox.keep(pair)
    assert not outbox.full
    outbox.keep((b"y" * 99, b""))
    assert not outbox.full
    outbox.keep((b"y", b"!"))
    assert outbox.full


def test_too_many_frames_are_too_many() -> None:
    outbox = Outbox(OutboxLimits(frames=4), Waiting())
    outbox.keep((b"x", b"\n") * 4)
    assert (outbox.congested, outbox.full) == (True, False)
    outbox.keep((b"x", b"\n"))
    assert outbox.full
    outbox.forget()
    assert (outbox.waits, outbox.frames, outbox.bytes, outbox.waiting.bytes) == (False, 0, 0, 0)


def test_what_is_written_next_begins_where_the_last_piece_was_cut() -> None:
    outbox = Outbox(OutboxLimits(), Waiting())
    outbox.keep((b"he", b"llo", b"wor", b"ld"))
    outbox.drop_written(3)
    assert b"".join(outbox.next_pieces()) == b"loworld"
