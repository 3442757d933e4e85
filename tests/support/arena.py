"""Tournaments without programs: a pool that makes results up."""

import random
from collections.abc import Callable, Collection

import attrs
import trio

from ludothek.arena.conductor import Conductor
from ludothek.arena.entrant import Entrant, Kind
from ludothek.arena.formats.schedule import Fixture
from ludothek.arena.outcome import Finish, Outcome, Reason, Thinking
from ludothek.arena.plan import Format, Plan
from ludothek.arena.task import Task


def plan(count: int = 3, **values: object) -> Plan:
    """A small tournament; the difficulty of each entrant is its place in the list."""
    entrants = tuple(
        Entrant(name=f"Entrant {n}", kind=Kind.BOT, difficulty=n) for n in range(count)
    )
    usual = Plan(
        title="cup",
        game="hexxagon",
        settings={},
        format=Format.ROUND_ROBIN,
        players=2,
        games=4,
        seed=1,
        entrants=entrants,
    )
    return attrs.evolve(usual, **values)  # type: ignore[arg-type]


def made_up(task: Task) -> Outcome:
    """An outcome that depends on nothing but the task; smaller difficulties win more often."""
    rng = random.Random(f"{task.seed} {[entrant.name for entrant in task.entrants]}")
    merits = [round(rng.gauss(-entrant.difficulty, 1.5)) for entrant in task.entrants]
    finishes = []
    for merit in merits:
        slow = rng.random() < 0.05
        finishes.append(
            Finish(
                rank=1 + sum(other > merit for other in merits),
                points=merit,
                reason=Reason.SILENT if slow and merit < max(merits) else Reason.REGULAR,
                thinking=Thinking(moves=9, p50=0.01, p99=0.02, longest=0.03, total=0.1),
            )
        )
    return Outcome(number=task.number, finishes=tuple(finishes), seconds=rng.random())


@attrs.define
class FakePool:
    """Plays by making results up, in virtual time."""

    slots: int = 3
    answer: Callable[[Task], Outcome] = made_up
    tasks: list[Task] = attrs.field(factory=list)
    at_once: int = 0
    most_at_once: int = 0

    def has_room(self, running: Collection[Task], task: Task) -> bool:
        return len(running) < self.slots

    async def play(self, task: Task) -> Outcome:
        self.tasks.append(task)
        self.at_once += 1
        self.most_at_once = max(self.most_at_once, self.at_once)
        try:
            await trio.sleep(random.Random(task.number).random())
            return self.answer(task)
        finally:
            self.at_once -= 1

    async def __aenter__(self) -> "FakePool":
        return self

    async def __aexit__(self, *_: object) -> None:
        pass


@attrs.define
class Diary:
    """An observer that remembers."""

    ends: list[int] = attrs.field(factory=list)
    failures: list[str] = attrs.field(factory=list)
    on_end: Callable[[int], None] = lambda _: None

    def begun(self, conductor: Conductor) -> None:
        pass

    def started(self, fixture: Fixture) -> None:
        pass

    def ended(self, fixture: Fixture, outcome: Outcome) -> None:
        self.ends.append(fixture.number)
        self.on_end(len(self.ends))

    def failed(self, fixture: Fixture, failure: str) -> None:
        self.failures.append(failure)

    def say(self, text: str) -> None:
        pass
