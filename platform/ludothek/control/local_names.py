"""A guard against web pages that have a browser on this machine ask for them."""

from ipaddress import ip_address

from starlette.datastructures import Headers
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

MISDIRECTED = 421


class LocalNames:
    """Answers only those who call this machine by its address, or localhost.

    A page may give its own name this machine's address (DNS rebinding): to the browser we are then
    the page's own server, whose answers it may read. Only the name tells the difference.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or is_local(Headers(scope=scope).get("host")):
            await self._app(scope, receive, send)
            return
        problem = {"error": "this port is called by its address or as localhost"}
        await JSONResponse(problem, MISDIRECTED)(scope, receive, send)


def is_local(host: str | None) -> bool:
    """Whether a Host header names an address or localhost; browsers always send one."""
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
