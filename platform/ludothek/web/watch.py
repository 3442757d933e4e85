"""A running match that somebody watches."""

from typing import Any

import structlog

from ludothek.contract.effects import Ended
from ludothek.contract.page import Page
from ludothek.kit.reports import careful
from ludothek.runtime.lobby import Lobby
from ludothek.web.broadcast import Broadcast
from ludothek.web.camera import Camera
from ludothek.web.events import Event
from ludothek.web.rounds import Rounds
from transports import BUGS, Spawner

log = structlog.get_logger()


class Watch:
    """Follows the match of a lobby for everybody who watches it, until it is over.

    A bug in what a game tells ends the watch and nothing else.
    """

    def __init__(self, nursery: Spawner, rounds: Rounds, lobby: Lobby, page: Page) -> None:
        """Begin to watch a match that is running; raises the bugs of the game."""
        self.match_id = lobby.match_id
        self.broadcast = Broadcast(nursery, rounds, self._newest)
        self.over = False
        self._lobby = lobby
        self._camera = Camera(page, lobby.table, everything=False)
        self.scenery = self._camera.scenery()
        self.position = b"null"  # the newest
        self._event: Event | None = None  # that tells it
        self._take()

    def sent(self, message: Any) -> None:
        """The table has sent a message."""
        try:
            self._camera.hear(message)
        except BUGS as bug:
            self._give_up(bug)

    def ended(self, ended: Ended) -> None:
        """The match is over; this step is its last one."""
        self.over = True
        self._camera.add({"what": "ended", "winner": ended.winner, "reason": ended.reason})

    def stepped(self) -> None:
        """A step of the lobby is over."""
        try:
            if self._take():
                assert self._event is not None
                self.broadcast.post(self._event)
        except BUGS as bug:
            self._give_up(bug)
        if self.over:
            self._end()

    def _take(self) -> bool:
        hall, journal = self._lobby.hall, self._lobby.journal
        number, (_, date) = journal.count, hall.stamp()
        position = self._camera.take(number, date)
        if position is None:
            return False
        self.position, self._event = position, Event.make("position", position, number)
        return True

    def _newest(self) -> Event | None:
        return self._event

    def _give_up(self, bug: BaseException) -> None:
        with careful("what the page shows of a match"):
            log.error("a match cannot be shown", lobby=self._lobby.key, exc_info=bug)
        self.over = True

    def _end(self) -> None:
        self.detach()
        self.broadcast.post(Event.of("over", {"id": self.match_id}))

    def detach(self) -> None:
        """Watch no longer."""
        if self._lobby.watch is self:
            self._lobby.watch = None
