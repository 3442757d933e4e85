"""WebSocket frames out of bytes, whatever the pieces, and what RFC 6455 forbids in them."""

import gc
import struct
import sys
from types import FunctionType, ModuleType

import pytest

from tests.support.raw_websocket import BINARY, CLOSE, PING, PONG, TEXT, frame
from transports import Farewell, Unreadable, masking, websocket_frames
from transports.websocket_close import CLOSE_CODES
from transports.websocket_frames import MAX_PONGS, WebSocketFramer

Messages = list[bytes | Unreadable]

NOT_TEXT = Unreadable("a binary frame; this protocol uses text frames")
LIMIT = 1000


@pytest.fixture(autouse=True, params=["C", "Python"])
def mask(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    in_c = pytest.importorskip("websockets.speedups").apply_mask
    chosen = in_c if request.param == "C" else masking.mask_in_python
    monkeypatch.setattr(websocket_frames, "apply_mask", chosen)


def server(*, binary_is_unreadable: bool = False) -> WebSocketFramer:
    return WebSocketFramer(max_bytes=LIMIT, binary_is_unreadable=binary_is_unreadable)


def feed(framer: WebSocketFramer, *pieces: bytes) -> Messages:
    return [message for piece in pieces for message in framer.feed(piece)]


def one_by_one(data: bytes) -> list[bytes]:
    return [data[n : n + 1] for n in range(len(data))]


def plain(opcode: int, payload: bytes, *, final: bool = True) -> bytes:
    """A short frame as a server sends it."""
    return bytes([opcode | final << 7, len(payload)]) + payload


def closing(code: int, reason: bytes = b"") -> bytes:
    return struct.pack("!H", code) + reason


def said_with(framer: WebSocketFramer) -> int:
    """The code of the close frame that a server's framer has for the peer, alone."""
    (reply,) = framer.replies
    assert reply[0] == 0x80 | CLOSE
    assert len(reply) == 2 + reply[1] <= 127
    reply[4:].decode()
    (code,) = struct.unpack("!H", reply[2:4])
    return int(code)


# RFC 6455, section 5.7: the very bytes of its examples, and what they mean.
MASKED_HELLO = bytes.fromhex("818537fa213d7f9f4d5158")
PLAIN_HELLO = bytes.fromhex("810548656c6c6f")
MASKED_PING = bytes.fromhex("898537fa213d7f9f4d5158")
PLAIN_PONG = bytes.fromhex("8a0548656c6c6f")
MASKED_PONG = bytes.fromhex("8a8537fa213d7f9f4d5158")


def test_the_examples_of_the_rfc_are_read() -> None:
    assert feed(server(), MASKED_HELLO) == [b"Hello"]
    framer = server()
    assert feed(framer, MASKED_PONG) == []
    assert not framer.ended
    assert framer.replies == []


def test_the_examples_of_the_rfc_are_written() -> None:
    assert b"".join(server().wrap(b"Hello")) == PLAIN_HELLO
    framer = server()
    assert feed(framer, MASKED_PING) == []
    assert framer.replies == [PLAIN_PONG]


@pytest.mark.parametrize(
    ("size", "head"),
    [
        (0, "8100"),
        (125, "817d"),
        (126, "817e007e"),
        (256, "817e0100"),
        (65535, "817effff"),
        (65536, "817f0000000000010000"),
    ],
)
def test_lengths_are_written_as_short_as_possible_and_read(size: int, head: str) -> None:
    assert server().wrap(b"x" * size) == (bytes.fromhex(head), b"x" * size)
    masked = frame(TEXT, b"x" * size)
    assert feed(WebSocketFramer(max_bytes=65536), masked) == [b"x" * size]


@pytest.mark.parametrize(
    "data",
    [
        "81fe0000 01020304",
        "81fe0001 01020304 79",
        "81fe007d 01020304",
        "81ff0000000000000000 01020304",
    ],
)
@pytest.mark.parametrize("more", [b"", b"{}", b"x" * 117, b"x" * 200])
def test_a_length_in_more_bytes_than_needed_ends_it_whatever_comes_along(
    data: str, more: bytes
) -> None:
    framer = server()
    assert feed(framer, bytes.fromhex(data) + more) == []
    assert framer.ended
    assert said_with(framer) == 1002


PING_BETWEEN = frame(TEXT, b"one ", final=False) + frame(PING, b"?") + frame(0, b"two")
STREAMS = [
    pytest.param(frame(TEXT, b""), [b""], id="an empty message"),
    pytest.param(frame(TEXT, b"a") + frame(TEXT, b"b"), [b"a", b"b"], id="two messages"),
    pytest.param(frame(TEXT, "ä€😀".encode()), ["ä€😀".encode()], id="several bytes a letter"),
    pytest.param(frame(TEXT, b"x" * 1000), [b"x" * 1000], id="as long as allowed"),
    pytest.param(PING_BETWEEN, [b"one two"], id="a ping between fragments"),
    pytest.param(
        frame(TEXT, "ü".encode()[:1], final=False) + frame(0, "ü".encode()[1:]) + frame(TEXT, b"b"),
        ["ü".encode(), b"b"],
        id="a letter cut by fragments",
    ),
    pytest.param(
        frame(TEXT, b"", final=False) + frame(0, b"", final=False) + frame(0, b""),
        [b""],
        id="nothing in three fragments",
    ),
    pytest.param(
        frame(TEXT, b"x" * 500, final=False) + frame(0, b"y" * 500) + frame(TEXT, b"z" * 1000),
        [b"x" * 500 + b"y" * 500, b"z" * 1000],
        id="fragments as long as allowed",
    ),
    pytest.param(frame(PONG, b"unasked") + frame(TEXT, b"a"), [b"a"], id="a pong means nothing"),
    pytest.param(
        frame(TEXT, b"a") + frame(CLOSE, b"") + frame(TEXT, b"b"), [b"a"], id="after the close"
    ),
    pytest.param(
        frame(TEXT, b"a") + frame(3, b"") + frame(TEXT, b"b"), [b"a"], id="after an error"
    ),
]


@pytest.mark.parametrize(("data", "messages"), STREAMS)
def test_messages_are_found_whole_and_byte_by_byte(data: bytes, messages: Messages) -> None:
    assert feed(server(), data) == messages
    framer = server()
    assert feed(framer, *one_by_one(data)) == messages
    assert not framer.midway


def test_a_binary_message_may_be_heard_of_once_it_is_complete() -> None:
    framer = server(binary_is_unreadable=True)
    assert feed(framer, frame(BINARY, b"\xff"), frame(TEXT, b"a")) == [NOT_TEXT, b"a"]
    assert feed(framer, frame(BINARY, b"\xff", final=False), frame(0, b"\xff", final=False)) == []
    assert framer.midway
    assert feed(framer, frame(0, b"\xff"), frame(TEXT, b"b")) == [NOT_TEXT, b"b"]
    assert not framer.ended


HUGE = struct.pack("!BBQ", 0x81, 0xFF, 1 << 40)
VIOLATIONS = [
    pytest.param(b"\x81\x00", 1002, id="not masked"),
    pytest.param(frame(3, b""), 1002, id="reserved opcode"),
    pytest.param(frame(11, b""), 1002, id="reserved control opcode"),
    pytest.param(b"\xc1\x80", 1002, id="reserved bit 1"),
    pytest.param(b"\xa1\x80", 1002, id="reserved bit 2"),
    pytest.param(b"\x91\x80", 1002, id="reserved bit 3"),
    pytest.param(frame(0, b"x"), 1002, id="nothing to continue"),
    pytest.param(frame(TEXT, b"a", final=False) + frame(TEXT, b"b"), 1002, id="not continued"),
    pytest.param(frame(PING, b"x", final=False), 1002, id="fragmented ping"),
    pytest.param(frame(CLOSE, b"", final=False), 1002, id="fragmented close"),
    pytest.param(b"\x89\xfe", 1002, id="ping of 126 bytes"),
    pytest.param(b"\x88\xff", 1002, id="very long close"),
    pytest.param(b"\x81\xfe\x00\x7d", 1002, id="125 in two bytes"),
    pytest.param(b"\x81\xfe\x00\x05" + bytes(4) + b"Hello", 1002, id="5 in two bytes, complete"),
    pytest.param(b"\x81\xff" + bytes(6) + b"\xff\xff", 1002, id="65535 in eight bytes"),
    pytest.param(b"\x81\xff\x80" + bytes(7), 1002, id="64th bit of the length"),
    pytest.param(frame(TEXT, b"\xff"), 1007, id="not UTF-8"),
    pytest.param(frame(TEXT, b"\xed\xa0\x80"), 1007, id="half of a surrogate pair"),
    pytest.param(frame(TEXT, b"\xc3"), 1007, id="half a letter"),
    pytest.param(frame(TEXT, b"\xc3", final=False) + frame(0, b""), 1007, id="half, in fragments"),
    pytest.param(frame(TEXT, b"\xc3", final=False) + frame(0, b"(", final=False), 1007, id="early"),
    pytest.param(frame(TEXT, b"\xf4\x90", final=False), 1007, id="beyond Unicode, early"),
    pytest.param(b"\x82\x80", 1003, id="binary"),
    pytest.param(b"\x02\xff", 1003, id="binary, more to come"),
    pytest.param(b"\x81\xfe\x03\xe9", 1009, id="one byte too long, by the head alone"),
    pytest.param(frame(TEXT, b"x" * 1001), 1009, id="one byte too long, complete"),
    pytest.param(HUGE, 1009, id="endless, by the head alone"),
    pytest.param(
        frame(TEXT, b"x" * 999, final=False) + b"\x00\x82",
        1009,
        id="too long together, by the head",
    ),
]


@pytest.mark.parametrize(("data", "code"), VIOLATIONS)
@pytest.mark.parametrize("before", [b"", frame(TEXT, b"good")])
def test_what_is_forbidden_ends_with_its_code(before: bytes, data: bytes, code: int) -> None:
    for pieces in ([before + data], one_by_one(before + data), [before, data]):
        framer = server()
        assert feed(framer, *pieces) == ([b"good"] if before else [])
        assert framer.ended
        assert not framer.midway
        assert framer.close_code == said_with(framer) == code
        assert framer.ending(Farewell.DONE) == b""
        assert feed(framer, frame(TEXT, b"more"), frame(PING, b"more")) == []
        assert len(framer.replies) == 1


def test_what_looks_like_a_whole_frame_may_be_none() -> None:
    """Pieces of the stream need not begin where frames begin, nor messages where frames do."""
    inner = frame(TEXT, b"inner")
    framer = server()
    assert feed(framer, frame(TEXT, inner, mask=bytes(4))[:6], inner) == []
    assert framer.close_code == 1007, "0x81 begins a frame, but no letter"
    framer = server()
    assert feed(framer, frame(TEXT, b"one ", final=False), frame(TEXT, b"two")) == []
    assert framer.close_code == 1002


VALID_CODES = [*range(1000, 1004), *range(1007, 1015), 3000, 3999, 4000, 4999]


@pytest.mark.parametrize("code", VALID_CODES)
@pytest.mark.parametrize("reason", [b"", b"bye", "ä".encode() * 61])
def test_a_close_is_answered_with_its_own_code(code: int, reason: bytes) -> None:
    framer = server()
    feed(framer, frame(CLOSE, closing(code, reason)))
    assert framer.ended
    assert framer.close_code == said_with(framer) == code


def test_a_close_without_a_code_is_answered_without_one() -> None:
    framer = server()
    feed(framer, frame(CLOSE, b""))
    assert framer.replies == [plain(CLOSE, b"")]
    assert framer.close_code == 1005


INVALID_CODES = [0, 1, 999, 1004, 1005, 1006, 1015, 1016, 1100, 2000, 2999, 5000, 65535]


@pytest.mark.parametrize(
    ("payload", "code"),
    [(closing(invalid), 1002) for invalid in INVALID_CODES]
    + [(b"\x03", 1002), (closing(1000, b"\xff"), 1007), (closing(999, b"\xff"), 1002)],
)
def test_a_close_that_is_wrong_is_answered_so(payload: bytes, code: int) -> None:
    framer = server()
    feed(framer, frame(CLOSE, payload))
    assert framer.ended
    assert framer.close_code == said_with(framer) == code


@pytest.mark.parametrize("farewell", Farewell)
def test_every_farewell_has_its_close_frame(farewell: Farewell) -> None:
    framer = server()
    reason = b"" if farewell is Farewell.DONE else farewell.value.encode()
    assert framer.ending(farewell) == plain(CLOSE, closing(CLOSE_CODES[farewell], reason))
    assert framer.close_code == CLOSE_CODES[farewell]
    assert framer.ending(farewell) == b"", "one goodbye is enough"


def test_after_our_goodbye_the_peer_is_heard_until_its_own() -> None:
    framer = server()
    framer.ending(Farewell.KICKED)
    assert feed(framer, frame(TEXT, b"crossed with it") + frame(PING, b"")) == [b"crossed with it"]
    assert not framer.ended
    feed(framer, frame(CLOSE, closing(1000)))
    assert framer.ended
    assert framer.replies == [], "nothing follows a close frame"
    assert framer.close_code == 1008


def test_after_our_goodbye_an_error_just_ends_it() -> None:
    framer = server()
    framer.ending(Farewell.DONE)
    feed(framer, frame(3, b""))
    assert framer.ended
    assert framer.replies == []
    assert framer.close_code == 1000


def test_each_ping_is_answered_with_its_payload() -> None:
    framer = server()
    feed(framer, frame(PING, b"1") + frame(TEXT, b"a") + frame(PING, b"x" * 125))
    assert framer.replies == [plain(PONG, b"1"), plain(PONG, b"x" * 125)]


def test_a_flood_of_pings_is_answered_for_the_latest() -> None:
    framer = server()
    feed(framer, b"".join(frame(PING, b"%d" % n) for n in range(1000)) + frame(CLOSE, b""))
    latest = [plain(PONG, b"%d" % n) for n in range(1000 - MAX_PONGS, 1000)]
    assert framer.replies == [*latest, plain(CLOSE, b"")]


def test_a_message_is_midway_from_its_first_byte_to_its_last() -> None:
    framer = server()
    data = frame(TEXT, b"x", final=False) + frame(PING, b"") + frame(0, b"y")
    assert not framer.midway
    for byte in one_by_one(data)[:-1]:
        feed(framer, byte)
        assert framer.midway
    feed(framer, data[-1:])
    assert not framer.midway


def test_endless_empty_fragments_take_no_memory() -> None:
    framer = server()
    feed(framer, frame(TEXT, b"one ", final=False))
    size = size_of(framer)
    for _ in range(100):
        feed(framer, frame(0, b"", final=False) * 100)
    assert size_of(framer) == size
    assert feed(framer, frame(0, b"two")) == [b"one two"]


def test_an_idle_framer_is_small() -> None:
    framer = server()
    feed(
        framer,
        *one_by_one(frame(TEXT, b"x" * 900)),
        frame(TEXT, b"x", final=False) + frame(0, b"y"),
    )
    assert not hasattr(framer, "__dict__")
    assert size_of(framer) < 500


def size_of(thing: object) -> int:
    """The bytes of a thing and of everything that it holds."""
    if isinstance(thing, type | ModuleType | FunctionType):
        return 0
    return sys.getsizeof(thing) + sum(map(size_of, gc.get_referents(thing)))
