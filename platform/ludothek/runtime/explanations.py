"""Which clauses a client has broken, for the log, for organisers and for its author."""

from collections import deque
from collections.abc import Iterator
from datetime import datetime

import attrs
import structlog

from ludothek.contract.clauses import Breach, Consequence
from ludothek.contract.frozen import frozen

log = structlog.get_logger()

# As many as help to find a mistake; a client that is wrong all the time repeats itself.
LATEST = 5
# Clients that are gone and of which that is remembered: those that were sent away for it are the
# ones whose authors ask.
GONE = 50
# Of one client; more of them are logged only with `-v`.
LOGGED = 10


@frozen
class Explanation:
    """One of them."""

    date: datetime
    breach: Breach
    consequence: Consequence

    def log(self, loud: bool) -> None:
        level = log.info if loud else log.debug
        level(self.consequence.value, clause=self.breach.clause.id, reason=self.breach.reason)


@attrs.define(eq=False)
class Explanations:
    """How many messages of one client were refused, and why the latest ones were."""

    count: int = 0
    latest: deque[Explanation] = attrs.field(factory=lambda: deque(maxlen=LATEST))
    # Apart from the others: a client that is late all the time must not push out its strikes.
    tolerated: deque[Explanation] = attrs.field(factory=lambda: deque(maxlen=LATEST))

    def add(self, explanation: Explanation) -> None:
        if explanation.consequence.tolerated:
            self.tolerated.append(explanation)
        else:
            self.count += 1
            self.latest.append(explanation)

    def __iter__(self) -> Iterator[Explanation]:
        """All that are remembered, the oldest first."""
        yield from sorted((*self.latest, *self.tolerated), key=lambda each: each.date)

    def is_loud(self, latest: Explanation) -> bool:
        """Whether it is logged without `-v`; what is tolerated is a client's habit."""
        return not latest.consequence.tolerated and self.count <= LOGGED


@attrs.frozen(kw_only=True)
class RefusedClient:
    """A client that is gone, and which clauses it has broken."""

    number: int
    key: str
    name: str
    peer: str
    explanations: Explanations


class RefusedClients(deque[RefusedClient]):
    """The latest clients of an endpoint that have broken a clause and are gone."""

    def __init__(self) -> None:
        super().__init__(maxlen=GONE)
