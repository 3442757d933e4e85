"""How a client fared in one situation."""

from collections.abc import Mapping, Sequence

import attrs

from ludothek.arena.outcome import Reason
from ludothek.check.transcript import Incident
from ludothek.contract.situation import Situation


@attrs.frozen(kw_only=True)
class Trial:
    """What was seen; plain data."""

    situation: Situation
    seat: int  # from 1; 0 if the client had none
    seed: int
    seconds: float = 0.0
    problem: str = ""  # in a word: crashed, silent, …; empty if it came through
    words: str = ""  # the same in a sentence
    remarks: Sequence[str] = ()  # what is not a problem
    failure: str = ""  # of the check itself, not of the client
    incidents: Sequence[Incident] = ()
    messages: Mapping[str, int] = attrs.field(factory=dict)  # what it has sent, by name
    output: str = ""  # the end of what the client has printed

    @property
    def broken(self) -> list[Incident]:
        """Breaches that count."""
        return [each for each in self.incidents if not each.tolerated]

    @property
    def broken_clauses(self) -> list[str]:
        """Their ids, each once."""
        return [*dict.fromkeys(each.breach.clause.id for each in self.broken)]

    @property
    def hopeless(self) -> bool:
        """Whether the client was never there."""
        return self.problem in (Reason.NOT_STARTED, Reason.NEVER_CONNECTED)

    @property
    def passed(self) -> bool:
        return not (self.problem or self.failure or self.broken)
