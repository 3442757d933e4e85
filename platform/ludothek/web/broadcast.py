"""One stream of events for any number of browsers."""

from collections.abc import Callable
from time import perf_counter

import trio

from ludothek.web.events import COMMENT, Event, chunk
from ludothek.web.viewer import Viewer
from transports import Spawner

# Seconds between two rounds: what happens faster is sent together.
PAUSE = 0.05
# Seconds that a round may take before games get their turn.
SLICE = 0.0005
# Seconds of silence after which proxies are told that the stream is alive.
SILENCE = 15.0
# Of events that wait for the next round; if there is more, only the newest state is sent.
MOST_BYTES = 256 * 1024


class Broadcast:
    """Sends each event to all viewers, encoded once, in small slices of time.

    `newest` makes the event that replaces all earlier ones, for viewers that come later or have
    missed something.
    """

    def __init__(self, nursery: Spawner, newest: Callable[[], Event | None]) -> None:
        self.viewers: dict[Viewer, None] = {}
        self._nursery = nursery
        self._newest = newest
        self._waiting: list[bytes] = []
        self._bytes = 0
        self._wake = trio.Event()
        self._closed = trio.CancelScope()

    def post(self, event: Event) -> None:
        """Send an event in the next round."""
        self._bytes += len(event.text)
        if self._bytes > MOST_BYTES:
            self._waiting.clear()
            self._bytes = 0
            replacement = self._newest()
            event = event if replacement is None else replacement
        self._waiting.append(event.text)
        self._wake.set()

    def join(self, viewer: Viewer) -> None:
        """Let a browser follow; it hears the newest state first."""
        self.viewers[viewer] = None
        if (event := self._newest()) is not None:
            self._push(viewer, chunk(event.text))

    def leave(self, viewer: Viewer) -> None:
        """A browser is gone."""
        self.viewers.pop(viewer, None)

    async def run(self) -> None:
        """Send until cancelled."""
        while True:
            with trio.move_on_after(SILENCE):
                await self._wake.wait()
            await self.send_round()
            await trio.sleep(PAUSE)

    async def run_until_closed(self) -> None:
        """Send until closed; it cannot be opened again."""
        with self._closed:
            await self.run()

    def close(self) -> None:
        """Send nothing more."""
        self._closed.cancel()

    async def send_round(self) -> None:
        """Send what is waiting, or a sign of life."""
        data = chunk(b"".join(self._waiting) or COMMENT)
        self._waiting.clear()
        self._bytes, self._wake = 0, trio.Event()
        started = perf_counter()
        for viewer in tuple(self.viewers):
            self._push(viewer, data)
            if perf_counter() - started > SLICE:
                await trio.lowlevel.checkpoint()
                started = perf_counter()

    def _push(self, viewer: Viewer, data: bytes) -> None:
        was_stuck = viewer.stuck
        viewer.push(data)
        if viewer.stuck and not was_stuck:
            self._nursery.start_soon(self._wait_for, viewer)

    async def _wait_for(self, viewer: Viewer) -> None:
        """Go on with the newest state once a viewer reads again."""
        await viewer.catch_up()
        if viewer.behind and viewer in self.viewers:
            viewer.behind = False
            if (event := self._newest()) is not None:
                self._push(viewer, chunk(event.text))
