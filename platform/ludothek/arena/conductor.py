"""Conducts a tournament: has its games played, and writes down how they end."""

import enum
from collections import Counter
from collections.abc import Iterator
from math import inf
from typing import Protocol

import attrs
import trio

from ludothek.arena.database import CannotWrite, Database
from ludothek.arena.formats.schedule import Fixture, Schedule
from ludothek.arena.outcome import Outcome, shares
from ludothek.arena.plan import Plan
from ludothek.arena.pool import Pool, PoolLost
from ludothek.arena.task import Task

# How often a game is tried that fails through our fault; seconds before the next time.
ATTEMPTS, PAUSE = 3, 1.0

# Failures in a row, of any games, after which something is wrong with this machine.
HOPELESS = 10


class Completion(enum.Enum):
    """Why there are no more games."""

    COMPLETE = "all games are played"
    STOPPED = "interrupted"
    FAILED = "failed"


class Observer(Protocol):
    """Is told about the progress of a tournament."""

    def begun(self, conductor: "Conductor") -> None: ...

    def started(self, fixture: Fixture) -> None: ...

    def ended(self, fixture: Fixture, outcome: Outcome) -> None: ...

    def failed(self, fixture: Fixture, failure: str) -> None: ...

    def say(self, text: str) -> None: ...


@attrs.define
class Conductor:
    """Plays the games of a plan that are not in the database yet."""

    plan: Plan
    database: Database
    pool: Pool
    observer: Observer
    schedule: Schedule = attrs.field(init=False)
    outcomes: dict[int, Outcome] = attrs.field(init=False)
    results: dict[int, tuple[float, ...]] = attrs.field(init=False)
    trouble: str | None = attrs.field(init=False, default=None)  # why it has failed
    _running: dict[int, Fixture] = attrs.field(init=False, factory=dict)
    _attempts: Counter[int] = attrs.field(init=False, factory=Counter)
    _in_a_row: int = attrs.field(init=False, default=0)
    _stopping: bool = attrs.field(init=False, default=False)
    _games: trio.CancelScope = attrs.field(init=False, factory=trio.CancelScope)
    _changed: trio.Event = attrs.field(init=False, factory=trio.Event)

    def __attrs_post_init__(self) -> None:
        self.schedule = self.plan.schedule()
        self.outcomes = self.database.outcomes()
        self.results = {
            number: shares(outcome.finishes) for number, outcome in self.outcomes.items()
        }

    @property
    def running(self) -> int:
        return len(self._running)

    @property
    def played(self) -> int:
        """Games that are over and count."""
        return sum(f.number in self.results for f in self.schedule.fixtures(self.results))

    def stop(self) -> None:
        """Begin no more games; those that are running are finished."""
        self._stopping = True
        self._notice()

    def give_up(self) -> None:
        """End all games at once; they are played again another time."""
        self.stop()
        self._games.cancel()

    async def run(self) -> Completion:
        """Play until nothing is left to do, or until stopped."""
        self.observer.begun(self)
        with self._games:
            async with trio.open_nursery() as nursery:
                while True:
                    self._changed = trio.Event()
                    for fixture in self._startable():
                        self._running[fixture.number] = fixture
                        nursery.start_soon(self._play, fixture)
                    if not self._running:
                        break
                    await self._changed.wait()
        if self.trouble is not None:
            return Completion.FAILED
        complete = all(f.number in self.results for f in self.schedule.fixtures(self.results))
        if complete:
            return Completion.COMPLETE
        if self._stopping:
            return Completion.STOPPED
        number = next(number for number, count in self._attempts.items() if count >= ATTEMPTS)
        failure = self.database.failures()[-1]["failure"]
        self.trouble = f"game {number} failed {ATTEMPTS} times, through our fault: {failure}"
        return Completion.FAILED

    def _startable(self) -> list[Fixture]:
        """The games to begin now."""
        return [] if self._stopping else [*self._due()]

    def _due(self) -> Iterator[Fixture]:
        most = self.plan.concurrency or inf
        busy = [self._task(fixture) for fixture in self._running.values()]
        remote = any(self.plan.is_remote(fixture) for fixture in self._running.values())
        for fixture in self.schedule.fixtures(self.results):
            if len(busy) >= most:
                return
            number = fixture.number
            if number in self.results or number in self._running:
                continue
            if self._attempts[number] >= ATTEMPTS:
                continue
            if self.plan.is_remote(fixture):
                if remote:  # a client from elsewhere plays one game at a time
                    continue
                remote = True
            task = self._task(fixture)
            if not self.pool.has_room(busy, task):
                return
            busy.append(task)
            yield fixture

    def _task(self, fixture: Fixture) -> Task:
        folder, files = str(self.database.folder), map(str, self.database.files)
        return self.plan.task(fixture, folder, self._attempts[fixture.number], files)

    async def _play(self, fixture: Fixture) -> None:
        number = fixture.number
        try:
            if attempt := self._attempts[number]:
                await trio.sleep(PAUSE * attempt)
                if self._stopping:
                    return
            self._attempts[number] += 1
            self.observer.started(fixture)
            outcome = await self.pool.play(self._task(fixture))
            self._note(fixture, outcome)
        except PoolLost as lost:
            self._fail(str(lost))
        except CannotWrite as error:
            self._fail(str(error))
        finally:
            del self._running[number]
            self._notice()

    def _note(self, fixture: Fixture, outcome: Outcome) -> None:
        number = fixture.number
        if outcome.failure is None and len(outcome.finishes) != len(fixture.seats):
            outcome = Outcome(number=number, failure="the pool's answer does not fit the game")
        if outcome.failure is not None:
            self.database.add_failure(number, self._attempts[number], outcome.failure)
            self.observer.failed(fixture, outcome.failure)
            self._in_a_row += 1
            if self._in_a_row >= max(HOPELESS, 2 * self.pool.slots):
                self._fail(f"{self._in_a_row} failures of ours in a row: {outcome.failure}")
            return
        self.database.add(self.plan, fixture, outcome)
        self._in_a_row = 0
        del self._attempts[number]
        self.outcomes[number] = outcome
        self.results[number] = shares(outcome.finishes)
        self.observer.ended(fixture, outcome)

    def _fail(self, trouble: str) -> None:
        if self.trouble is None:
            self.trouble = trouble
        self.give_up()

    def _notice(self) -> None:
        self._changed.set()
