"""Objects are extracted from the stream whatever their layout and however they arrive."""

import random

import pytest

from games.roborally.framing import ObjectFramer
from transports import Unreadable

COMPACT = b'{"messageType":"SendChat","messageBody":{"message":"a } \\" { \\\\","to":-1}}'
PRETTY = b'{\n  "messageType": "PlayerValues",\n  "messageBody": {\n    "name": "\xc3\xa4"\n  }\n}'
BODY_FIRST = b'{"messageBody":{"name":"A","figure":1},"messageType":"PlayerValues"}'
LIMIT = 200


def frames(*pieces: bytes) -> list[bytes | Unreadable]:
    framer = ObjectFramer(max_bytes=LIMIT)
    return [frame for piece in pieces for frame in framer.feed(piece)]


@pytest.mark.parametrize(
    ("stream", "expected"),
    [
        (COMPACT + b"\n", [COMPACT]),
        (COMPACT, [COMPACT]),
        (COMPACT + b"\r\n\r\n" + COMPACT + b"\n", [COMPACT, COMPACT]),
        (COMPACT + COMPACT + b"  " + COMPACT, [COMPACT, COMPACT, COMPACT]),
        (PRETTY + b"\n" + PRETTY, [PRETTY, PRETTY]),
        (b"null\n[1]\n" + COMPACT, [b"null", b"[1]", COMPACT]),
        (b"}\n" + COMPACT, [b"}", COMPACT]),
        (b"\n \r\n\n", []),
    ],
)
def test_whole_objects_and_other_lines_are_frames(stream: bytes, expected: list[bytes]) -> None:
    assert frames(stream) == expected


@pytest.mark.parametrize(
    "broken",
    [
        b'{"messageType":"SendChat","messageBody":{',
        b'{"messageType":"SendChat","messageBody":{"message":"half a strin',
        b'{"messageType":"SendChat","messageBody":{"message":"ends with a backslash\\',
        b'{"messageType"',
        b"{",
        b'"',
    ],
)
@pytest.mark.parametrize("good", [COMPACT, PRETTY, BODY_FIRST])
def test_a_message_that_is_never_closed_does_not_swallow_the_next(
    broken: bytes, good: bytes
) -> None:
    assert frames(broken + b"\n" + good + b"\n")[-1] == good


@pytest.mark.parametrize("seed", range(100))
def test_frames_do_not_depend_on_the_pieces_they_arrive_in(seed: int) -> None:
    rng = random.Random(seed)
    unclosed = b'{"messageType":"Boink","messageBody":{'
    parts = [COMPACT, PRETTY, b"null", unclosed, COMPACT, unclosed, BODY_FIRST, b'"half']
    stream = b"\r\n".join((*parts, PRETTY, b""))
    pieces = []
    while stream:
        size = rng.randint(1, rng.choice((1, 4, 100)))
        pieces.append(stream[:size])
        stream = stream[size:]
    assert frames(*pieces) == [*parts, PRETTY]


def test_a_message_that_is_too_long_is_told_once_and_skipped_to_the_end_of_its_line() -> None:
    long = b'{"messageType":"' + b"x" * 10 * LIMIT
    (told, *rest) = frames(long[:LIMIT], long[LIMIT:], b"more", b'"}\n' + COMPACT)
    assert told == Unreadable(f"a message longer than {LIMIT} bytes")
    assert rest == [COMPACT]


def test_a_message_that_is_too_long_but_whole_is_told_as_well() -> None:
    long = b'{"messageType":"' + b"x" * LIMIT + b'"}'
    assert frames(long + COMPACT) == [Unreadable(f"a message longer than {LIMIT} bytes"), COMPACT]


@pytest.mark.parametrize("signs", [b"{", b'"', b"{}", b'{"a":', b'"\\\\'])
@pytest.mark.parametrize("size", [1, 7, 1000])
def test_too_many_signs_are_told_once_and_skipped_to_the_end_of_the_line(
    signs: bytes, size: int
) -> None:
    framer = ObjectFramer(max_marks=50)
    stream = b'{"a":' + signs * 100 + b"\n" + COMPACT + b"\n"
    pieces = [stream[n : n + size] for n in range(0, len(stream), size)]
    told, *rest = [frame for piece in pieces for frame in framer.feed(piece)]
    assert told == Unreadable("a message with more than 50 signs")
    assert rest == [COMPACT]


def test_what_goes_out_ends_with_a_line_feed() -> None:
    assert ObjectFramer().wrap(COMPACT) == (COMPACT, b"\n")
