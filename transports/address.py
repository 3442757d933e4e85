"""Where a peer comes from."""

from ipaddress import IPv4Address, IPv6Address, ip_address

import attrs

# Of an address that somebody else has told us without its port.
NO_PORT = 0


@attrs.frozen
class Address:
    """A host's address and the port there; the host is empty while nobody knows it."""

    host: str
    port: int = NO_PORT

    def __str__(self) -> str:
        if not self.host:
            return "?"
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


def read_ip(text: str) -> IPv4Address | IPv6Address | None:
    """An IP address, or nothing; what IPv6 says of IPv4 addresses is taken for those."""
    try:
        address = ip_address(text)
    except ValueError:
        return None
    return getattr(address, "ipv4_mapped", None) or address
