"""How much a peer says; no I/O, and time is passed in."""

from collections.abc import Callable

import attrs

from transports.complaint import Complaint


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

    def take(self, amount: float, clock: Callable[[], float]) -> bool:
        """Take some out; whether there was enough."""
        self._left -= amount
        return self._left >= 0 or self._grant(clock())

    def _grant(self, now: float) -> bool:
        earned = (now - self._granted_at) * self._rate.per_second
        self._granted_at = now
        self._left = min(self._rate.burst, self._left + earned)
        return self._left >= 0

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

    def count(self, messages: int, bytes_: int) -> Complaint | None:
        """What is wrong with so many more, if anything is."""
        if self._bytes is not None and not self._bytes.take(bytes_, self._clock):
            return Complaint.TOO_MANY_BYTES
        for bucket in (self._messages, self._address):
            if bucket is not None and not bucket.take(messages, self._clock):
                return Complaint.TOO_MANY_MESSAGES
        return None
