"""Long answers that are kept compressed."""

import zlib
from collections.abc import Iterator

import trio
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

HEADERS = {"cache-control": "no-store", "vary": "accept-encoding"}

# Of what is decompressed at once, before and after: neither takes long nor much memory.
COMPRESSED, DECOMPRESSED = 4 * 1024, 64 * 1024

_GZIP = 16 + zlib.MAX_WBITS

# However many want that, games get their turn after each piece.
_inflating = trio.Lock()


def takes_gzip(request: Request) -> bool:
    """Whether a browser wants it; `gzip;q=0` says that it does not."""
    for wish in request.headers.get("accept-encoding", "").replace(" ", "").split(","):
        name, _, weight = wish.lower().partition(";q=")
        if name == "gzip":
            return not weight or weight.strip("0.") != ""
    return False


def compressed_json(request: Request, content: bytes) -> ASGIApp:
    """The answer for one browser; nearly all of them take it as it is."""
    if not takes_gzip(request):
        return Inflated(content)
    headers = HEADERS | {"content-encoding": "gzip"}
    return Response(content, headers=headers, media_type="application/json")


class Inflated:
    """Decompresses as fast as its reader reads; an ASGI application.

    Whole, the answer may be thirty megabytes, for each of those who ask and then read slowly.
    """

    def __init__(self, content: bytes) -> None:
        self._content = content

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = [(name.encode(), value.encode()) for name, value in HEADERS.items()]
        headers.append((b"content-type", b"application/json"))
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        if scope["method"] != "HEAD":
            pieces = inflate(self._content)
            while (piece := await _next(pieces)) is not None:
                await send({"type": "http.response.body", "body": piece, "more_body": True})
        await send({"type": "http.response.body"})


async def _next(pieces: Iterator[bytes]) -> bytes | None:
    async with _inflating:
        await trio.lowlevel.checkpoint()
        return next(pieces, None)


def inflate(content: bytes) -> Iterator[bytes]:
    """Decompress piece by piece."""
    inflater = zlib.decompressobj(_GZIP)
    for start in range(0, len(content), COMPRESSED):
        rest = content[start : start + COMPRESSED]
        while rest:
            yield inflater.decompress(rest, DECOMPRESSED)
            rest = inflater.unconsumed_tail
    yield inflater.flush()
