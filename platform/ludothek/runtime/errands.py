"""Errands: slow work that a table or a reception wants done, in threads."""

from collections.abc import Callable, Sequence
from datetime import datetime
from time import sleep, thread_time
from typing import TYPE_CHECKING, Any

import trio

from ludothek.contract.clock import Clock
from ludothek.contract.effects import Fetch, Work
from ludothek.runtime.connection import Connection, connection

if TYPE_CHECKING:
    from ludothek.runtime.actor import Actor
    from ludothek.runtime.hall import CodecAt

# A thread that makes long messages rests for this many times the CPU time it has used.
REST = 4


class Errands:
    """The slow work of one actor, which is passed in: the two must not keep each other alive."""

    __slots__ = ("_codec_at", "_nursery", "_work", "fetches")

    def __init__(self, codec_at: "CodecAt") -> None:
        # Long messages; the first one is being made; one per client and kind.
        self.fetches: list[Fetch] = []
        self._work: Sequence[tuple[Work, Connection | None]] = ()  # requested before the nursery
        self._codec_at = codec_at
        self._nursery: trio.Nursery | None = None

    def resume(self, fetches: list[Fetch], work: Sequence[Work]) -> None:
        """Do what another process has not done."""
        self.fetches, self._work = fetches, [(each, None) for each in work]

    def run(self, actor: "Actor", nursery: trio.Nursery) -> None:
        """Begin to work in this nursery."""
        self._nursery = nursery
        if self.fetches:
            nursery.start_soon(self._make_messages, actor)
        work, self._work = self._work, ()
        for each in work:
            nursery.start_soon(self._do, actor, *each)

    # Work

    def start(self, actor: "Actor", work: Work) -> None:
        """Have something done; the result is a happening."""
        client = None if work.client is None else connection(work.client)
        if self._nursery is None:
            self._work = (*self._work, (work, client))
        else:
            self._nursery.start_soon(self._do, actor, work, client)

    async def _do(self, actor: "Actor", work: Work, client: Connection | None) -> None:
        result = None
        try:
            result = await trio.to_thread.run_sync(work.do, abandon_on_cancel=True)
        except trio.Cancelled:
            raise
        except BaseException as bug:
            actor.fail_aside(bug, client)
        actor.let(actor.talk.worked, work.about, result, by=client)

    # Long messages

    def fetch(self, actor: "Actor", fetch: Fetch) -> None:
        """Have a long message made and sent to the client that has asked for it."""
        if fetch in self.fetches:
            return
        self.fetches.append(fetch)
        if len(self.fetches) == 1 and self._nursery is not None:
            self._nursery.start_soon(self._make_messages, actor)

    async def _make_messages(self, actor: "Actor") -> None:
        """One after the other: requests to this actor delay nobody else's."""
        while self.fetches and actor.open:
            fetch = self.fetches[0]
            client = connection(fetch.to)
            if actor.serves(client):
                try:
                    now = actor.hall.clock.date()
                    frame, kind = await trio.to_thread.run_sync(
                        self._make,
                        fetch,
                        now,
                        actor.hall.kind,
                        abandon_on_cancel=True,
                        limiter=actor.hall.fetching,
                    )
                except trio.Cancelled:
                    raise
                except BaseException as bug:
                    actor.fail_aside(bug, client)
                else:
                    with actor.hall.turns.turn():
                        if actor.serves(client):
                            actor.deliver(client, frame, now)
                            client.told[kind] += 1
            self.fetches.pop(0)

    def _make(self, fetch: Fetch, now: datetime, kind: Callable[[Any], type]) -> tuple[bytes, type]:
        """Make and encode a long message, in a thread; then rest, so that repeated requests do not
        take the CPU from the games."""
        started = thread_time()
        # Not with the clock of the turns, which come and go meanwhile.
        message = fetch.make()
        frame = self._codec_at(Clock(date=lambda: now)).encode(message)
        sleep(REST * (thread_time() - started))
        return frame, kind(message)
