"""Where a peer comes from."""

from ipaddress import IPv4Address, IPv6Address, ip_address

import attrs

# The port of an address that was reported to us without one.
NO_PORT = 0


@attrs.frozen
class Address:
    """A host's address and port; the host is empty while it is unknown."""

    host: str
    port: int = NO_PORT

    def __str__(self) -> str:
        if not self.host:
            return "?"
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


def read_ip(text: str) -> IPv4Address | IPv6Address | None:
    """An IP address, or None; an IPv4 address mapped into IPv6 is returned as IPv4."""
    try:
        address = ip_address(text)
    except ValueError:
        return None
    return getattr(address, "ipv4_mapped", None) or address
