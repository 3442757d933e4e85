"""Leads a client through one situation after another."""

import shutil
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

import attrs
import structlog

from ludothek.arena.bounds import Bounds
from ludothek.arena.entrant import Entrant, Kind
from ludothek.arena.thinkers import Thinker
from ludothek.check.proctor import Examination, Proctor
from ludothek.check.situations import absent, situations_of
from ludothek.check.trial import Trial
from ludothek.check.verdict import Verdict, judge
from ludothek.contract.game import Game
from ludothek.contract.situation import Situation
from ludothek.kit.reports import words
from transports import BUGS, open_poller

log = structlog.get_logger()


@attrs.frozen
class Onlooker:
    """Whoever wants to know how it goes."""

    began: Callable[[Situation], None] = lambda situation: None
    ended: Callable[[Trial], None] = lambda trial: None
    listens: Callable[[int], None] = lambda port: None  # a client may connect at that port


@attrs.define(kw_only=True)
class Checker:
    """Checks one client."""

    game: Game
    command: tuple[str, ...]  # empty: wait for a client
    situations: Sequence[Situation]
    seed: int = 1
    seat: int | None = None  # from 0; None: a different one from time to time
    bounds: Bounds = attrs.field(factory=Bounds)
    host: str = "127.0.0.1"
    port: int = 0
    observer: Onlooker = attrs.field(factory=Onlooker)
    trials: list[Trial] = attrs.field(factory=list)

    async def run(self) -> None:
        """Try all situations; what is there when this is cancelled is in `trials`."""
        await Thinker(()).wake(self.game.name)  # whose start is not to cost a strong opponent time
        async with open_poller() as poller:
            for number, situation in enumerate(self.situations):
                self.observer.began(situation)
                scratch = Path(tempfile.mkdtemp(prefix="ludothek-check-"))
                try:
                    proctor = Proctor(
                        self._examination(number, situation), scratch, poller, self._listens
                    )
                    trial = await proctor.examine()
                except BUGS as bug:
                    log.debug("a check has failed", situation=situation.name, exc_info=bug)
                    seat = self._seat(number, situation) + 1
                    trial = Trial(
                        situation=situation, seat=seat, seed=self.seed, failure=words(bug)
                    )
                finally:
                    shutil.rmtree(scratch, ignore_errors=True)
                self.trials.append(trial)
                self.observer.ended(trial)

    def _listens(self, port: int) -> None:
        self.port = port  # for the next situations as well
        self.observer.listens(port)

    def _seat(self, number: int, situation: Situation) -> int:
        players = situation.players or self.game.players
        return (number if self.seat is None else self.seat) % players

    def _examination(self, number: int, situation: Situation) -> Examination:
        kind = Kind.COMMAND if self.command else Kind.REMOTE
        return Examination(
            game=self.game.name,
            situation=situation,
            candidate=Entrant(
                name="Candidate",
                kind=kind,
                command=self.command,
                difficulty=len(self.game.difficulties) - 1,  # our own bots need no time for it
            ),
            seat=self._seat(number, situation),
            seed=self.seed,
            bounds=self.bounds,
            host=self.host,
            port=self.port,
        )

    def verdict(self) -> Verdict:
        """What is known until now."""
        return Verdict(
            game=self.game,
            command=self.command,
            seed=self.seed,
            trials=tuple(self.trials),
            clauses=tuple(judge(self.game, self.trials)),
            absent=absent(self.game),
            complete=len(self.trials) == len(self.situations),
        )


def find_situations(game: Game, names: Sequence[str]) -> list[Situation]:
    """The situations of these names, or all; raises KeyError with the name that there is not."""
    every = {each.name: each for each in situations_of(game)}
    return [every[name] for name in names] if names else [*every.values()]


async def check(checker: Checker) -> Verdict:
    """The verdict on a client, in one go."""
    await checker.run()
    return checker.verdict()
