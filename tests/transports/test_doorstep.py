"""The first bytes of a stream: what begins like another protocol is not heard as messages."""

from collections.abc import Callable
from functools import partial

import attrs
import pytest
import trio

from games.roborally.framing import ObjectFramer
from tests.support.helpers import socket_link_pair
from transports import Frame, LineFramer, Poller, XmlFramer
from transports.complaint import Complaint
from transports.doorstep import MAX_LINE, Doorstep
from transports.proxy_header import SIGNATURE
from transports.resumable_framer import ResumableFramer

FRAMERS: dict[str, Callable[[], ResumableFramer]] = {
    "lines": LineFramer,
    "objects": ObjectFramer,
    "XML": partial(XmlFramer, "protocol"),
}
OBEYED = b'{"uniqueId":300}\n<protocol><join/>{"messageType":"HelloServer","messageBody":{}}\n'

REQUESTS = [
    b"GET / HTTP/1.1\r\n",
    b"POST / HTTP/1.1\r\nHost: lab:9998\r\nContent-Type: text/plain\r\n\r\n",
    b"POST /?{} HTTP/1.1\r\nHost: lab\r\n\r\n",
    b"OPTIONS * HTTP/1.1\r\n\r\n",
    b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    b"x-any!method / HTTP/1.0\r\n\r\n",
    b"GET / HTTP/1.1\n\n",
    b"POST /" + b"x" * 70_000 + b" HTTP/1.1\r\n\r\n",
    b'POST /{"uniqueId":300} HTTP/1.1\r\n\r\n',
]
INTRODUCTIONS = [b"PROXY TCP4 127.0.0.1 127.0.0.1 1 2\r\n", SIGNATURE + b"\x20\x00\x00\x00"]


@attrs.define(eq=False)
class Talk:
    """What comes after the first bytes goes to the framer itself, as in a link."""

    framer: ResumableFramer
    frames: list[Frame] = attrs.field(factory=list)
    complaint: Complaint | None = None

    def __attrs_post_init__(self) -> None:
        self.framer = Doorstep(self.framer, "Some Game (1.0)", self)

    def step_in(self, framer: ResumableFramer) -> None:
        self.framer = framer

    def stay_out(self, complaint: Complaint) -> None:
        assert self.complaint is None
        self.complaint = complaint

    def hear(self, data: bytes, size: int) -> None:
        for piece in pieces(data, size):
            if not self.framer.ended:
                self.frames += self.framer.feed(piece)


def pieces(data: bytes, size: int) -> list[bytes]:
    return [data[n : n + size] for n in range(0, len(data), size)]


@pytest.mark.parametrize("name", FRAMERS)
@pytest.mark.parametrize("size", [1, 3, 1000, 1_000_000])
@pytest.mark.parametrize("request_head", REQUESTS)
def test_a_request_is_answered_and_nothing_of_it_is_heard(
    name: str, request_head: bytes, size: int
) -> None:
    talk = Talk(FRAMERS[name]())
    talk.hear(request_head + OBEYED, size)
    assert talk.frames == []
    assert talk.complaint is Complaint.HTTP_REQUEST
    assert talk.framer.ended
    assert not talk.framer.midway
    (answer,) = talk.framer.replies
    assert answer.startswith(b"HTTP/1.1 400 Bad Request\r\nConnection: close\r\n")
    assert b"This is a server for Some Game (1.0)." in answer


@pytest.mark.parametrize("size", [1, 1000])
@pytest.mark.parametrize("header", INTRODUCTIONS)
def test_who_may_not_introduce_others_is_not_heard(header: bytes, size: int) -> None:
    talk = Talk(LineFramer())
    talk.hear(header + OBEYED, size)
    assert talk.frames == []
    assert talk.complaint is Complaint.PROXY_HEADER
    assert talk.framer.replies == []


# What a page can make a browser send without a request line, with words of the page inside.
BINARY = {
    "TLS": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"r" * 32 + b"\x20\n",
    "TURN": b"\x00\x03\x00\x60\x21\x12\xa4\x42" + b"i" * 12 + b"\x00\x06\x00\x40\n",
}


@pytest.mark.parametrize("name", FRAMERS)
@pytest.mark.parametrize("size", [1, 1000])
@pytest.mark.parametrize("protocol", BINARY)
def test_nothing_inside_of_a_binary_protocol_is_heard(name: str, protocol: str, size: int) -> None:
    talk = Talk(FRAMERS[name]())
    talk.hear(BINARY[protocol] + OBEYED, size)
    assert talk.frames == []
    assert talk.complaint is Complaint.BINARY
    assert talk.framer.ended
    assert talk.framer.replies == []


BEGINNINGS: dict[str, list[bytes]] = {
    "lines": [
        b'{"uniqueId":300}\n',
        b'\r\n\r\n{"uniqueId":300}\n',
        b"\r\n\r\n\0\r\nQUIT\r\n",
        b' \t{"uniqueId":300}\n',
        b"\xef\xbb\xbf{}\n",
        b"hello\n",
        b"hello world\n",
        b"PROXY\n",
        b'GET / HTTX {"a":1}\n',
        b"\n" * 50,
        b"x" * (2 * MAX_LINE) + b"\n{}\n",
        b'"POST / HTTP/1.1"\n',
        b"\t{}\n",
    ],
    "objects": [
        b'{"messageType":"HelloServer",\n"messageBody":{}}',
        b'  {"messageType":"HelloServer","messageBody":{}}{"a":1}',
        b'hello {"a":1}\n',
    ],
    "XML": [
        b"<protocol><join/>",
        b"<?xml version='1.0'?>\r\n<protocol><join/><join/>",
        b"\r\n<protocol><join/>",
        b"\xef\xbb\xbf<protocol><join/>",
        b"hello\n",
        b"[1]",
    ],
}


@pytest.mark.parametrize("size", [1, 2, 1_000_000])
@pytest.mark.parametrize(
    ("name", "data"), [(name, data) for name, each in BEGINNINGS.items() for data in each]
)
def test_whatever_else_is_heard_as_without_it(name: str, data: bytes, size: int) -> None:
    plain, talk = FRAMERS[name](), Talk(FRAMERS[name]())
    talk.hear(data, size)
    expected: list[Frame] = []
    for piece in pieces(data, size):
        expected += plain.feed(piece) if not plain.ended else []
    assert talk.frames == expected
    assert talk.complaint is None
    assert (talk.framer.ended, talk.framer.midway) == (plain.ended, plain.midway)


async def test_who_steps_in_is_never_looked_at_again(poller: Poller) -> None:
    doorstep = Doorstep(LineFramer(), "Some Game")
    link, _ = socket_link_pair(poller, doorstep)
    link.take(b"{}\n")
    assert doorstep.newcomer is None
    link.take(b"GET / HTTP/1.1\r\n")
    assert [await link.receive() for _ in range(2)] == [b"{}", b"GET / HTTP/1.1"]


async def test_the_answer_is_the_last_word(poller: Poller) -> None:
    link, peer = socket_link_pair(poller, Doorstep(XmlFramer("protocol"), "Some Game"))
    await peer.send_all(b"POST / HTTP/1.1\r\n\r\n<protocol>")
    with pytest.raises(trio.EndOfChannel):
        await link.receive()
    link.post(b"<left/>")
    async with trio.open_nursery() as nursery:
        nursery.start_soon(link.aclose)
        said = b"".join([piece async for piece in peer])
        await peer.aclose()
    assert said.endswith(b"It speaks plain TCP and is no web server.\n")
    assert link.complaint is Complaint.HTTP_REQUEST
