"""Why the messages of a client were refused, for organisers."""

from collections import deque
from datetime import datetime

import attrs

# As many as help to find a mistake; a client that is wrong all the time repeats itself.
LATEST = 5
# Clients that are gone and of which that is remembered: those that were sent away for it are the
# ones whose authors ask.
GONE = 50
# Reasons quote what clients have sent.
MAX_REASON = 200


@attrs.frozen
class Explanation:
    """One of them."""

    date: datetime
    reason: str


@attrs.define(eq=False)
class Explanations:
    """How many messages of one client were refused, and why the latest ones were."""

    count: int = 0
    latest: deque[Explanation] = attrs.field(factory=lambda: deque(maxlen=LATEST))

    def add(self, reason: str, date: datetime) -> None:
        self.count += 1
        if len(reason) > MAX_REASON:
            reason = f"{reason[: MAX_REASON - 1]}…"
        self.latest.append(Explanation(date, reason))


@attrs.frozen(kw_only=True)
class Refused:
    """A client that is gone, and why its latest messages were refused."""

    number: int
    key: str
    name: str
    peer: str
    explanations: Explanations


class RefusedClients(deque[Refused]):
    """The latest clients of an endpoint that were refused something and are gone."""

    def __init__(self) -> None:
        super().__init__(maxlen=GONE)
