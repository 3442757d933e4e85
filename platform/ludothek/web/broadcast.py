"""One stream of events for any number of browsers."""

from collections.abc import Callable

from ludothek.web.events import COMMENT, Event, chunk
from ludothek.web.pace import Pace
from ludothek.web.rounds import Rounds
from ludothek.web.viewer import Viewer
from transports import Spawner

# Of events that wait for the next round; if there is more, only the newest state is sent.
MOST_BYTES = 256 * 1024


class Broadcast:
    """Sends each event to all viewers, encoded once, when it is its turn.

    `newest` makes the event that replaces all earlier ones, for viewers that come later or have
    missed something.
    """

    def __init__(
        self, nursery: Spawner, rounds: Rounds, newest: Callable[[], Event | None]
    ) -> None:
        self.viewers: dict[Viewer, None] = {}
        self.silent = False
        self._nursery = nursery
        self._rounds = rounds
        self._newest = newest
        self._waiting: list[bytes] = []
        self._bytes = 0
        self._shown: tuple[Event | None, bytes] = None, b""  # the newest event, as it is sent

    def post(self, event: Event) -> None:
        """Send an event in the next round."""
        self._bytes += len(event.text)
        if self._bytes > MOST_BYTES:
            self._waiting.clear()
            self._bytes = len(event.text)
            replacement = self._newest()
            if replacement is not None and replacement is not event:
                self._waiting.append(replacement.text)
        self._waiting.append(event.text)
        self._rounds.want(self)

    def join(self, viewer: Viewer) -> None:
        """Let a browser follow; it hears the newest state first."""
        self.viewers[viewer] = None
        self._rounds.add(self)
        self._show_newest(viewer)

    def leave(self, viewer: Viewer) -> None:
        """A browser is gone."""
        self.viewers.pop(viewer, None)
        if not self.viewers:
            self._rounds.remove(self)
            self._waiting.clear()

    async def send(self, pace: Pace) -> None:
        """Send what is waiting, or else a sign of life."""
        data = chunk(b"".join(self._waiting) or COMMENT)
        self._waiting.clear()
        self._bytes, self.silent = 0, False
        for viewer in tuple(self.viewers):
            while pace.is_over:
                await pace.rest()
            self._push(viewer, data)

    def _show_newest(self, viewer: Viewer) -> None:
        """Many may come at once, or fall behind, and all of them are shown the same bytes."""
        event = self._newest()
        if event is not None:
            if event is not self._shown[0]:
                self._shown = event, chunk(event.text)
            self._push(viewer, self._shown[1])

    def _push(self, viewer: Viewer, data: bytes) -> None:
        if viewer.push(data):
            self._nursery.start_soon(self._wait_for, viewer)

    async def _wait_for(self, viewer: Viewer) -> None:
        """Continue with the newest state once a viewer reads again."""
        await viewer.catch_up()
        if viewer.behind and viewer in self.viewers:
            viewer.behind = False
            self._show_newest(viewer)
