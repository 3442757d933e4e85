"""A framer that is resumed from the state of another one cuts the rest in the same way."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.roborally.framing import ObjectFramer
from transports import LineFramer, XmlFramer
from transports.doorstep import Doorstep
from transports.link import Frame
from transports.masking import apply_mask
from transports.resumable_framer import ResumableFramer
from transports.websocket_frames import WebSocketFramer

MASK = b"abcd"


def masked(first: int, payload: bytes) -> bytes:
    length = len(payload)
    head = bytes((first, 0x80 | length)) if length < 126 else bytes((first, 0xFE, 0, length))
    return head + MASK + apply_mask(payload, MASK)


STREAMS: dict[str, tuple[Callable[[], ResumableFramer], bytes]] = {
    "lines": (
        lambda: LineFramer(max_bytes=20),
        b"one\r\n\ntwo\n" + b"x" * 19 + b"\r\n" + b"too long" * 5 + b"\nthree\n" + b"y" * 30,
    ),
    "objects": (
        lambda: ObjectFramer(max_bytes=60, max_marks=12),
        b'{"a": "}\\""} {"b":\n {}}rest of it\n{"c": "open\n{"d": 1}\n'
        + b'{"messageBody": {\n{"messageType": 1}' * 2
        + b"{" * 20
        + b'\n{"e": {}}'
        + b"z" * 70
        + b"\n{}",
    ),
    "elements": (
        lambda: XmlFramer("protocol", max_bytes=120),
        b"\xef\xbb\xbf<?xml version='1.0'?> <protocol>\n &amp; <!-- <a> --> <a b='>'>text<c/></a>"
        b'<![CDATA[ < ]]><d x="\'"/>  <e><f>&lt;</f></e></protocol>more',
    ),
    "unreadable elements": (
        lambda: XmlFramer("protocol", max_bytes=120),
        b"<protocol><a/><b></c><d/></protocol>",
    ),
    "websocket frames": (
        lambda: WebSocketFramer(max_bytes=200, binary_is_unreadable=True),
        masked(0x81, b"one")
        + masked(0x01, b"frag\xc3")
        + masked(0x89, b"ping")
        + masked(0x80, b"\xa4ment")
        + masked(0x02, b"bin")
        + masked(0x80, b"ary")
        + masked(0x81, b"l" * 130)
        + masked(0x88, b"\x03\xe8")
        + masked(0x81, b"late"),
    ),
    "broken websocket frames": (
        lambda: WebSocketFramer(max_bytes=200),
        masked(0x81, b"one") + masked(0x01, b"\xff") + masked(0x81, b"late"),
    ),
}


def all_of(framer: ResumableFramer) -> tuple[object, ...]:
    """What others can see of it."""
    return framer.midway, framer.ended, framer.parted, framer.state, framer.resting


@pytest.mark.parametrize("name", STREAMS)
@given(st.data())
def test_a_resumed_framer_goes_on_where_the_other_one_was(name: str, data: st.DataObject) -> None:
    make, stream = STREAMS[name]
    cuts = data.draw(st.lists(st.integers(0, len(stream)), max_size=6))
    pieces = [stream[a:b] for a, b in zip([0, *sorted(cuts)], [*sorted(cuts), None], strict=True)]
    one, other = make(), make()
    for piece in pieces:
        assert frames_of(one, piece) == frames_of(other, piece)
        resumed = make()
        resumed.resume(other.state, spoken=False)
        assert all_of(resumed) == all_of(one) == all_of(other)
        other = resumed


def frames_of(framer: ResumableFramer, piece: bytes) -> tuple[list[Frame], list[bytes]]:
    if framer.ended:
        return [], []
    frames, replies = list(framer.feed(piece)), list(framer.replies)
    framer.replies.clear()
    return frames, replies


def test_a_framer_at_rest_has_a_short_state() -> None:
    lines = LineFramer()
    lines.feed(b"one\ntwo\n")
    assert lines.resting == lines.state == b""
    lines.feed(b"thr")
    assert lines.resting is None


def test_a_document_that_we_have_begun_is_not_begun_again() -> None:
    framer = XmlFramer("protocol")
    framer.resume(b"", spoken=True)
    assert framer.wrap(b"<a/>") == (b"\n", b"<a/>")


def test_a_doorstep_waits_for_the_rest_of_a_request() -> None:
    one, other = Doorstep(LineFramer(), "a game"), Doorstep(LineFramer(), "a game")
    one.feed(b"GET / HT")
    other.resume(one.state, spoken=False)
    other.feed(b"TP/1.1\r\n")
    assert other.ended
    again = Doorstep(LineFramer(), "a game")
    again.resume(other.state, spoken=True)
    assert again.ended
    assert not again.replies
