"""The conductor: what is played, what is repeated, and where a tournament goes on."""

import random
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
import trio
import trio.testing

from ludothek.arena.conductor import ATTEMPTS, Completion, Conductor
from ludothek.arena.database import CannotWrite, Database, open_to_write
from ludothek.arena.entrant import Entrant, Kind
from ludothek.arena.findings.findings import find
from ludothek.arena.formats.schedule import Fixture
from ludothek.arena.outcome import Finish, Outcome
from ludothek.arena.plan import Format, Plan
from ludothek.arena.pool import PoolLost
from ludothek.arena.stats.sprt import Decision, Sprt
from ludothek.arena.task import Task
from tests.support.arena import Diary, FakePool, made_up, plan

PLANS = {
    "round robin": plan(4),
    "four at a table": plan(6, game="qwirkle", players=4, games=4, groups=7),
    "gauntlet": plan(4, format=Format.GAUNTLET, challenger=2),
    "swiss": plan(7, format=Format.SWISS, rounds=4, games=2),
    "knockout": plan(6, format=Format.KNOCKOUT, games=2, tie_breaks=2),
    "sprt": plan(2, format=Format.SPRT, games=400, sprt=Sprt(elo0=0, elo1=150)),
}


async def conduct(
    planned: Plan, path: Path, pool: FakePool | None = None, diary: Diary | None = None
) -> tuple[Completion, Conductor]:
    with open_to_write(path, planned) as database:
        conductor = Conductor(planned, database, pool or FakePool(), diary or Diary())
        return await conductor.run(), conductor


@pytest.mark.parametrize("name", PLANS)
async def test_every_game_is_played_once(
    autojump_clock: trio.testing.MockClock, name: str, tmp_path: Path
) -> None:
    pool = FakePool()
    ending, conductor = await conduct(PLANS[name], tmp_path / "arena.db", pool)
    assert ending is Completion.COMPLETE
    assert conductor.played == conductor.schedule.size(conductor.results)
    assert set(Counter(task.number for task in pool.tasks).values()) == {1}
    assert pool.most_at_once == 3
    if name != "sprt":
        assert len(pool.tasks) == conductor.played


@pytest.mark.parametrize("name", PLANS)
async def test_interrupted_five_times_it_ends_with_the_same_table(
    autojump_clock: trio.testing.MockClock, name: str, tmp_path: Path
) -> None:
    _, straight = await conduct(PLANS[name], tmp_path / "straight.db")
    rng = random.Random(name)
    for interruption in range(60):
        pool = FakePool(slots=1 + interruption % 4)
        with open_to_write(tmp_path / "broken.db", PLANS[name]) as database:
            conductor = Conductor(PLANS[name], database, pool, Diary())
            with trio.move_on_after(rng.random() * 3 if interruption < 5 else 1e6) as scope:
                ending = await conductor.run()
        if not scope.cancelled_caught:
            break
    assert ending is Completion.COMPLETE
    if name == "sprt":  # how many games run beside the last one differs
        assert conductor.played == straight.played
    else:
        assert conductor.outcomes == straight.outcomes
    mine, theirs = (find(PLANS[name], each.outcomes) for each in (conductor, straight))
    assert mine == theirs


async def test_the_first_stop_lets_games_end(
    autojump_clock: trio.testing.MockClock, tmp_path: Path
) -> None:
    planned, pool = plan(5), FakePool()
    with open_to_write(tmp_path / "arena.db", planned) as database:
        diary = Diary()
        conductor = Conductor(planned, database, pool, diary)
        diary.on_end = lambda count: conductor.stop() if count == 4 else None
        assert await conductor.run() is Completion.STOPPED
        assert len(database.outcomes()) == len(pool.tasks) == 6  # two more were running
    ending, _ = await conduct(planned, tmp_path / "arena.db", pool)
    assert ending is Completion.COMPLETE
    assert len(pool.tasks) == 40


async def test_giving_up_leaves_running_games_for_later(
    autojump_clock: trio.testing.MockClock, tmp_path: Path
) -> None:
    planned, pool = plan(5), FakePool()
    with open_to_write(tmp_path / "arena.db", planned) as database:
        diary = Diary()
        conductor = Conductor(planned, database, pool, diary)
        diary.on_end = lambda count: conductor.give_up() if count == 4 else None
        assert await conductor.run() is Completion.STOPPED
        assert len(database.outcomes()) == 4
    assert pool.at_once == 0


async def test_a_game_that_is_to_be_repeated_is_not_begun_after_a_stop(
    autojump_clock: trio.testing.MockClock, tmp_path: Path
) -> None:
    planned, pool = plan(2), FakePool(slots=1, answer=failing(1))
    with open_to_write(tmp_path / "arena.db", planned) as database:
        conductor = Conductor(planned, database, pool, Diary())
        async with trio.open_nursery() as nursery:
            nursery.start_soon(conductor.run)
            await trio.sleep(0.5)  # the first game takes less, and the pause after it more
            assert len(database.failures()) == 1
            conductor.stop()
    assert len(pool.tasks) == 1


def failing(times: int, only: int | None = None) -> Callable[[Task], Outcome]:
    counts: Counter[int] = Counter()

    def answer(task: Task) -> Outcome:
        counts[task.number] += 1
        assert task.attempt == counts[task.number]
        if counts[task.number] <= times and only in (None, task.number):
            return Outcome(number=task.number, failure="no descriptors left")
        return made_up(task)

    return answer


async def test_a_failure_of_ours_is_repeated_and_does_not_count(
    autojump_clock: trio.testing.MockClock, tmp_path: Path
) -> None:
    _, straight = await conduct(plan(), tmp_path / "straight.db")
    diary = Diary()
    pool = FakePool(answer=failing(ATTEMPTS - 1, only=3))
    ending, conductor = await conduct(plan(), tmp_path / "arena.db", pool, diary)
    assert ending is Completion.COMPLETE
    assert conductor.outcomes == straight.outcomes
    assert diary.failures == ["no descriptors left"] * (ATTEMPTS - 1)


async def test_a_game_that_always_fails_leaves_the_others(
    autojump_clock: trio.testing.MockClock, tmp_path: Path
) -> None:
    pool = FakePool(answer=failing(99, only=3))
    ending, conductor = await conduct(plan(), tmp_path / "arena.db", pool)
    assert ending is Completion.FAILED
    assert conductor.trouble == ("game 3 failed 3 times, through our fault: no descriptors left")
    assert {*range(1, 13)} - {*conductor.outcomes} == {3}
    ending, _ = await conduct(plan(), tmp_path / "arena.db")
    assert ending is Completion.COMPLETE


async def test_if_everything_fails_it_ends(
    autojump_clock: trio.testing.MockClock, tmp_path: Path
) -> None:
    pool = FakePool(answer=failing(99))
    ending, conductor = await conduct(plan(9), tmp_path / "arena.db", pool)
    assert ending is Completion.FAILED
    assert conductor.trouble is not None
    assert "10 failures of ours in a row: no descriptors left" in conductor.trouble
    assert len(pool.tasks) < 15


async def test_an_answer_of_the_wrong_shape_is_a_failure(
    autojump_clock: trio.testing.MockClock, tmp_path: Path
) -> None:
    pool = FakePool(answer=lambda task: Outcome(number=task.number, finishes=(Finish(rank=1),)))
    ending, conductor = await conduct(plan(2), tmp_path / "arena.db", pool)
    assert ending is Completion.FAILED
    assert not conductor.outcomes


async def test_a_lost_pool_ends_it_and_it_can_go_on(
    autojump_clock: trio.testing.MockClock, tmp_path: Path
) -> None:
    def lost(task: Task) -> Outcome:
        if task.number == 7:
            raise PoolLost("the scheduler is gone")
        return made_up(task)

    ending, conductor = await conduct(plan(4), tmp_path / "arena.db", FakePool(answer=lost))
    assert (ending, conductor.trouble) == (Completion.FAILED, "the scheduler is gone")
    ending, _ = await conduct(plan(4), tmp_path / "arena.db")
    assert ending is Completion.COMPLETE


async def test_a_full_disk_ends_it_and_it_can_go_on(
    autojump_clock: trio.testing.MockClock, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    add = Database.add

    def full(self: Database, planned: Plan, fixture: Fixture, outcome: Outcome) -> None:
        if len(self.outcomes()) == 5:
            raise CannotWrite("database or disk is full")
        add(self, planned, fixture, outcome)

    monkeypatch.setattr(Database, "add", full)
    ending, conductor = await conduct(plan(4), tmp_path / "arena.db")
    assert (ending, conductor.trouble) == (Completion.FAILED, "database or disk is full")
    monkeypatch.setattr(Database, "add", add)
    ending, conductor = await conduct(plan(4), tmp_path / "arena.db")
    assert ending is Completion.COMPLETE
    assert len(conductor.outcomes) == 24


async def test_a_client_from_elsewhere_plays_one_game_at_a_time(
    autojump_clock: trio.testing.MockClock, tmp_path: Path
) -> None:
    far = Entrant(name="Far", kind=Kind.REMOTE)
    planned = plan(4, port=4444)
    planned = plan(4, port=4444, entrants=(far, *planned.entrants[1:]))
    at_once = 0

    class Counting(FakePool):
        async def play(self, task: Task) -> Outcome:
            nonlocal at_once
            remote = far in task.entrants
            assert task.port == (4444 if remote else 0)
            at_once += remote
            assert at_once <= 1
            try:
                return await super().play(task)
            finally:
                at_once -= remote

    ending, _ = await conduct(planned, tmp_path / "arena.db", Counting())
    assert ending is Completion.COMPLETE


async def test_the_plan_can_ask_for_fewer_games_at_once(
    autojump_clock: trio.testing.MockClock, tmp_path: Path
) -> None:
    pool = FakePool(slots=9)
    await conduct(plan(concurrency=2), tmp_path / "arena.db", pool)
    assert pool.most_at_once == 2


async def test_more_games_per_pairing_go_on_where_it_ended(
    autojump_clock: trio.testing.MockClock, tmp_path: Path
) -> None:
    await conduct(plan(), tmp_path / "arena.db")
    pool = FakePool()
    _, conductor = await conduct(plan(games=10), tmp_path / "arena.db", pool)
    assert len(pool.tasks) == 18
    _, straight = await conduct(plan(games=10), tmp_path / "straight.db")
    assert conductor.outcomes == straight.outcomes


@pytest.mark.parametrize(("better", "verdict"), [(3, Decision.H1), (0, Decision.H0)])
async def test_a_sequential_test_finds_out(
    autojump_clock: trio.testing.MockClock, tmp_path: Path, better: int, verdict: Decision
) -> None:
    wrong = 0
    for seed in range(20):
        one = Entrant(name="v2", kind=Kind.BOT, difficulty=0)
        two = Entrant(name="v1", kind=Kind.BOT, difficulty=better)
        planned = plan(
            2,
            format=Format.SPRT,
            games=4000,
            sprt=Sprt(elo0=0, elo1=200),
            seed=seed,
            entrants=(one, two),
        )
        _, conductor = await conduct(planned, tmp_path / f"{seed}.db", FakePool(slots=4))
        findings = find(planned, conductor.outcomes)
        assert findings.trial is not None
        wrong += findings.trial.verdict is not verdict
    assert wrong <= 4  # one is expected
