"""Our WebSocket frames against wsproto: what it says we read, what we say it reads, and of a
broken stream both complain about the same."""

import attrs
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from wsproto.connection import Connection, ConnectionState, ConnectionType
from wsproto.events import BytesMessage, CloseConnection, Event, Ping, Pong, TextMessage

from tests.support.raw_websocket import frame
from transports import Farewell, Unreadable, masking, websocket_frames
from transports.websocket_close import CLOSE_CODES
from transports.websocket_frames import MAX_PONGS, WebSocketFramer

LIMIT = 400

# What the state of a framer has besides what has arrived.
STATE_BYTES = 19

# A busy machine is no reason to fail.
unhurried = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])


@pytest.fixture(autouse=True, params=["C", "Python"])
def mask(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    in_c = pytest.importorskip("websockets.speedups").apply_mask
    chosen = in_c if request.param == "C" else masking.mask_in_python
    monkeypatch.setattr(websocket_frames, "apply_mask", chosen)


@attrs.define(eq=False)
class Heard:
    """What one side has made of a stream."""

    messages: list[str] = attrs.field(factory=list)
    pings: list[bytes] = attrs.field(factory=list)
    close_code: int | None = None
    by_peer: bool = False


def heard_by_wsproto(connection: Connection, data: bytes) -> Heard:
    heard = Heard()
    text = ""
    connection.receive_data(data)
    for event in connection.events():
        if isinstance(event, TextMessage):
            text += event.data
            if event.message_finished:
                heard.messages.append(text)
                text = ""
        elif isinstance(event, BytesMessage):
            if event.message_finished:
                heard.messages.append("binary")
        elif isinstance(event, Ping):
            heard.pings.append(bytes(event.payload))
        elif isinstance(event, CloseConnection):
            heard.close_code = int(event.code)
            heard.by_peer = connection.state is not ConnectionState.OPEN
    return heard


def heard_by_us(framer: WebSocketFramer, pieces: list[bytes]) -> Heard:
    """What we hear; the limits must hold after every piece."""
    heard = Heard()
    reader = Connection(ConnectionType.CLIENT)
    for piece in pieces:
        for message in framer.feed(piece):
            assert not isinstance(message, bytes) or len(message) <= framer.max_bytes
            heard.messages.append("binary" if isinstance(message, Unreadable) else message.decode())
        assert len(framer.replies) <= MAX_PONGS + 1
        assert len(framer.state) <= framer.max_bytes + 14 + 125 + STATE_BYTES
        answered(reader, framer, heard)
    heard.close_code = framer.close_code
    return heard


def answered(reader: Connection, framer: WebSocketFramer, heard: Heard) -> None:
    """The replies must be frames that wsproto takes for pongs, and for a close at the end."""
    if not framer.replies:
        return
    reader.receive_data(b"".join(framer.replies))
    framer.replies.clear()
    for event in reader.events():
        if isinstance(event, Pong):
            heard.pings.append(bytes(event.payload))
        else:
            assert isinstance(event, CloseConnection)
            assert event.code == framer.close_code
            assert framer.ended


def cut(data: bytes, cuts: list[int]) -> list[bytes]:
    places = sorted(place % (len(data) + 1) for place in cuts)
    return [data[a:b] for a, b in zip([0, *places], [*places, len(data)], strict=True)]


CUTS = st.lists(st.integers(0, 10_000), max_size=30)
PAYLOADS = st.binary(max_size=125)
TEXTS = st.text(max_size=40) | st.sampled_from(["x" * 125, "x" * 126, "ü" * 150])


@st.composite
def messages(draw: st.DrawFn) -> list[Event]:
    """One message in several fragments, within the limit, with control frames between them."""
    events: list[Event] = []
    binary = draw(st.booleans())
    for part in draw(st.lists(TEXTS, min_size=1, max_size=4)):
        events.append(
            BytesMessage(data=part[:16].encode(), message_finished=False)
            if binary
            else TextMessage(data=part[:16], message_finished=False)
        )
        events += draw(st.lists(st.builds(Ping, PAYLOADS) | st.builds(Pong, PAYLOADS), max_size=2))
    events.append(BytesMessage(b"") if binary else TextMessage(draw(TEXTS)[:16]))
    return events


CLOSES = st.builds(
    CloseConnection,
    st.sampled_from([1000, 1001, 1011, 3000, 4999]),
    st.none() | st.text(max_size=30),
)


@st.composite
def conversations(draw: st.DrawFn) -> list[Event]:
    """Whole messages, fragmented ones and control frames, perhaps with a goodbye at the end."""
    whole = st.builds(lambda text: [TextMessage(text)], TEXTS)
    parts = draw(st.lists(messages() | whole, max_size=8))
    return [event for part in parts for event in part] + draw(st.lists(CLOSES, max_size=1))


@unhurried
@given(events=conversations(), cuts=CUTS)
def test_we_read_what_wsproto_says(events: list[Event], cuts: list[int]) -> None:
    peer = Connection(ConnectionType.CLIENT)
    data = b"".join(bytes(peer.send(event)) for event in events)
    expected = heard_by_wsproto(Connection(ConnectionType.SERVER), data)
    framer = WebSocketFramer(max_bytes=LIMIT, binary_is_unreadable=True)
    heard = heard_by_us(framer, cut(data, cuts))
    assert heard.messages == expected.messages
    assert heard.close_code == expected.close_code
    assert framer.ended == (expected.close_code is not None)
    assert not framer.midway
    assert is_thinned_out(heard.pings, expected.pings)


def is_thinned_out(pings: list[bytes], expected: list[bytes]) -> bool:
    """Whether the latest pings are all answered, and of the others some, in order."""
    if pings[-MAX_PONGS:] != expected[-MAX_PONGS:]:
        return False
    rest = iter(expected)
    return all(ping in rest for ping in pings)


@unhurried
@given(
    texts=st.lists(TEXTS | st.integers(65530, 65540).map(lambda size: "x" * size), max_size=5),
    farewell=st.sampled_from(Farewell),
)
def test_wsproto_reads_what_we_say(texts: list[str], farewell: Farewell) -> None:
    framer = WebSocketFramer(max_bytes=LIMIT)
    pieces = [piece for text in texts for piece in framer.wrap(text.encode())]
    data = b"".join([*pieces, framer.ending(farewell)])
    heard = heard_by_wsproto(Connection(ConnectionType.CLIENT), data)
    assert heard.messages == texts
    assert heard.close_code == CLOSE_CODES[farewell]
    assert heard.by_peer


FRAMES = st.builds(
    lambda opcode, payload, final: frame(opcode, payload, final=final),
    st.sampled_from([0, 0, 1, 1, 1, 2, 3, 8, 9, 10, 11]),
    st.binary(max_size=10) | TEXTS.map(str.encode),
    st.booleans(),
)


@st.composite
def broken_streams(draw: st.DrawFn) -> bytes:
    """Frames of any kind in any order, with some bytes changed, lost or added."""
    data = bytearray(b"".join(draw(st.lists(FRAMES, max_size=8))))
    for place, byte, how in draw(
        st.lists(st.tuples(st.integers(0, 600), st.integers(0, 255), st.integers(0, 2)), max_size=3)
    ):
        if how == 0 and data:
            data[place % len(data)] = byte
        elif how == 1 and data:
            del data[place % len(data)]
        else:
            data.insert(place % (len(data) + 1), byte)
    return bytes(data)


@unhurried
@given(data=broken_streams() | st.binary(max_size=200), cuts=CUTS)
def test_of_a_broken_stream_both_make_the_same(data: bytes, cuts: list[int]) -> None:
    expected = heard_by_wsproto(Connection(ConnectionType.SERVER), data)
    framer = WebSocketFramer(max_bytes=LIMIT, binary_is_unreadable=True)
    heard = heard_by_us(framer, cut(data, cuts))
    if heard.close_code == 1009:  # wsproto has no limit
        assert heard.messages == expected.messages[: len(heard.messages)]
        return
    assert heard.messages == expected.messages
    assert is_thinned_out(heard.pings, expected.pings)
    if expected.close_code == 1007 and not framer.ended:
        assert framer.midway, "we tell of bad text when its frame is complete"
    elif expected.close_code is None:
        assert heard.close_code in (None, 1002), "wsproto tells of some bad heads when more comes"
    elif heard.close_code != 1014:  # registered, but wsproto does not know it
        assert heard.close_code == expected.close_code


@unhurried
@given(data=broken_streams(), cuts=CUTS)
def test_the_cuts_make_no_difference(data: bytes, cuts: list[int]) -> None:
    whole, pieces = (WebSocketFramer(max_bytes=LIMIT) for _ in range(2))
    assert heard_by_us(whole, [data]).messages == heard_by_us(pieces, cut(data, cuts)).messages
    assert (whole.ended, whole.midway, whole.close_code) == (
        pieces.ended,
        pieces.midway,
        pieces.close_code,
    )
