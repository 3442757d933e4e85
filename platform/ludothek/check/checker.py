"""Takes a client through one situation after another."""

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
from transports import BUGS, Poller, open_poller

log = structlog.get_logger()


@attrs.frozen
class Onlooker:
    """Whoever wants to know how it goes."""

    began: Callable[[Situation], None] = lambda situation: None
    ended: Callable[[Trial], None] = lambda trial: None
    # A client may connect at that port, and join that lobby.
    listens: Callable[[int, str], None] = lambda port, lobby: None


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
    complete: bool = False  # all situations were tried

    async def run(self) -> None:
        """Try all situations; what is there when this is cancelled is in `trials`."""
        await Thinker(()).wake(self.game.name)  # whose start is not to cost a strong opponent time
        async with open_poller() as poller:
            for number, situation in enumerate(self.situations):
                self.observer.began(situation)
                trial = await self._try(self._examination(number, situation), poller)
                self._note(trial)
                if trial.hopeless and not number:
                    return  # it would not come the next time either
        self.complete = True

    async def _try(self, examination: Examination, poller: Poller | None) -> Trial:
        scratch = Path(tempfile.mkdtemp(prefix="ludothek-check-"))
        try:
            return await self._examine(Proctor(examination, scratch, poller, self._listens))
        except BUGS as bug:
            situation = examination.situation
            log.debug("a check has failed", situation=situation.name, exc_info=bug)
            seat = examination.seat + 1
            return Trial(situation=situation, seat=seat, seed=self.seed, failure=words(bug))
        finally:
            shutil.rmtree(scratch, ignore_errors=True)

    async def _examine(self, proctor: Proctor) -> Trial:
        ended = False
        try:
            trial = await proctor.examine()
            ended = True
            return trial
        finally:
            if not ended and (trial := proctor.interrupted()).broken:
                self._note(trial)

    def _note(self, trial: Trial) -> None:
        self.trials.append(trial)
        self.observer.ended(trial)

    def _listens(self, port: int, lobby: str) -> None:
        self.port = port  # for the next situations as well
        self.observer.listens(port, lobby)

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
            complete=self.complete,
            left_out=self._left_out,
        )

    @property
    def _left_out(self) -> tuple[str, ...]:
        chosen = {each.name for each in self.situations}
        return tuple(each.name for each in situations_of(self.game) if each.name not in chosen)


def find_situations(game: Game, names: Sequence[str]) -> list[Situation]:
    """The situations of these names, or all; raises KeyError with an unknown name."""
    every = {each.name: each for each in situations_of(game)}
    return [every[name] for name in names] if names else [*every.values()]
