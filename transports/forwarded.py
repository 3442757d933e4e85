"""The client of a proxy, from the header X-Forwarded-For of its request.

Each proxy appends the address that connected to it. Read from the right, everything beyond the
first address that is not one of our proxies is a stranger's claim and may be anything.
"""

import re
from collections.abc import Callable, Iterable

from transports.address import NO_PORT, Address, read_ip

_NODE = re.compile(r"\[([0-9A-Fa-f.:]+)\](?::(\d{1,5}))?|([0-9.]+):(\d{1,5})|([0-9A-Fa-f.:]+)")


class BadForwarding(Exception):
    """A trusted proxy has named something that is not an address."""


def forwarded_for(values: Iterable[str], trusts: Callable[[str], bool]) -> Address | None:
    """The last address that is not a trusted proxy, or else the first one; None if there is none.

    `values` are the values of all such headers, in order.

    Raises:
      BadForwarding: something on the way there is not an address.
    """
    nodes = [node.strip() for node in ",".join(values).split(",")]
    address = None
    for node in filter(None, reversed(nodes)):
        address = _read_node(node)
        if not trusts(address.host):
            break
    return address


def _read_node(node: str) -> Address:
    found = _NODE.fullmatch(node)
    if found is not None:
        bracketed, bracketed_port, dotted, dotted_port, bare = found.groups()
        ip = read_ip(bracketed or dotted or bare)
        port = int(bracketed_port or dotted_port or NO_PORT)
        if ip is not None and port <= 0xFFFF:
            return Address(str(ip), port)
    raise BadForwarding("X-Forwarded-For without an address")
