"""Rate limits for what a peer sends; no I/O, and time is passed in."""

from collections.abc import Callable

import attrs

from transports.complaint import Complaint

# Messages that may arrive at once although the bucket is empty; the peer only has to wait then.
# However fast a client plays, it waits for answers; one that has sent more than this meanwhile does
# not want any.
SLACK = 8

# The same for their work, in messages: some are long, and a few pings may come with them.
WORK_SLACK = 80

# The cost of each copy, in messages, when a message is broadcast to many.
COPY = 0.1

# Bytes that a peer may still send after our last word: what was in flight, not an endless flood.
LINGER_BYTES = 1024 * 1024

# Copies that may be made before messages that have already arrived have to wait, too. A burst of
# messages in a full lobby is a second of work, and a client that reconnects gets another burst.
COPIES_AT_ONCE = 1000


@attrs.frozen
class Rate:
    """A sustained rate, and the burst that is allowed after a quiet time."""

    per_second: float
    burst: float


@attrs.define(eq=False)
class Bucket:
    """A token bucket, full at first.

    The clock is read only when the granted tokens are used up, so that taking some costs next to
    nothing. The price: after a quiet time up to twice the burst is available at once.
    """

    _rate: Rate
    _granted_at: float
    left: float = attrs.field(default=attrs.Factory(lambda self: self._rate.burst, takes_self=True))

    def take(self, amount: float, clock: Callable[[], float]) -> float:
        """Take tokens; returns by how many the bucket is overdrawn."""
        self.left -= amount
        return self.debt(clock) if self.left < 0 else 0.0

    def afford(self, amount: float, clock: Callable[[], float]) -> bool:
        """Take tokens if there are enough; returns whether there were."""
        if not self.take(amount, clock):
            return True
        self.left += amount
        return False

    def debt(self, clock: Callable[[], float]) -> float:
        """By how many tokens the bucket is overdrawn now."""
        self._grant(clock())
        return -self.left if self.left < 0 else 0.0

    def _grant(self, now: float) -> None:
        burst = self._rate.burst
        earned = min(burst, (now - self._granted_at) * self._rate.per_second)
        self._granted_at = now
        self.left = min(burst, self.left + earned)

    def seconds(self, debt: float) -> float:
        """How long it takes to earn them."""
        return debt / self._rate.per_second

    def is_full(self, now: float) -> bool:
        """Whether it is the same as a new one."""
        self._grant(now)
        return self.left >= self._rate.burst


class Meter:
    """Limits what one peer sends, and what all peers of its address send together."""

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
        self._copies: Bucket | None = None  # only for peers whose messages go to many
        self._buckets = tuple(bucket for bucket in (own, address) if bucket is not None)
        self._lingering = LINGER_BYTES

    def charge(self, copies: int) -> float:
        """Charge for what a message has led to; returns seconds until the next one may be handled.

        After that, the charge is due before the next messages are read.
        """
        for bucket in self._buckets:
            bucket.left -= COPY * copies
        if self._messages is None:
            return 0.0
        if self._copies is None:
            rate = Rate(self._messages.per_second / COPY, COPIES_AT_ONCE)
            self._copies = Bucket(rate, self._clock())
        return self._copies.seconds(self._copies.take(copies, self._clock))

    def count(self, messages: int, extra: float, bytes_: int) -> Complaint | float:
        """Seconds that the peer has to wait after this many more, or why it is dropped.

        `extra` is the effort of reading everything else that came with them, in messages.
        """
        work = messages + extra
        # Like `Bucket.take`, but inlined: every message passes through here.
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
        """Whether that many more bytes may have been in flight when we hung up."""
        self._lingering -= bytes_
        return self._lingering >= 0
