"""Frames cut by hand, right and wrong in every field, against two other readers of RFC 6455."""

import codecs
from collections import Counter
from itertools import pairwise
from random import Random

import attrs
from websockets.frames import Frame, Opcode
from websockets.protocol import Protocol, Side
from wsproto.connection import Connection, ConnectionType
from wsproto.events import BytesMessage, CloseConnection, Ping, TextMessage

from transports import Unreadable
from transports.masking import mask_in_python
from transports.websocket_frames import MAX_PONGS, WebSocketFramer

new_decoder = codecs.getincrementaldecoder("utf-8")

LIMIT = 70_000
TEXT = "ä€😀".encode()

LENGTHS = (0, 1, 2, 5, 124, 125, 126, 127, 128, 200, 65_535, 65_536)
PAYLOADS = (b"", b"x", TEXT, TEXT[:-1], TEXT[1:], b"\xff", b"\xed\xa0\x80", b"\xc0\x80", b"\0")
CODES = (0, 999, 1000, 1001, 1003, 1004, 1005, 1006, 1007, 1011, 1015, 1016, 2999, 3000, 4999, 5000)


@attrs.frozen
class Cut:
    """A frame as it goes over the wire, with all that may be wrong in it."""

    data: bytes
    minimal: bool = True

    @classmethod
    def draw(cls, rng: Random) -> "Cut":
        """Mostly right, so that the others behind it are looked at as well."""

        def odd() -> bool:
            return rng.random() < 0.04

        opcode = rng.choice((0, 0, 1, 1, 1, 1, 2, 9, 9, 10)) if not odd() else rng.randrange(16)
        if rng.random() < 0.05:
            opcode = 8
        payload = _payload(rng, opcode)
        final = rng.random() < 0.7 or (opcode >= 8 and not odd())
        reserved = rng.randrange(8) << 4 if odd() else 0
        masked = not odd()
        needed = 7 if len(payload) < 126 else 16 if len(payload) < 1 << 16 else 64
        bits = rng.choice([n for n in (7, 16, 64) if n >= needed]) if odd() else needed
        mask = rng.randbytes(4) if rng.random() < 0.9 else b"\0\0\0\0"
        length = {
            7: lambda: bytes([len(payload)]),
            16: lambda: b"\x7e" + len(payload).to_bytes(2, "big"),
            64: lambda: b"\x7f" + len(payload).to_bytes(8, "big"),
        }[bits]()
        data = bytes([final << 7 | reserved | opcode, masked << 7 | length[0]]) + length[1:]
        data += mask + mask_in_python(payload, mask) if masked else payload
        return cls(data, minimal=bits == needed)


def _payload(rng: Random, opcode: int) -> bytes:
    if opcode == 8:
        if rng.random() < 0.2:
            return rng.choice((b"", b"x", b"x" * 126))
        # Not two flaws at once, of which each reader tells another one first.
        code = rng.choice(CODES)
        reason = rng.choice(PAYLOADS if code == 1000 else (b"", b"x" * 123, TEXT))
        return code.to_bytes(2, "big") + reason
    if opcode >= 8 and rng.random() < 0.95:
        return rng.randbytes(rng.choice((0, 1, 2, 125)))
    if rng.random() < 0.5:
        return rng.choice(PAYLOADS) if rng.random() < 0.3 else rng.choice((b"", b"x", TEXT))
    return b"x" * rng.choice(LENGTHS if rng.random() < 0.2 else LENGTHS[:-2])


@attrs.define(eq=False)
class Heard:
    messages: list[bytes] = attrs.field(factory=list)
    pings: list[bytes] = attrs.field(factory=list)
    close: int | None = None  # how the peer has closed, or we have to


def by_wsproto(pieces: list[bytes]) -> Heard:
    connection = Connection(ConnectionType.SERVER)
    heard, text = Heard(), ""
    for piece in pieces:
        connection.receive_data(piece)
        for event in connection.events():
            if isinstance(event, TextMessage):
                text += event.data
            if isinstance(event, TextMessage | BytesMessage) and event.message_finished:
                binary = isinstance(event, BytesMessage)
                heard.messages.append(b"binary" if binary else text.encode())
                text = ""
            if isinstance(event, Ping):
                heard.pings.append(bytes(event.payload))
            if isinstance(event, CloseConnection):
                heard.close = int(event.code)
                return heard
    return heard


def by_websockets(pieces: list[bytes]) -> Heard:
    protocol = Protocol(Side.SERVER, max_size=None)
    heard, parts, opcode = Heard(), b"", None
    decoder = new_decoder()
    for piece in pieces:
        protocol.receive_data(piece)
        for event in protocol.events_received():
            assert isinstance(event, Frame)
            if event.opcode is Opcode.PING:
                heard.pings.append(bytes(event.data))
            if event.opcode not in (Opcode.TEXT, Opcode.BINARY, Opcode.CONT):
                continue
            opcode = event.opcode if event.opcode is not Opcode.CONT else opcode
            parts += event.data
            try:
                if opcode is Opcode.TEXT:  # whether it is UTF-8 is left to its caller
                    decoder.decode(event.data, event.fin)
            except UnicodeDecodeError:
                heard.close = 1007
                return heard
            if event.fin:
                heard.messages.append(parts if opcode is Opcode.TEXT else b"binary")
                parts = b""
        if protocol.close_sent is not None:
            received = protocol.close_rcvd
            heard.close = int((received or protocol.close_sent).code)
            return heard
    return heard


def by_us(pieces: list[bytes]) -> Heard:
    framer = WebSocketFramer(max_bytes=LIMIT, binary_is_unreadable=True)
    heard = Heard()
    for piece in pieces:
        if framer.ended:
            break
        for message in framer.feed(piece):
            heard.messages.append(b"binary" if isinstance(message, Unreadable) else message)
        for reply in framer.replies[: None if not framer.ended else -1]:
            heard.pings.append(reply[2:])
        framer.replies.clear()
    heard.close = framer.close_code
    return heard


def segments(rng: Random, frames: list[Cut]) -> list[bytes]:
    """As they would arrive: each frame by itself, all at once, byte by byte, or cut anywhere."""
    data = b"".join(frame.data for frame in frames)
    how = rng.randrange(4)
    if how == 0:
        return [frame.data for frame in frames]
    if how == 1:
        return [data]
    if how == 2 and len(data) < 2000:
        return [data[n : n + 1] for n in range(len(data))]
    places = sorted(rng.randrange(len(data) + 1) for _ in range(rng.randrange(8)))
    return [data[a:b] for a, b in pairwise([0, *places, len(data)]) if a < b]


def test_three_readers_hear_the_same() -> None:
    rng = Random(7)
    seen: Counter[int | None] = Counter()
    for _ in range(2500):
        frames = [Cut.draw(rng) for _ in range(rng.randrange(1, 6))]
        pieces = segments(rng, frames)
        ours = by_us(pieces)
        seen[ours.close] += 1
        story = [frame.data[:40].hex() for frame in frames]
        check(ours, by_wsproto(pieces), story, "wsproto")
        if all(frame.minimal for frame in frames):  # websockets does not mind others
            check(ours, by_websockets(pieces), story, "websockets")
    assert {None, 1002, 1005, 1007, 1000} <= set(seen)
    assert seen[None] > 500


def check(ours: Heard, theirs: Heard, story: list[str], reader: str) -> None:
    told = (reader, story, ours, theirs)
    if ours.close == 1009:  # neither has a limit
        assert ours.messages == theirs.messages[: len(ours.messages)], told
        return
    assert ours.messages == theirs.messages, told
    if len(theirs.pings) <= MAX_PONGS:
        assert ours.pings == theirs.pings, told
    assert ours.close == theirs.close, told
