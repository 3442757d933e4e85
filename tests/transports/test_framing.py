"""Lines out of bytes, whatever pieces they arrive in."""

import random

import pytest

from transports import LineFramer, Unreadable

Frames = list[bytes | Unreadable]


def feed(framer: LineFramer, *pieces: bytes) -> Frames:
    return [frame for piece in pieces for frame in framer.feed(piece)]


def one_by_one(data: bytes) -> list[bytes]:
    return [data[n : n + 1] for n in range(len(data))]


def too_long(limit: int) -> Unreadable:
    return Unreadable(f"a line longer than {limit} bytes")


LINES = [
    pytest.param(b'{"a":1}\n', [b'{"a":1}'], id="one line"),
    pytest.param(b"a\nb\nc\n", [b"a", b"b", b"c"], id="several lines"),
    pytest.param(b"a\r\nb\r\n", [b"a", b"b"], id="CRLF"),
    pytest.param(b"\n\r\na\n\n\nb\n\r\n", [b"a", b"b"], id="empty lines"),
    pytest.param(b"a\rb\n", [b"a\rb"], id="a CR inside a line is part of it"),
    pytest.param(b"a\nrest", [b"a"], id="an unfinished line is no frame"),
    pytest.param(b"\xff\x00\xfe\n", [b"\xff\x00\xfe"], id="any bytes"),
    pytest.param("ä€😀\n".encode(), ["ä€😀".encode()], id="letters of several bytes"),
    pytest.param(b"", [], id="nothing"),
    pytest.param(b" \n", [b" "], id="a blank is not empty"),
    pytest.param(b"1234567890\n", [b"1234567890"], id="as long as allowed"),
    pytest.param(b"12345678901\na\n", [too_long(10), b"a"], id="too long, the next is read"),
    pytest.param(b"1" * 1000, [too_long(10)], id="too long and without an end, told once"),
    pytest.param(b"1" * 1000 + b"\n" + b"2" * 50 + b"\nb\n", [too_long(10)] * 2 + [b"b"], id="two"),
]


@pytest.mark.parametrize(("data", "frames"), LINES)
def test_lines_are_found_in_one_piece(data: bytes, frames: Frames) -> None:
    assert feed(LineFramer(max_bytes=10 if b"1" in data else 100), data) == frames


@pytest.mark.parametrize(("data", "frames"), LINES)
def test_lines_are_found_byte_by_byte(data: bytes, frames: Frames) -> None:
    framer = LineFramer(max_bytes=10 if b"1" in data else 100)
    assert feed(framer, *one_by_one(data)) == frames


def test_lines_are_found_whatever_the_cuts() -> None:
    rng = random.Random(1)
    lines = [rng.randbytes(rng.randrange(60)).replace(b"\n", b"").rstrip(b"\r") for _ in range(50)]
    data = b"".join(line + rng.choice((b"\n", b"\r\n")) for line in lines)
    expected = [line if len(line) <= 40 else too_long(40) for line in lines if line]
    for _ in range(200):
        cuts = sorted(rng.randrange(len(data) + 1) for _ in range(rng.randrange(40)))
        pieces = [data[a:b] for a, b in zip([0, *cuts], [*cuts, len(data)], strict=True)]
        assert feed(LineFramer(max_bytes=40), *pieces) == expected


def test_a_line_is_not_longer_for_its_cr() -> None:
    for pieces in ([b"1234567890\r\n"], one_by_one(b"1234567890\r\n")):
        assert feed(LineFramer(max_bytes=10), *pieces) == [b"1234567890"]


def test_frames_before_an_over_long_line_are_not_lost() -> None:
    framer = LineFramer(max_bytes=4)
    assert feed(framer, b"ab\ncd\n12345", b"678", b"9\nef\n") == [b"ab", b"cd", too_long(4), b"ef"]


def test_an_endless_line_takes_no_memory() -> None:
    framer = LineFramer(max_bytes=1000)
    for _ in range(100):
        feed(framer, b"x" * 100_000)
        assert len(framer.state) <= 1002
    assert feed(framer, b"\nok\n") == [b"ok"]


def test_a_frame_goes_out_with_lf() -> None:
    assert LineFramer().wrap(b"{}") == (b"{}", b"\n")
