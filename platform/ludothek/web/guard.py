"""What every request to the page has to pass, and what every answer says to browsers."""

import re
from collections.abc import Mapping
from urllib.parse import unquote_to_bytes

import trio
from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ludothek.control.local_names import MISDIRECTED, is_local, name_in
from ludothek.web.visitors import PATIENCE, Visitors
from transports.forwarded import BadForwarding

POLICY = "; ".join(
    [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    ]
)
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
}

# The same for requests that are refused before anybody sees them.
PROTECTION = [(name.encode(), value.encode()) for name, value in HEADERS.items()]

# A status and a reason.
Objection = tuple[int, str]
TOO_MANY: Objection = 429, "too many requests; wait a moment"

_HALF_ESCAPE = re.compile(rb"%(?![0-9A-Fa-f]{2})")


class Guard:
    """Refuses requests of pages elsewhere and of visitors that ask too much.

    `local` is for a page that only this machine can reach: then its name must be a local one (see
    `LocalNames`), unless a trusted proxy passes the request on.
    """

    def __init__(self, app: ASGIApp, visitors: Visitors, *, local: bool) -> None:
        self._app = app
        self._visitors = visitors
        self._local = local

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def protected(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(raw=list(message["headers"]))
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
                message = {**message, "headers": headers.raw}
            await send(message)

        app = self._app
        objection = self.objection(scope)
        if (delay := self.delay(scope)) > PATIENCE:
            app = _refusal(TOO_MANY, {"connection": "close"})
        elif objection is not None:
            app = _refusal(objection)
        if 0 < delay <= PATIENCE:
            await trio.sleep(delay)
        await app(scope, receive, protected)

    def objection(self, scope: Scope) -> Objection | None:
        """Why a request is refused, with the status; if it is not, its scope names the visitor."""
        try:
            host = self._visitors.host(scope)
        except BadForwarding as problem:
            return 400, str(problem)
        scope["ludothek.host"] = host
        proxied = self._visitors.comes_by_proxy(scope)
        if proxied and Headers(scope=scope).get("x-forwarded-proto") == "https":
            scope["scheme"] = "https"
        if not _is_text(scope["raw_path"]):
            return 400, "the address is not text"
        name = Headers(scope=scope).get("host")
        if name is not None and not name_in(name):
            return 400, "Host names no host"
        if self._local and not proxied and not is_local(name):
            advice = "use the IP address of this server, or localhost, as the host name"
            return MISDIRECTED, advice
        return None

    def delay(self, scope: Scope) -> float:
        """In how many seconds it is the visitor's turn; more than PATIENCE: it is refused.

        To refuse a request costs nearly as much as to answer it. So it is also the last one on its
        connection, and of connections an address has so many, too.
        """
        host = scope.get("ludothek.host")
        return 0.0 if host is None else self._visitors.request_delay(host)


def _refusal(objection: Objection, headers: Mapping[str, str] | None = None) -> ASGIApp:
    status, reason = objection
    return JSONResponse({"error": reason}, status, headers)


def _is_text(path: bytes) -> bool:
    """Whether a path means the same to us and to the scripts of a page, which take it apart."""
    try:
        unquote_to_bytes(path).decode()
    except UnicodeDecodeError:
        return False
    return _HALF_ESCAPE.search(path) is None
