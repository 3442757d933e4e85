"""Which web pages may connect: browsers send a page's origin (RFC 6455, section 10.2).

Otherwise any page that somebody in the lab opens could connect from inside the lab and fill the
server. Programs other than browsers need not send an origin, and many do not.
"""

import re
from collections.abc import Iterable

import attrs

from transports.address import read_ip

ANY = "*"
NONE = "null"  # pages without an origin, such as those in a sandbox, which any page can create

_DEFAULT_PORTS = {"http": 80, "ws": 80, "https": 443, "wss": 443}
_ORIGIN = re.compile(
    r"([a-z][a-z0-9+.-]*)://([a-z0-9._-]*|\[[0-9a-f:.]+\])(?::(\*|[0-9]{1,5}))?/?", re.ASCII
)
_HOST = re.compile(r"(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+)(?::[0-9]{1,5})?", re.ASCII)
_LOCALHOST = "localhost"

# Every browser has sent this for thirty years, and no page can change it.
_BROWSER = "Mozilla/"

# What every origin has that a browser sends, unless it is NONE (RFC 6454, section 6.1).
_SCHEME_END = "://"


@attrs.frozen
class Origin:
    """A scheme, a host and a port; -1 stands for any port."""

    scheme: str
    host: str
    port: int | None

    @classmethod
    def read(cls, text: str) -> "Origin | None":
        """Parse an origin whose port may be ``*``; None if it is not one."""
        found = _ORIGIN.fullmatch(text.lower())
        if found is None:
            return None
        scheme, host, port = found.groups()
        if not host and scheme in _DEFAULT_PORTS:
            return None
        if port is None:
            return cls(scheme, host, _DEFAULT_PORTS.get(scheme))
        return cls(scheme, host, -1 if port == ANY else int(port))

    @property
    def on_any_port(self) -> "Origin":
        return attrs.evolve(self, port=-1)


def host_name(host: str) -> str | None:
    """The name or address in a Host header, without the port; None if it is neither."""
    found = _HOST.fullmatch(host)
    return found[1].lower() if found else None


@attrs.frozen
class Origins:
    """Pages that may connect."""

    listed: frozenset[Origin]
    any: bool = False
    without: bool = False  # pages that have no origin

    @classmethod
    def read(cls, texts: Iterable[str]) -> "Origins":
        """Raises ValueError if one of them is not an origin."""
        listed = set()
        for text in (texts := list(texts)):
            if text not in (ANY, NONE):
                if (origin := Origin.read(text)) is None:
                    raise ValueError(f"{text!r} is no origin")
                listed.add(origin)
        return cls(frozenset(listed), any=ANY in texts, without=NONE in texts)

    def welcomes(self, text: str, host: str, user_agent: str) -> bool:
        """Whether a page of that origin may connect; `host` is the Host header of the request."""
        if self.any:
            return True
        if text.lower() == NONE:
            return self.without
        is_program = not user_agent.startswith(_BROWSER)
        if _SCHEME_END not in text:
            return is_program  # whose library sends a host and a port, or just a word
        if text.endswith(":*") or (origin := Origin.read(text)) is None:
            return False
        if origin in self.listed or origin.on_any_port in self.listed:
            return True
        name = host_name(host)
        return name == origin.host and (_is_fixed(name) or is_program)


def _is_fixed(name: str) -> bool:
    """Whether a name always means the same machine.

    The owner of a domain can point its name to us once a page has been loaded from elsewhere (DNS
    rebinding): then the page has the same name as we do, and nothing else in common.
    """
    return name == _LOCALHOST or read_ip(name.strip("[]")) is not None
