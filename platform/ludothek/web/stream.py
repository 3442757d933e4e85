"""An answer without an end: server-sent events."""

from collections.abc import Callable
from contextlib import AbstractContextManager, suppress
from typing import TYPE_CHECKING

from starlette.types import Receive, Scope, Send

from ludothek.web.events import COMMENT
from ludothek.web.repeater import NotShown
from ludothek.web.viewer import Viewer

if TYPE_CHECKING:
    import trio

# Where the connection puts its stream, so that events can be written without a task for each.
EXTENSION = "ludothek.stream"

HEADERS = [
    (b"content-type", b"text/event-stream"),
    (b"cache-control", b"no-store"),
    (b"x-accel-buffering", b"no"),  # for nginx
]


class EventStream:
    """Lets a browser follow a broadcast until it hangs up; an ASGI application.

    It is counted from the beginning. What it wants to follow may be over when it has got its head:
    then it asks again.
    """

    def __init__(
        self,
        counted: AbstractContextManager[None],
        follow: Callable[[Viewer], AbstractContextManager[None]],
    ) -> None:
        self._counted = counted
        self._follow = follow

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        stream: trio.SocketStream = scope["extensions"][EXTENSION]
        with self._counted, suppress(NotShown):
            await send({"type": "http.response.start", "status": 200, "headers": HEADERS})
            await send({"type": "http.response.body", "body": COMMENT, "more_body": True})
            viewer = Viewer(stream.socket.fileno())
            try:
                with viewer.gone, self._follow(viewer):
                    await receive()  # the request
                    await receive()  # that the browser is gone
            finally:
                viewer.finish()
