"""Pictures of a match that is watched: none in the step itself, and one of each step."""

from typing import Any, cast

import attrs
import orjson
import pytest
import trio
from trio.testing import MockClock

from ludothek.contract.clock import Clock
from ludothek.contract.effects import Ended
from ludothek.contract.page import Page, View
from ludothek.contract.table import Stage
from ludothek.runtime.held_clock import HeldClock
from ludothek.web.events import Event
from ludothek.web.rounds import PAUSE, Rounds
from ludothek.web.watch import Watch


@attrs.define(eq=False)
class Counted:
    """Something of which a lobby has so many."""

    count: int = 1


@attrs.define(eq=False)
class FakeLobby:
    """A lobby whose table is a number; is its own hall and endpoint."""

    held: HeldClock
    value: int = 0
    journal: Counted = attrs.field(factory=Counted)
    watch: Watch | None = None
    match_id: str = "match"
    key: str = "key"
    looks: int = 0

    @property
    def table(self) -> Any:
        return self

    @property
    def hall(self) -> Any:
        return self

    def stamp(self) -> tuple[float, float]:
        return self.held.clock.time(), 0.0

    def at(self, stamp: tuple[float, float]) -> Any:
        return self.held.showing(*stamp)

    def step(self, value: int, ended: Ended | None = None) -> None:
        """As an actor takes one."""
        assert self.watch is not None
        watch = self.watch
        watch.stepping()
        self.value, self.journal.count = value, self.journal.count + 1
        watch.sent(f"said {value}")
        if ended is not None:
            watch.ended(ended)
        watch.stepped()

    def view(self, table: Any, everything: bool) -> View:
        self.looks += 1
        board = {"value": self.value, "time": self.held.clock.time()}
        return View(stage=Stage.RUNNING, players=(), move=0, board=board)


@attrs.define
class Screening:
    """A match with one viewer."""

    lobby: FakeLobby
    watch: Watch
    rounds: Rounds
    posted: list[Event] = attrs.field(factory=list)

    @property
    def seen(self) -> list[Any]:
        """The values and what was told of all positions that were posted."""
        found = []
        for event in self.posted:
            name, *_, data = event.text.decode().split("\n")[:-2]
            if name == "event: position":
                position = orjson.loads(data.removeprefix("data: "))
                told = [each["what"] for each in position["told"]]
                found.append((position["n"], position["view"]["board"]["value"], *told))
        return found


@pytest.fixture
def screening(nursery: trio.Nursery, monkeypatch: pytest.MonkeyPatch) -> Screening:
    lobby, rounds = FakeLobby(HeldClock(Clock(trio.current_time))), Rounds()
    page = Page(
        scenery=lambda table: None,
        view=lobby.view,
        tell=lambda table, message: [{"what": message}],
        files=cast("Any", None),
    )
    watch = Watch(nursery, rounds, cast("Any", (lobby, lobby)), page)
    lobby.watch = watch
    made = Screening(lobby, watch, rounds)
    monkeypatch.setattr(watch.broadcast, "post", made.posted.append)
    return made


async def test_a_picture_is_not_made_in_the_step_whose_answers_wait(
    screening: Screening, autojump_clock: MockClock, nursery: trio.Nursery
) -> None:
    looks = screening.lobby.looks
    screening.lobby.step(7)
    assert screening.lobby.looks == looks
    assert not screening.posted
    nursery.start_soon(screening.rounds.run)
    await trio.sleep(PAUSE)
    assert screening.seen == [(2, 7, "said 7")]
    nursery.cancel_scope.cancel()


async def test_every_step_has_its_picture_however_soon_the_next_one_follows(
    screening: Screening, autojump_clock: MockClock, nursery: trio.Nursery
) -> None:
    for value in range(3):
        screening.lobby.step(value)
    nursery.start_soon(screening.rounds.run)
    await trio.sleep(PAUSE)
    assert screening.seen == [(2, 0, "said 0"), (3, 1, "said 1"), (4, 2, "said 2")]
    nursery.cancel_scope.cancel()


async def test_a_picture_shows_the_clocks_as_they_were_in_the_step(
    screening: Screening, autojump_clock: MockClock
) -> None:
    began = trio.current_time()
    screening.lobby.step(7)
    await trio.sleep(5)
    position = orjson.loads(screening.watch.position)
    assert position["view"]["board"] == {"value": 7, "time": began}
    assert screening.lobby.held.clock.time() == began + 5


async def test_whoever_comes_between_a_step_and_its_picture_sees_the_step(
    screening: Screening,
) -> None:
    screening.lobby.step(7)
    assert orjson.loads(screening.watch.position)["n"] == 2
    assert screening.seen == [(2, 7, "said 7")]
    screening.watch.develop()
    assert len(screening.posted) == 1  # which is made once


async def test_the_last_step_is_shown_before_the_end(screening: Screening) -> None:
    screening.lobby.step(6)
    screening.lobby.step(7, Ended(players=(), winner=None, reason="regular", moves=2))
    assert screening.seen == [(2, 6, "said 6"), (3, 7, "said 7", "ended")]
    assert b"event: over" in screening.posted[-1].text
    assert screening.lobby.watch is None


async def test_a_game_that_cannot_be_shown_ends_its_watch_once(
    screening: Screening, monkeypatch: pytest.MonkeyPatch
) -> None:
    screening.lobby.step(6)
    monkeypatch.setattr(FakeLobby, "held", property(lambda lobby: 1 / 0), raising=False)
    screening.watch.develop()
    screening.watch.develop()
    assert [b"event: over" in each.text for each in screening.posted] == [True]
    assert screening.lobby.watch is None
