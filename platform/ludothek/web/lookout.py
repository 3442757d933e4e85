"""Looking for changes, for as long as somebody wants to know."""

from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager

import trio

from ludothek.web.broadcast import Broadcast
from ludothek.web.viewer import Viewer
from transports import Spawner


class Lookout:
    """Runs `look`, which posts what it sees, while a broadcast has viewers.

    When the last one is gone, `forget` is called: what was seen may be wrong for the next one.
    """

    def __init__(
        self,
        nursery: Spawner,
        broadcast: Broadcast,
        look: Callable[[], Awaitable[None]],
        forget: Callable[[], None] = lambda: None,
    ) -> None:
        self._nursery = nursery
        self._broadcast = broadcast
        self._look = look
        self._forget = forget
        self._looking: trio.CancelScope | None = None

    @contextmanager
    def following(self, viewer: Viewer) -> Iterator[None]:
        """Let a browser hear of every change."""
        if self._looking is None:
            self._looking = trio.CancelScope()
            self._nursery.start_soon(self._run, self._looking)
        self._broadcast.join(viewer)
        try:
            yield
        finally:
            self._broadcast.leave(viewer)
            if not self._broadcast.viewers and self._looking is not None:
                self._looking.cancel()
                self._looking = None
                self._forget()

    async def _run(self, scope: trio.CancelScope) -> None:
        try:
            with scope:
                await self._look()
        finally:
            if self._looking is scope:  # it has failed; the next viewer tries again
                self._looking = None
