"""The PROXY protocol: whom a proxy speaks for, whatever the pieces, and what is no header."""

import struct

import pytest

from transports.address import Address
from transports.proxy_header import (
    MAX_BLOCK,
    MAX_LINE,
    SIGNATURE,
    BadHeader,
    Introduction,
    read_header,
)

LONGEST = b"PROXY UNKNOWN ffff:f...f:ffff ffff:f...f:ffff 65535 65535\r\n"


def block(command: int, family: int, payload: bytes, size: int | None = None) -> bytes:
    length = len(payload) if size is None else size
    return SIGNATURE + struct.pack("!BBH", command, family, length) + payload


V4 = bytes([203, 0, 113, 7]) + bytes([127, 0, 0, 1]) + struct.pack("!HH", 40000, 13050)
V6 = bytes.fromhex("20010db8000000000000000000000007") + bytes(16) + struct.pack("!HH", 40000, 9998)
MAPPED = bytes(10) + b"\xff\xff" + V4[:4] + bytes(16) + struct.pack("!HH", 40000, 9998)
TLV = b"\x04\x00\x05hello"

HEADERS = [
    (b"PROXY TCP4 203.0.113.7 127.0.0.1 40000 13050\r\n", Address("203.0.113.7", 40000)),
    (b"PROXY TCP6 2001:db8::7 ::1 40000 9998\r\n", Address("2001:db8::7", 40000)),
    (b"PROXY TCP6 ::ffff:203.0.113.7 ::1 40000 9998\r\n", Address("203.0.113.7", 40000)),
    (b"PROXY UNKNOWN\r\n", None),
    (LONGEST, None),
    (block(0x21, 0x11, V4), Address("203.0.113.7", 40000)),
    (block(0x21, 0x21, V6), Address("2001:db8::7", 40000)),
    (block(0x21, 0x21, MAPPED), Address("203.0.113.7", 40000)),
    (block(0x21, 0x11, V4 + TLV), Address("203.0.113.7", 40000)),
    (block(0x21, 0x11, V4 + bytes(MAX_BLOCK - len(V4))), Address("203.0.113.7", 40000)),
    (block(0x20, 0x00, b""), None),  # LOCAL: a health check
    (block(0x20, 0x11, V4), None),
    (block(0x21, 0x00, TLV), None),  # unspecified
    (block(0x21, 0x31, bytes(216)), None),  # a Unix socket
]


@pytest.mark.parametrize(("data", "address"), HEADERS)
@pytest.mark.parametrize("rest", [b"", b"{}\n", b"PROXY UNKNOWN\r\n"])
def test_a_header_is_read_up_to_its_end(data: bytes, address: Address | None, rest: bytes) -> None:
    assert read_header(data + rest) == Introduction(address, rest)
    assert [read_header(data[:n]) for n in range(0, len(data), max(1, len(data) // 200))] == [
        None for _ in range(0, len(data), max(1, len(data) // 200))
    ]


@pytest.mark.parametrize(
    "data",
    [
        b"GET / HTTP/1.1\r\n",
        b"{",
        b"<protocol>",
        b"\x16\x03\x01",
        b"\r\n\r\n\r\n",
        b"proxy TCP4 1.1.1.1 1.1.1.1 1 1\r\n",
        b"PROXY TCP4 1.1.1.1 1.1.1.1 1 1\n",  # no CR
        b"PROXY TCP4 1.1.1.1 1.1.1.1 1\r\n",
        b"PROXY TCP4 1.1.1.1 1.1.1.1 1 1 1\r\n",
        b"PROXY  TCP4 1.1.1.1 1.1.1.1 1 1\r\n",
        b"PROXY TCP4 1.1.1.256 1.1.1.1 1 1\r\n",
        b"PROXY TCP4 1.1.1.1 nowhere 1 1\r\n",
        b"PROXY TCP4 ::1 ::1 1 1\r\n",
        b"PROXY TCP6 1.1.1.1 1.1.1.1 1 1\r\n",
        b"PROXY TCP6 fe80::1%eth0 ::1 1 1\r\n",
        b"PROXY TCP4 1.1.1.1 1.1.1.1 65536 1\r\n",
        b"PROXY TCP4 1.1.1.1 1.1.1.1 1 99999\r\n",
        b"PROXY TCP4 1.1.1.1 1.1.1.1 01 1\r\n",
        b"PROXY TCP4 1.1.1.1 1.1.1.1 -1 1\r\n",
        b"PROXY UDP4 1.1.1.1 1.1.1.1 1 1\r\n",
        b"PROXY UNKNOWN" + b"x" * MAX_LINE,
        b"PROXY UNKNOWN " + b"x" * MAX_LINE + b"\r\n",
        block(0x11, 0x11, V4),  # version 1
        block(0x22, 0x11, V4),  # neither LOCAL nor PROXY
        block(0x21, 0x12, V4),  # UDP
        block(0x21, 0x41, V4),
        block(0x21, 0x11, V4[:-1]),
        block(0x21, 0x21, V4),
        block(0x21, 0x11, b"", size=MAX_BLOCK + 1),
        block(0x20, 0x00, b"", size=0xFFFF),
    ],
)
def test_what_is_no_header_is_refused_without_waiting_for_more(data: bytes) -> None:
    with pytest.raises(BadHeader):
        read_header(data)
