"""What every request to the page has to pass, and what every answer says to browsers."""

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ludothek.control.local_names import MISDIRECTED, is_local
from ludothek.web.visitors import Visitors
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

        refusal = self._refusal(scope)
        await (refusal or self._app)(scope, receive, protected)

    def _refusal(self, scope: Scope) -> ASGIApp | None:
        try:
            host = self._visitors.host(scope)
        except BadForwarding as problem:
            return JSONResponse({"error": str(problem)}, 400)
        scope["ludothek.host"] = host
        if not self._visitors.may_ask(host):
            return JSONResponse({"error": "too many requests; wait a moment"}, 429)
        proxied = self._visitors.comes_by_proxy(scope)
        if proxied and Headers(scope=scope).get("x-forwarded-proto") == "https":
            scope["scheme"] = "https"
        if self._local and not proxied and not is_local(Headers(scope=scope).get("host")):
            advice = "use the IP address of this server, or localhost, as the host name"
            return JSONResponse({"error": advice}, MISDIRECTED)
        return None
