"""Ten clients of each game with one mistake each: a check names the right clause, and no other."""

import attrs
import pytest
import trio
from trio.testing import MockClock

from ludothek.check.verdict import Status, judge
from ludothek.contract import registry
from ludothek.contract.clock import Clock
from ludothek.contract.codec import Codec, Malformed
from ludothek.contract.game import Game
from ludothek.contract.situation import Situation
from tests.check.mistakes import MISTAKES, Mistake
from tests.check.remote import led_through
from tests.support.helpers import unhurried_clock
from transports import Frame, Link


@pytest.fixture
def clock() -> MockClock:
    return unhurried_clock()


@attrs.define
class Clumsy:
    """A link whose player makes a mistake once, and does not hear what the server says of it."""

    link: Link
    mistake: Mistake
    game: Game
    codec: Codec
    refused: trio.CancelScope = attrs.field(factory=trio.CancelScope)  # cancelled upon refusal
    made: bool = False

    async def receive(self) -> Frame:
        while True:
            frame = await self.link.receive()
            if not (self.made and isinstance(frame, bytes) and self._is_refusal(frame)):
                return frame
            self.refused.cancel()

    async def send(self, frame: bytes) -> None:
        if not self.made and self._is_the_moment(frame):
            self.made = True
            await self.link.send(self.mistake.spoil(frame))
            if self.mistake.final:
                return
        await self.link.send(frame)

    def _is_refusal(self, frame: bytes) -> bool:
        return self.game.clauses.refuses(self.codec.decode(frame))

    def _is_the_moment(self, frame: bytes) -> bool:
        message = self.codec.decode_request(frame)
        name = "" if isinstance(message, Malformed) else self.game.clauses.name(message)
        return name == self.mistake.before or name.startswith(f"{self.mistake.before} ")


def meets(game: Game, mistake: Mistake) -> Situation:
    """What a client with that mistake is led through."""
    settings = game.situations.settings
    return Situation(name=mistake.clause, about="One mistake.", settings=settings, decisions=4)


@pytest.mark.parametrize("name", MISTAKES)
async def test_each_mistake_breaks_its_clause_and_no_other(name: str, clock: MockClock) -> None:
    game, mistakes = registry.load(name), MISTAKES[name]
    codec = game.codec(Clock(), game.settings())
    animals = [meets(game, each) for each in mistakes]
    checker = await led_through(
        game, animals, lambda number, link: Clumsy(link, mistakes[number], game, codec), seat=0
    )
    assert len(mistakes) >= 10
    assert [trial.failure for trial in checker.trials] == [""] * len(mistakes)
    broken = {
        trial.situation.name: [
            each.clause.id for each in judge(game, [trial]) if each.status is Status.BROKEN
        ]
        for trial in checker.trials
    }
    assert broken == {each.clause: [each.clause] for each in mistakes}


async def test_what_was_broken_when_somebody_ended_the_check_is_reported(clock: MockClock) -> None:
    game = registry.load("hexxagon")
    codec = game.codec(Clock(), game.settings())
    mistake = attrs.evolve(MISTAKES["hexxagon"][-1], final=True)  # upon which it waits
    refused = trio.CancelScope()
    checker = await led_through(
        game,
        [meets(game, mistake)],
        lambda _, link: Clumsy(link, mistake, game, codec, refused),
        seat=0,
        until=refused,
    )
    verdict = checker.verdict()
    (trial,) = verdict.trials
    assert (trial.broken_clauses, trial.problem) == ([mistake.clause], "")
    assert not verdict.complete
    assert not verdict.passed
