"""How much a peer says; no I/O, and time is passed in."""

from collections.abc import Callable

import attrs

from transports.complaint import Complaint

# Messages that may come at once although nothing is left, and only have to wait. Who plays, however
# fast, waits for answers; who has sent more than this meanwhile does not want any.
SLACK = 8

# The same for the work that they are, in messages: some are long, and a few pings may come along.
WORK_SLACK = 80


@attrs.frozen
class Rate:
    """So much per second in the long run, and so much at once after a quiet time."""

    per_second: float
    burst: float


class Bucket:
    """Something that may be taken at a rate.

    The clock is looked at only when what was granted is used up, so that taking costs next to
    nothing. The price: after a quiet time up to twice the burst can be had at once.
    """

    __slots__ = ("_granted_at", "_left", "_rate")

    def __init__(self, rate: Rate, now: float) -> None:
        self._rate = rate
        self._left = rate.burst
        self._granted_at = now

    def take(self, amount: float, clock: Callable[[], float]) -> float:
        """Take some out; how much more that is than there was."""
        self._left -= amount
        if self._left < 0:
            self._grant(clock())
        return -self._left if self._left < 0 else 0.0

    def _grant(self, now: float) -> None:
        burst = self._rate.burst
        earned = min(burst, (now - self._granted_at) * self._rate.per_second)
        self._granted_at = now
        self._left = min(burst, self._left + earned)

    def seconds(self, debt: float) -> float:
        """Until it is paid."""
        return debt / self._rate.per_second

    def is_full(self, now: float) -> bool:
        """Whether a new one would be the same."""
        self._grant(now)
        return self._left >= self._rate.burst


class Meter:
    """Counts what one peer says, and what all peers of its address say together."""

    __slots__ = ("_address", "_bytes", "_clock", "_messages")

    def __init__(
        self,
        messages: Rate | None,
        bytes_: Rate | None,
        address: Bucket | None,
        clock: Callable[[], float],
    ) -> None:
        now = clock()
        self._clock = clock
        self._messages = Bucket(messages, now) if messages else None
        self._bytes = Bucket(bytes_, now) if bytes_ else None
        self._address = address

    def count(self, messages: int, work: float, bytes_: int) -> Complaint | float:
        """Seconds that the peer has to wait after so many more, or why it has to go.

        `work` is what reading them takes, in messages; some are more than others.
        """
        wait = 0.0
        if self._bytes is not None and self._bytes.take(bytes_, self._clock):
            return Complaint.TOO_MANY_BYTES
        flood = messages > SLACK or work > WORK_SLACK
        if self._messages is not None and (debt := self._messages.take(work, self._clock)):
            if flood:
                return Complaint.TOO_MANY_MESSAGES
            wait = self._messages.seconds(debt)
        if self._address is not None and (debt := self._address.take(work, self._clock)):
            if flood:
                return Complaint.TOO_MANY_MESSAGES
            wait = max(wait, self._address.seconds(debt))
        return wait
