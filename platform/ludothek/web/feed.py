"""Events for one organiser's browser, made as fast as it reads them."""

from collections.abc import Awaitable, Callable

import trio
from starlette.types import Receive, Scope, Send

from ludothek.web.events import COMMENT
from ludothek.web.stream import HEADERS

# Returns when the operating system has taken the text: nothing waits here for a slow browser.
Say = Callable[[bytes], Awaitable[None]]


class Feed:
    """Lets `tell` say events until it returns or the browser is gone; an ASGI application."""

    def __init__(self, tell: Callable[[Say], Awaitable[None]]) -> None:
        self._tell = tell

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def say(text: bytes) -> None:
            await send({"type": "http.response.body", "body": text, "more_body": True})

        async def end_with_browser() -> None:
            await receive()  # the request
            await receive()  # that the browser is gone
            nursery.cancel_scope.cancel()

        await send({"type": "http.response.start", "status": 200, "headers": HEADERS})
        await say(COMMENT)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(end_with_browser)
            await self._tell(say)
            nursery.cancel_scope.cancel()
        await send({"type": "http.response.body"})
