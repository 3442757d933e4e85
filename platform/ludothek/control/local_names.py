"""Protection against DNS rebinding, for servers on the loopback interface."""

from ipaddress import ip_address

from starlette.datastructures import Headers
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

MISDIRECTED = 421


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
    name = host[1:].partition("]")[0] if host.startswith("[") else host.partition(":")[0]
    if name.lower() == "localhost":
        return True
    try:
        ip_address(name)
    except ValueError:
        return False
    return True
