"""Protection against DNS rebinding, for servers on the loopback interface."""

import re
from ipaddress import ip_address

from starlette.datastructures import Headers
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

MISDIRECTED = 421

# Everything that browsers send, and nothing that could be read in two ways.
_HOST = re.compile(r"(?:\[([0-9A-Fa-f:.]+)\]|([\w.-]+))(?::\d{1,5})?", re.ASCII)


class LocalNames:
    """Answers only requests whose Host header is an IP address or localhost.

    A web page can make its own host name resolve to this machine (DNS rebinding). A browser then
    takes us for the page's own server and lets the page read our answers. Only the Host header
    tells the difference.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or is_local(Headers(scope=scope).get("host")):
            await self._app(scope, receive, send)
            return
        problem = {"error": "use the IP address of this server, or localhost, as the host name"}
        await JSONResponse(problem, MISDIRECTED)(scope, receive, send)


def is_local(host: str | None) -> bool:
    """Whether a Host header names an IP address or localhost; browsers always send one."""
    if host is None:
        return True
    name = name_in(host)
    if name.lower() == "localhost":
        return True
    try:
        ip_address(name)
    except ValueError:
        return False
    return True


def name_in(host: str) -> str:
    """The name or address in a Host header, without the port; empty: it has none."""
    found = _HOST.fullmatch(host)
    return (found[1] or found[2]) if found else ""
