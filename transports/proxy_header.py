"""The PROXY protocol, versions 1 and 2: a header in which a proxy names its client.

Both are parsed from pieces of any size. Whatever version 2 carries besides the addresses, such as
checksums and certificates, is skipped.
"""

import re
import struct
from ipaddress import IPv4Address, IPv6Address
from typing import Final

import attrs

from transports.address import Address, read_ip

# Including the line break, as in the specification: two full IPv6 addresses fit.
MAX_LINE: Final = 107

# A certificate's name, a connection id and the like; the specification allows 64 kB.
MAX_BLOCK: Final = 4096

SIGNATURE: Final = b"\r\n\r\n\0\r\nQUIT\n"
WORD: Final = b"PROXY "

_LINE = re.compile(
    rb"PROXY (?:UNKNOWN(?: [^\r\n]*)?|TCP([46]) ([0-9A-Fa-f.:]+) ([0-9A-Fa-f.:]+) "
    rb"(0|[1-9][0-9]{0,4}) (0|[1-9][0-9]{0,4}))\r\n"
)
_HEAD = struct.Struct("!12sBBH")
_LOCAL, _PROXY = 0x20, 0x21
_TCP4, _TCP6 = 0x11, 0x21
_UNNAMED = frozenset({0x00, 0x31, 0x32})  # unspecified, or a Unix socket: no address
_ADDRESSES = {_TCP4: struct.Struct("!4s4sHH"), _TCP6: struct.Struct("!16s16sHH")}


class BadHeader(Exception):
    """It is not a PROXY header, or one without anything we can use."""


@attrs.frozen
class Introduction:
    """The proxy's client, None if it speaks for itself; and the bytes after the header."""

    address: Address | None
    rest: bytes


def read_header(data: bytes) -> Introduction | None:
    """Parse the header at the start of a connection; None while it is not complete.

    Raises:
      BadHeader: it is not a header, whatever comes next.
    """
    if data[: len(WORD)] == WORD[: len(data)]:
        return _read_line(data)
    if data[: len(SIGNATURE)] == SIGNATURE[: len(data)]:
        return _read_block(data)
    raise BadHeader("no PROXY header")


def _read_line(data: bytes) -> Introduction | None:
    end = data.find(b"\n", 0, MAX_LINE) + 1
    if not end:
        if len(data) >= MAX_LINE:
            raise BadHeader(f"a PROXY header longer than {MAX_LINE} bytes")
        return None
    found = _LINE.fullmatch(data, 0, end)
    if found is None:
        raise BadHeader("a PROXY header that cannot be read")
    version, source, destination, port, other_port = found.groups()
    rest = data[end:]
    if version is None:
        return Introduction(None, rest)
    kind = IPv4Address if version == b"4" else IPv6Address
    try:
        kind(destination.decode())
        host = str(kind(source.decode()))
    except ValueError:
        raise BadHeader("a PROXY header without an address") from None
    if max(int(port), int(other_port)) > 0xFFFF:
        raise BadHeader("a PROXY header with a port beyond 65535")
    return Introduction(_address(host, int(port)), rest)


def _read_block(data: bytes) -> Introduction | None:
    if len(data) < _HEAD.size:
        return None
    _, command, family, size = _HEAD.unpack_from(data)
    if command not in (_LOCAL, _PROXY):
        raise BadHeader("a PROXY header of an unknown version or command")
    if size > MAX_BLOCK:
        raise BadHeader(f"a PROXY header longer than {MAX_BLOCK} bytes")
    end = _HEAD.size + size
    if len(data) < end:
        return None
    rest = data[end:]
    # A health check of the proxy itself, whatever addresses it names.
    if command == _LOCAL or family in _UNNAMED:
        return Introduction(None, rest)
    layout = _ADDRESSES.get(family)
    if layout is None or size < layout.size:
        raise BadHeader("a PROXY header without an address")
    source, _, port, _ = layout.unpack_from(data, _HEAD.size)
    kind = IPv4Address if family == _TCP4 else IPv6Address
    return Introduction(_address(str(kind(source)), port), rest)


def _address(host: str, port: int) -> Address:
    return Address(str(read_ip(host)), port)
