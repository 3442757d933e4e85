"""When broadcasts send what they have: all of them together, a few times per second."""

from collections.abc import Iterable
from typing import Protocol

import structlog
import trio

from ludothek.kit.reports import careful
from ludothek.web.pace import Pace
from transports import BUGS

log = structlog.get_logger()

# Seconds between two rounds: what happens faster is sent together.
PAUSE = 0.05
# Seconds after which proxies are told, at the latest, that a silent stream is alive.
SILENCE = 15.0


class Sender(Protocol):
    """Something that sends when it is its turn."""

    silent: bool  # whether it has sent nothing since it was last looked at

    async def send(self, pace: Pace) -> None:
        """Send what is waiting, or else a sign of life."""


class Exposed(Protocol):
    """Something of which a picture is to be made, when there is time."""

    def develop(self) -> None:
        """Make it, unless it was made meanwhile; reports its bugs itself."""


class Rounds:
    """Lets broadcasts send in turns, after the pictures of what had happened by then are made.

    One task serves all of them. To wake a task for each match would take longer than what it then
    sends to the few who usually watch one.
    """

    def __init__(self, pace: Pace | None = None) -> None:
        self.pace = pace or Pace()
        self._senders: dict[Sender, None] = {}
        self._due: dict[Sender, None] = {}
        self._exposed: dict[Exposed, None] = {}
        self._wake = trio.Event()

    def add(self, sender: Sender) -> None:
        """From now on it takes part."""
        self._senders[sender] = None

    def remove(self, sender: Sender) -> None:
        """It takes part no longer."""
        self._senders.pop(sender, None)

    def want(self, sender: Sender) -> None:
        """It has something to send."""
        self._due[sender] = None
        self._wake.set()

    def expose(self, exposed: Exposed) -> None:
        """It wants to make a picture."""
        self._exposed[exposed] = None
        self._wake.set()

    async def run(self) -> None:
        """Have everything sent until cancelled."""
        while True:
            next_look = trio.current_time() + SILENCE / 2
            while trio.current_time() < next_look:
                with trio.move_on_at(next_look):
                    await self._wake.wait()
                await self._develop()
                due, self._due = self._due, {}
                if not self._exposed:
                    self._wake = trio.Event()
                await self._let_send(due)
                await trio.sleep(PAUSE)
            await self._let_send([each for each in self._senders if each.silent])
            for each in self._senders:
                each.silent = True

    async def _develop(self) -> None:
        """One picture at a time, in the order in which they were asked for.

        What is asked for meanwhile has to wait for the next round: where much is played, tables
        change faster than they can be shown, and nothing would ever be sent.
        """
        exposed, self._exposed = self._exposed, {}
        for each in exposed:
            while self.pace.is_over:
                await self.pace.rest()
            each.develop()

    async def _let_send(self, senders: Iterable[Sender]) -> None:
        for sender in senders:
            if sender in self._senders:  # still
                await self._send(sender)

    async def _send(self, sender: Sender) -> None:
        try:
            await sender.send(self.pace)
        except BUGS as bug:
            with careful("what happens cannot be told to browsers"):
                log.error("what happens cannot be told to browsers", exc_info=bug)
