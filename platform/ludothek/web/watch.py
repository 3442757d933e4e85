"""A running match that somebody watches."""

from typing import Any

import structlog

from ludothek.contract.effects import Ended
from ludothek.contract.page import Page
from ludothek.kit.reports import careful
from ludothek.runtime.endpoint import Endpoint
from ludothek.runtime.lobby import Lobby
from ludothek.web.broadcast import Broadcast
from ludothek.web.camera import Camera
from ludothek.web.events import Event
from ludothek.web.rounds import Rounds
from transports import BUGS, Spawner

log = structlog.get_logger()

# Where a match is being played.
Running = tuple[Endpoint, Lobby]
# The number of a note and the time of its step.
Exposure = tuple[int, tuple[float, float]]


class Watch:
    """Follows the match of a lobby for everybody who watches it, until it is over.

    Pictures are made when nobody waits for an answer, but before the table changes again. A bug in
    what a game tells ends the watch and nothing else.
    """

    def __init__(self, nursery: Spawner, rounds: Rounds, found: Running, page: Page) -> None:
        """Begin to watch a match that is running; raises the bugs of the game."""
        self._endpoint, self._lobby = found
        self.match_id = self._lobby.match_id
        self.broadcast = Broadcast(nursery, rounds, self._newest)
        self.over = False
        self._rounds = rounds
        self._camera = Camera(page, self._lobby.table, everything=False)
        self.scenery = self._camera.scenery()
        self._position = b"null"  # the newest
        self._event: Event | None = None  # that tells it
        self._heard: list[Any] = []  # messages of the latest step
        self._ended: Ended | None = None
        self._exposed: Exposure | None = None  # of which there is no picture yet
        self._take(self._expose())

    @property
    def position(self) -> bytes:
        """The newest one, as JSON."""
        self.develop()
        return self._position

    # The lobby's side: within a step, whose answers have not left yet.

    def stepping(self) -> None:
        """The table is about to change: this is the last chance for a picture."""
        self.develop()

    def sent(self, message: Any) -> None:
        """The table has sent a message."""
        self._heard.append(message)

    def ended(self, ended: Ended) -> None:
        """The match is over; this step is its last one."""
        self.over, self._ended = True, ended

    def stepped(self) -> None:
        """A step of the lobby is over."""
        self._exposed = self._expose()
        if self.over:
            self.develop()
            self._end()
        else:
            self._rounds.expose(self)

    # When there is time

    def develop(self) -> None:
        """Make a picture of the table after its latest step, and send it in the next round."""
        exposed, self._exposed = self._exposed, None
        if exposed is None:
            return
        try:
            if self._take(exposed):
                assert self._event is not None
                self.broadcast.post(self._event)
        except BUGS as bug:
            self._give_up(bug)

    def _expose(self) -> Exposure:
        return self._lobby.journal.count, self._lobby.hall.stamp()

    def _take(self, exposed: Exposure) -> bool:
        number, stamp = exposed
        heard, self._heard = self._heard, []
        with self._endpoint.at(stamp):
            for message in heard:
                self._camera.hear(message)
            if (ended := self._ended) is not None:
                told = {"what": "ended", "winner": ended.winner, "reason": ended.reason}
                self._camera.add(told)
            position = self._camera.take(number, stamp[1])
        if position is None:
            return False
        self._position, self._event = position, Event.make("position", position, number)
        return True

    def _newest(self) -> Event | None:
        self.develop()
        return self._event

    def _give_up(self, bug: BaseException) -> None:
        with careful("what the page shows of a match"):
            log.error("a match cannot be shown", lobby=self._lobby.key, exc_info=bug)
        self.over = True
        self._end()

    def _end(self) -> None:
        if self._lobby.watch is self:
            self.detach()
            self.broadcast.post(Event.of("over", {"id": self.match_id}))

    def detach(self) -> None:
        """Watch no longer."""
        if self._lobby.watch is self:
            self._lobby.watch = None
        self._exposed = None
        self._heard.clear()
