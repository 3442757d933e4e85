"""The verdict on a client: clause by clause, and situation by situation."""

import enum
from collections.abc import Iterator, Mapping, Sequence

import attrs

from ludothek.check.transcript import Incident
from ludothek.check.trial import Trial
from ludothek.contract.clauses import EVERY_MESSAGE, Clause
from ludothek.contract.game import Game
from ludothek.contract.reach import bound_messages, is_reached
from ludothek.observe.coverage import UNREADABLE


class Status(enum.StrEnum):
    """What a check says about a clause."""

    KEPT = "kept"
    BROKEN = "broken"
    NOT_REACHED = "not reached"


@attrs.frozen
class Evidence:
    """A breach, and where it happened."""

    trial: Trial
    incident: Incident


@attrs.frozen
class ClauseVerdict:
    """About one clause."""

    clause: Clause
    status: Status
    evidence: Sequence[Evidence] = ()  # also of breaches that are not held against the client
    why: str = ""  # it was not reached


@attrs.frozen
class Verdict:
    """About a client."""

    game: Game
    command: Sequence[str]  # empty: the client came by itself
    seed: int
    trials: Sequence[Trial]
    clauses: Sequence[ClauseVerdict]
    absent: Mapping[str, str]  # situations that the game does not have, and why
    complete: bool  # all situations were tried that were asked for
    left_out: Sequence[str] = ()  # names of those that nobody asked for

    def of(self, status: Status) -> list[ClauseVerdict]:
        return [each for each in self.clauses if each.status is status]

    @property
    def failures(self) -> list[Trial]:
        """Situations in which the check itself has failed."""
        return [trial for trial in self.trials if trial.failure]

    @property
    def not_run(self) -> bool:
        """Whether the check says nothing: it has failed, or no client was there."""
        absent = (trial.hopeless and not trial.broken for trial in self.trials)
        return bool(self.failures) or all(absent)

    @property
    def failed(self) -> bool:
        """Whether the client has broken something, or did not come through."""
        return any(not trial.passed for trial in self.trials)

    @property
    def passed(self) -> bool:
        """Whether it came through everything that was asked for, and has broken nothing."""
        return self.complete and bool(self.trials) and not self.failed

    @property
    def word(self) -> str:
        """What to call it."""
        if self.failed:
            return "failed"
        return "passed" if self.passed else "incomplete"


def judge(game: Game, trials: Sequence[Trial]) -> Iterator[ClauseVerdict]:
    """The verdict on each clause, in their order."""
    bound = bound_messages(game)
    # Whoever has sent nothing that can be read has not kept the rest by it.
    sent = {name for trial in trials for name in trial.messages} - {UNREADABLE}
    known = dict(game.clauses)
    for trial in trials:  # of a game that does not list all its clauses
        known |= {each.breach.clause.id: each.breach.clause for each in trial.incidents}
    for clause in known.values():
        evidence = [
            Evidence(trial, each)
            for trial in trials
            for each in trial.incidents
            if each.breach.clause.id == clause.id
        ]
        if any(not each.incident.tolerated for each in evidence):
            yield ClauseVerdict(clause, Status.BROKEN, evidence)
        elif evidence or is_reached(clause, bound.get(clause.id, ()), sent):
            yield ClauseVerdict(clause, Status.KEPT, evidence)
        else:
            why = _why(clause, bound.get(clause.id, ()))
            yield ClauseVerdict(clause, Status.NOT_REACHED, why=why)


def _why(clause: Clause, bound: tuple[str, ...]) -> str:
    if clause.unseen:
        return f"no message can break it: {clause.unseen}"
    if clause.rare:
        return clause.rare
    if bound == EVERY_MESSAGE:
        return "the client has sent nothing that can be read"
    if bound:
        return f"the client has never sent {' or '.join(bound)}"
    return "only a client that breaks it shows that it was in this situation"
