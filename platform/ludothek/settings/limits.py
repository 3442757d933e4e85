"""Limits on what clients may use of the machine."""

from functools import cached_property, lru_cache
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_network
from math import inf
from typing import Any

import attrs

from ludothek.settings.fields import at_least, setting
from transports import Origins, OutboxLimits, Rate, Terms, read_ip

Networks = tuple[IPv4Network | IPv6Network, ...]

# The size of IPv6 network that a household or a laptop has to itself.
_IPV6_PREFIX = 64

# Bits before the IPv4 address in an IPv6 address that stands for one (::ffff:192.0.2.1).
_MAPPED_PREFIX = 96


def _network(text: str) -> IPv4Network | IPv6Network:
    network = ip_network(text)
    if isinstance(network, IPv6Network) and (mapped := network.network_address.ipv4_mapped):
        # Dual-stack sockets show IPv4 addresses like this. Ours do not, so it would never match.
        return IPv4Network((mapped, network.prefixlen - _MAPPED_PREFIX))
    return network


def _are_networks(texts: list[Any]) -> str | None:
    for text in texts:
        try:
            if not isinstance(text, str):
                raise ValueError(f"{text!r} is not text")
            _network(text)
        except ValueError as error:
            return f"must be networks like '134.60.0.0/16' or '2001:db8::/32' ({error})"
    return None


def _are_origins(texts: list[Any]) -> str | None:
    try:
        Origins.read(map(str, texts))
    except ValueError as error:
        return f"must be origins like 'https://example.org', 'http://localhost:*' or '*' ({error})"
    return None


@attrs.frozen(kw_only=True)
class Limits:
    """Far more than any client needs for playing, and far less than would hurt others.

    A limit that can be switched off is switched off by 0.
    """

    # Connections

    max_connections: int = setting(
        10_000, "concurrent connections to the whole daemon", check=at_least(1)
    )
    max_connections_per_address: int = setting(
        256,
        "concurrent connections per address; for IPv6, per /64 network; 0: no limit",
        check=at_least(0),
    )
    exempt: list[str] = setting(
        ["127.0.0.0/8", "::1/128"],
        "networks where many people share an address; they are exempt from per-address limits",
        check=_are_networks,
    )

    # Proxies and web pages

    trusted_proxies: list[str] = setting(
        [],
        "networks of proxies that are trusted to name their clients, with X-Forwarded-For or a "
        "PROXY header; proxies themselves are never exempt",
        check=_are_networks,
    )
    proxy_protocol: bool = setting(
        False,
        "require a PROXY header, version 1 or 2, on connections from trusted proxies; those "
        "without one are closed",
    )
    allowed_origins: list[str] = setting(
        ["http://localhost:*", "http://127.0.0.1:*", "http://[::1]:*", "file://"],
        "origins of web pages that may open a WebSocket, besides the server's own; *: all",
        check=_are_origins,
    )

    # Time

    handshake_seconds: float = setting(
        5.0,
        "seconds in which the WebSocket handshake or the PROXY header must be complete",
        check=at_least(0.1),
    )
    first_message_seconds: float = setting(
        10.0,
        "seconds in which the first message must be complete; 0: no limit",
        check=at_least(0),
    )
    idle_seconds: float = setting(
        0.0,
        "seconds without a message after which a client is disconnected; 0: no limit, because "
        "spectators send nothing and people take time to think",
        check=at_least(0),
    )
    frame_seconds: float = setting(
        30.0,
        "seconds from the first byte of a message to the last; 0: no limit",
        check=at_least(0),
    )

    # What a client sends

    messages_per_second: float = setting(
        1000.0,
        "sustained message rate of one client (token bucket); 0: no limit",
        check=at_least(0),
    )
    message_burst: int = setting(2000, "messages one client may send in a burst", check=at_least(1))
    bytes_per_second: float = setting(
        1024.0 * 1024,
        "sustained byte rate of one client (token bucket); 0: no limit",
        check=at_least(0),
    )
    byte_burst: int = setting(
        4 * 1024 * 1024, "bytes one client may send in a burst", check=at_least(1)
    )
    address_messages_per_second: float = setting(
        5000.0,
        "sustained message rate of all clients of one address together; 0: no limit",
        check=at_least(0),
    )
    address_message_burst: int = setting(
        20_000,
        "messages all clients of one address together may send in a burst",
        check=at_least(1),
    )

    # What waits for a client that reads slowly

    outbox_frames: int = setting(
        4096, "messages that may be queued for a slow client", check=at_least(1)
    )
    outbox_bytes: int = setting(
        4 * 1024 * 1024, "bytes that may be queued for a slow client", check=at_least(1024)
    )
    outbox_total_bytes: int = setting(
        256 * 1024 * 1024,
        "bytes that may be queued for all clients of the daemon together; above that, the clients "
        "with the longest queues are dropped",
        check=at_least(1024 * 1024),
    )
    write_seconds: float = setting(
        10.0,
        "seconds after which a client that reads nothing of its queue is dropped",
        check=at_least(0.1),
    )

    # Lobbies

    max_lobbies: int = setting(
        2000,
        "open lobbies per endpoint, waiting or running",
        check=at_least(1),
    )
    max_lobbies_per_address: int = setting(
        64,
        "open lobbies per endpoint that clients of one address have opened; 0: no limit",
        check=at_least(0),
    )
    max_clients_per_lobby: int = setting(
        200, "clients per lobby, spectators included", check=at_least(2)
    )
    max_clients_per_lobby_and_address: int = setting(
        100, "clients per lobby from one address; 0: no limit", check=at_least(0)
    )

    # People who play on the web page

    max_people: int = setting(
        500, "people who play on the web page per endpoint at the same time", check=at_least(0)
    )
    max_people_per_address: int = setting(
        8,
        "people of one address who play on the web page per endpoint at the same time; 0: no limit",
        check=at_least(0),
    )
    person_idle_seconds: float = setting(
        600.0,
        "seconds after which somebody who plays on the web page, and makes no move or whose "
        "opponent makes none, gives up the game",
        check=at_least(1),
    )

    # Results

    results_per_address: int = setting(
        5000,
        "matches per hour and address recorded in the log and in results.jsonl; 0: no limit",
        check=at_least(0),
    )

    def exempts(self, host: str) -> bool:
        """Whether the address is exempt because many people share it."""
        return _is_in(host, self._exempt) and not self.trusts(host)

    def counts(self, host: str) -> bool:
        """Whether limits per address apply; players inside this process have no address."""
        return _address(host) is not None and not self.exempts(host)

    @cached_property
    def _exempt(self) -> Networks:
        return tuple(map(_network, self.exempt))

    def trusts(self, host: str) -> bool:
        """Whether it is the address of a proxy that is trusted to name its clients."""
        return bool(self.trusted_proxies) and _is_in(host, self._proxies)

    @cached_property
    def _proxies(self) -> Networks:
        return tuple(map(_network, self.trusted_proxies))

    @property
    def address_messages(self) -> Rate | None:
        return _rate(self.address_messages_per_second, self.address_message_burst)

    @cached_property
    def terms(self) -> Terms:
        """The terms of a connection; all connections share this object."""
        return Terms(
            handshake_seconds=self.handshake_seconds,
            first_seconds=self.first_message_seconds or inf,
            idle_seconds=self.idle_seconds or inf,
            frame_seconds=self.frame_seconds or inf,
            messages=_rate(self.messages_per_second, self.message_burst),
            bytes=_rate(self.bytes_per_second, self.byte_burst),
            outbox=OutboxLimits(
                self.outbox_frames, self.outbox_bytes, self.write_seconds, self.outbox_total_bytes
            ),
            origins=Origins.read(self.allowed_origins),
        )


LIMITS = Limits()


def _rate(per_second: float, burst: float) -> Rate | None:
    return Rate(per_second, burst) if per_second else None


def _address(host: str) -> IPv4Address | IPv6Address | None:
    return read_ip(host.partition("%")[0])


def _is_in(host: str, networks: Networks) -> bool:
    address = _address(host)
    return address is not None and any(address in network for network in networks)


@lru_cache(maxsize=1024)
def origin(host: str) -> str:
    """What counts as one address; for IPv6, a whole /64 network."""
    address = _address(host)
    if isinstance(address, IPv6Address):
        return str(IPv6Network((address, _IPV6_PREFIX), strict=False))
    return str(address or host)
