"""A table or a reception at work: happenings go in, effects come out."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterable, Sequence
from datetime import datetime
from functools import wraps
from math import inf
from time import perf_counter
from typing import TYPE_CHECKING, Any, ClassVar

import trio

from ludothek.contract.effects import (
    Chore,
    Drop,
    Effect,
    Effects,
    Explain,
    Fetch,
    Kick,
    Save,
    Send,
    Work,
)
from ludothek.contract.orders import OrderRefused
from ludothek.contract.reception import Reception
from ludothek.contract.table import Table
from ludothek.observe import log_context
from ludothek.runtime.connection import Connection, connection, receivers
from ludothek.runtime.discretion import LARGE_W, SMALL_W, without_passwords
from ludothek.runtime.errands import Errands

if TYPE_CHECKING:
    from ludothek.runtime.clerk import Clerk
    from ludothek.runtime.hall import Hall
    from ludothek.runtime.watcher import Watcher

# Messages to this few clients are part of every game; a client that causes messages to more is
# charged for them.
FEW = 8
# The most copies that are charged for one step: a client whose message sets off a whole round of a
# game does not choose how much there is to send.
MOST_COPIES = 500


class Actor(ABC):
    """Performs what a table or a reception answers to each happening.

    Neither ever waits, so a happening and everything that follows from it are handled in one go, in
    the task where it occurs: there is nothing to lock, and nothing can come in between.
    """

    _effects: ClassVar[frozenset[type]]  # the kinds that it can perform

    __slots__ = (
        "__weakref__",
        "_afterwards",
        "_alarm",
        "_codec",
        "_due",
        "_errands",
        "_stepping",
        "clerk",
        "finishing",
        "hall",
        "open",
        "talk",
        "watch",
    )

    def __init__(self, hall: "Hall", talk: Table | Reception) -> None:
        self.hall = hall
        self.talk = talk
        self.open = True
        self.finishing = False  # closes as soon as nothing would be lost
        self.clerk: Clerk | None = None  # writes down everything, if it can be repeated
        self.watch: Watcher | None = None  # follows what it does, for spectators on the page
        self._codec = hall.codec
        self._alarm = trio.CancelScope()
        self._due = inf  # when the alarm goes off; asking it takes longer
        self._errands = Errands(hall.codec_at)
        self._stepping = False
        self._afterwards: Callable[[], None] | None = None  # what the current step leads to

    @property
    @abstractmethod
    def facts(self) -> dict[str, Any]:
        """What log lines say about it."""

    # Taking steps

    def let(self, act: Callable[..., Effects], *args: Any, by: Connection | None = None) -> None:
        """Let it answer a happening that this client has caused, and perform all that follows."""
        started = perf_counter()
        with self.hall.turns.turn():
            self.step(act, args, by)
            self.hall.catch_up()
        self.hall.traffic.handling.observe(perf_counter() - started)

    def let_obey(self, act: Callable[..., Effects], *args: Any) -> None:
        """The same for an order of an organiser: only to that may the answer be a refusal.

        Raises:
          OrderRefused: it cannot be obeyed.
        """
        refusals = []

        @wraps(act)
        def obey(*args: Any) -> Effects:
            try:
                return tuple(act(*args))
            except OrderRefused as refusal:
                refusals.append(refusal)
                return ()

        self.let(obey, *args)
        for refusal in refusals:
            raise refusal

    def hear(self, client: Connection, message: Any, frame: bytes | None) -> None:
        """The same for a message that came in this frame."""
        started = perf_counter()
        hall = self.hall
        turns = hall.turns
        if self.clerk is not None and frame is not None and (SMALL_W in frame or LARGE_W in frame):
            # It hears what is written down, so that what it answers can be repeated.
            discreet = without_passwords(frame)
            if discreet is not frame:
                frame, message = discreet, self._codec.decode_request(discreet)
        mine = not turns.number and turns.begin()  # nearly always in a turn of the poller
        self.step(self.talk.receive, (client, message), client, frame)
        if hall.pending:
            hall.catch_up()
        if mine:
            turns.end()
        hall.traffic.handling.observe(perf_counter() - started)

    def step(
        self,
        act: Callable[..., Effects],
        args: tuple[Any, ...],
        by: Connection | None,
        frame: bytes | None = None,
    ) -> None:
        """Take one step; its consequences for others stay pending."""
        if not self.open:
            return
        if self.watch is not None:
            self.watch.stepping()
        token = log_context.step.set((self, by.number if by is not None else None))
        self._stepping = True
        try:
            if self.clerk is not None:
                self.clerk.note(act, args, by, frame)
            copies = self._perform_all(act(*args))
            if self._due != self.talk.timers.deadline:
                self._due = self._alarm.deadline = self.talk.timers.deadline
            if copies and by is not None:
                by.charge(min(copies, MOST_COPIES))
        except BaseException as bug:  # no await in here, so never Cancelled
            self._fail(bug, by)
        finally:
            log_context.step.reset(token)
        self._stepping = False
        # From here on, all of the step has been performed, and nothing else has begun.
        if self._afterwards is not None or self.watch is not None:
            self._conclude()
        if self.finishing:
            self._end_if_idle()

    def _conclude(self) -> None:
        """A step is over that somebody watches, or that leads to something."""
        if self.watch is not None:
            self.watch.stepped()
        if self._afterwards is not None:
            self._afterwards()

    @abstractmethod
    def _fail(self, bug: BaseException, by: Connection | None) -> None:
        """Handle a bug, which this client has revealed if a client caused the step."""

    # Performing effects

    def _perform_all(self, effects: Iterable[Effect]) -> int:
        """Perform the effects of a step; returns how many copies of broadcasts were sent."""
        if type(effects) is tuple and len(effects) == 1:  # as nearly always, to send something
            (effect,) = effects
            if type(effect) is Send:
                return self._send(effect, receivers(effect), self._codec.encode(effect.message))
        # All or none: whatever fails, fails before the first effect is performed.
        ready: list[tuple[Effect, Sequence[Connection], bytes]] = []
        for effect in effects:
            if type(effect) is Send:
                ready.append((effect, receivers(effect), self._codec.encode(effect.message)))
            else:
                self._check(effect)
                ready.append((effect, (), b""))
        copies = 0
        for effect, clients, frame in ready:
            if type(effect) is Send:
                copies += self._send(effect, clients, frame)
            else:
                self._perform(effect)
        return copies

    def _check(self, effect: Effect) -> None:
        """Raise TypeError for what could not be performed."""
        if type(effect) not in self._effects:
            raise TypeError(f"{type(self).__name__} cannot perform {effect!r}")
        client = effect.to if isinstance(effect, Fetch) else getattr(effect, "client", None)
        if client is not None:
            connection(client)

    def _send(self, send: Send, clients: Sequence[Connection], frame: bytes) -> int:
        if self.clerk is not None:
            self.clerk.journal.sent(frame, clients)
        if self.watch is not None:
            self.watch.sent(send.message)
        kind = self.hall.kind(send.message)
        for client in clients:
            client.post(frame)
            client.told[kind] += 1
        return len(clients) if len(clients) > FEW else 0

    def _perform(self, effect: Effect) -> None:
        match effect:
            case Kick(client=client, farewell=farewell):
                connection(client).close(farewell)
            case Drop(client=client, complaint=complaint):
                connection(client).drop(complaint)
            case Fetch():
                self._errands.fetch(self, effect)
            case Work():
                self._errands.start(self, effect)
            case Save() | Chore():
                self.hall.save(effect)
            case Explain(client=client, breach=breach, consequence=consequence):
                connection(client).explain(breach, consequence)

    # Waiting

    async def run(self) -> None:
        """Run timers and slow work until it is closed."""
        async with trio.open_nursery() as nursery:
            self._employ(nursery)
            await self._keep_time()
            nursery.cancel_scope.cancel()

    def _employ(self, nursery: trio.Nursery) -> None:
        """Start all other tasks."""
        self._errands.run(self, nursery)

    async def _keep_time(self) -> None:
        while self.open:
            timers = self.talk.timers
            self._due = timers.deadline
            with trio.CancelScope(deadline=self._due) as self._alarm:
                await trio.sleep_forever()
            # What has arrived by now may stop the timer that is due, and start another one.
            due = self.hall.clock.time() >= timers.deadline
            if self.open and due and self.hall.settle is not None:
                await self.hall.settle(trio.current_time())
            while self.open and (timer := self._take_due()) is not None:
                self.let(self.talk.time_up, timer)

    def _take_due(self) -> Hashable | None:
        if self.watch is not None:
            self.watch.stepping()  # of the table without this timer, nobody should get a picture
        return self.talk.timers.take_due()

    def fail_aside(self, bug: BaseException, by: Connection | None) -> None:
        """Handle a bug outside of any step."""
        with self.hall.turns.turn():
            self._fail(bug, by)
            self.hall.catch_up()

    @abstractmethod
    def serves(self, client: Connection) -> bool:
        """Whether a client is still here to get what it has asked for."""

    def deliver(self, client: Connection, frame: bytes, made: datetime) -> None:
        """Send a client the long message that it has asked for, which was made at that time."""
        if self.clerk is not None:
            self.clerk.note_fetched(client, frame, made)
        client.post(frame)

    def _end_if_idle(self) -> None:
        raise TypeError(f"{type(self).__name__} does not finish")
