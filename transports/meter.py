"""How much a peer says; no I/O, and time is passed in."""

from collections.abc import Callable

import attrs

from transports.complaint import Complaint

# Messages that may come at once although nothing is left, and only have to wait. Who plays, however
# fast, waits for answers; who has sent more than this meanwhile does not want any.
SLACK = 8

# The same for the work that they are, in messages: some are long, and a few pings may come along.
WORK_SLACK = 80

# What each copy counts, in messages, of what is told to many others because of a message.
COPY = 0.1

# Bytes that a peer may say after our last word: what was on its way then, not a flood without end.
LINGER_BYTES = 1024 * 1024

# Copies that may be made before what the peer has said already has to wait, too. A burst of
# messages in front of a full lobby is a second of work, and whoever connects anew has another one.
COPIES_AT_ONCE = 1000


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

    __slots__ = ("_granted_at", "_rate", "left")

    def __init__(self, rate: Rate, now: float) -> None:
        self._rate = rate
        self.left = rate.burst
        self._granted_at = now

    def take(self, amount: float, clock: Callable[[], float]) -> float:
        """Take some out; how much more that is than there was."""
        self.left -= amount
        return self.debt(clock) if self.left < 0 else 0.0

    def afford(self, amount: float, clock: Callable[[], float]) -> bool:
        """Take some out if there is so much; tells whether there was."""
        if not self.take(amount, clock):
            return True
        self.left += amount
        return False

    def debt(self, clock: Callable[[], float]) -> float:
        """How much more was taken out than there is by now."""
        self._grant(clock())
        return -self.left if self.left < 0 else 0.0

    def _grant(self, now: float) -> None:
        burst = self._rate.burst
        earned = min(burst, (now - self._granted_at) * self._rate.per_second)
        self._granted_at = now
        self.left = min(burst, self.left + earned)

    def seconds(self, debt: float) -> float:
        """Until it is paid."""
        return debt / self._rate.per_second

    def is_full(self, now: float) -> bool:
        """Whether a new one would be the same."""
        self._grant(now)
        return self.left >= self._rate.burst


class Meter:
    """Counts what one peer says, and what all peers of its address say together."""

    __slots__ = ("_buckets", "_bytes", "_clock", "_copies", "_lingering", "_messages")

    def __init__(
        self,
        messages: Rate | None,
        bytes_: Rate | None,
        address: Bucket | None,
        clock: Callable[[], float],
    ) -> None:
        now = clock()
        self._clock = clock
        self._bytes = Bucket(bytes_, now) if bytes_ else None
        own = Bucket(messages, now) if messages else None
        self._messages = messages
        self._copies: Bucket | None = None  # not for those who play among few
        self._buckets = tuple(bucket for bucket in (own, address) if bucket is not None)
        self._lingering = LINGER_BYTES

    def charge(self, copies: int) -> float:
        """Count what a message has led to; seconds until the next one may be heard.

        Once these are over, the next messages are paid for before they are read.
        """
        for bucket in self._buckets:
            bucket.left -= COPY * copies
        if self._messages is None:
            return 0.0
        if self._copies is None:
            rate = Rate(self._messages.per_second / COPY, COPIES_AT_ONCE)
            self._copies = Bucket(rate, self._clock())
        return self._copies.seconds(self._copies.take(copies, self._clock))

    def count(self, messages: int, work: float, bytes_: int) -> Complaint | float:
        """Seconds that the peer has to wait after so many more, or why it has to go.

        `work` is what reading them takes, in messages; some are more than others.
        """
        # What `Bucket.take` does, without a call: every message comes along here.
        if (bucket := self._bytes) is not None:
            bucket.left -= bytes_
            if bucket.left < 0 and bucket.debt(self._clock):
                return Complaint.TOO_MANY_BYTES
        wait = 0.0
        for bucket in self._buckets:
            bucket.left -= work
            if bucket.left < 0 and (debt := bucket.debt(self._clock)):
                if messages > SLACK or work > WORK_SLACK:
                    return Complaint.TOO_MANY_MESSAGES
                wait = max(wait, bucket.seconds(debt))
        return wait

    def lingers(self, bytes_: int) -> bool:
        """Whether so many more may have been on their way when we hung up."""
        self._lingering -= bytes_
        return self._lingering >= 0
