"""Who asks: the addresses of browsers, and what each of them may cost."""

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from starlette.datastructures import Headers
from starlette.types import Scope

from ludothek.settings.limits import Limits, origin
from transports import Bucket, Rate, unstopped_time
from transports.forwarded import BadForwarding, forwarded_for

# Requests of one address, which a class may share. A page with its files and answers takes ten.
REQUESTS = Rate(per_second=30, burst=300)
# New connections of one address: browsers open six at once, and keep them.
CONNECTIONS = Rate(per_second=30, burst=300)
# Seconds for which more than that waits; whatever would have to wait longer is refused.
PATIENCE = 10.0
# Addresses of which that is remembered.
REMEMBERED = 10_000


class Visitors:
    """Counts requests and streams for each address."""

    def __init__(self, limits: Limits, clock: Callable[[], float] = unstopped_time) -> None:
        self.limits = limits
        self.streams: Counter[str] = Counter()
        self._requests = _Buckets(REQUESTS, clock)
        self._connections = _Buckets(CONNECTIONS, clock)

    def host(self, scope: Scope) -> str:
        """Where a request comes from; a trusted proxy says so. Raises BadForwarding."""
        client = scope.get("client")
        host = client[0] if client else ""
        if self.limits.trusts(host):
            named = forwarded_for(
                Headers(scope=scope).getlist("x-forwarded-for"), self.limits.trusts
            )
            if named is None:
                raise BadForwarding("a proxy without X-Forwarded-For")
            return named.host
        return host

    def comes_by_proxy(self, scope: Scope) -> bool:
        """Whether a trusted proxy has passed a request on."""
        client = scope.get("client")
        return client is not None and self.limits.trusts(client[0])

    def request_delay(self, host: str) -> float:
        """In how many seconds one more request is not too much; beyond PATIENCE, it never is."""
        return self._requests.delay(origin(host)) if self.limits.counts(host) else 0.0

    def connection_delay(self, host: str) -> float:
        """The same for one more connection; those of proxies are everybody's."""
        counts = self.limits.counts(host) and not self.limits.trusts(host)
        return self._connections.delay(origin(host)) if counts else 0.0

    def may_stream(self, host: str, most: int, most_per_address: int) -> bool:
        """Whether one more stream is not too much."""
        if self.streams.total() >= most:
            return False
        there = self.streams[origin(host)]
        return not (0 < most_per_address <= there and self.limits.counts(host))

    @contextmanager
    def streaming(self, host: str) -> Iterator[None]:
        """Count a stream as long as it lasts."""
        place = origin(host)
        self.streams[place] += 1
        try:
            yield
        finally:
            self.streams[place] -= 1
            if not self.streams[place]:
                del self.streams[place]


class _Buckets:
    """What each address may still do, as long as that is less than at first."""

    def __init__(self, rate: Rate, clock: Callable[[], float]) -> None:
        self._rate = rate
        self._clock = clock
        self._buckets: dict[str, Bucket] = {}

    def delay(self, place: str) -> float:
        """Take one; how many seconds too early that is. If that is too long, none is taken."""
        now = self._clock()
        if place not in self._buckets and len(self._buckets) >= REMEMBERED:
            kept = self._buckets.items()
            self._buckets = {key: each for key, each in kept if not each.is_full(now)}
        bucket = self._buckets.setdefault(place, Bucket(self._rate, now))
        seconds = bucket.seconds(bucket.take(1, self._clock))
        if seconds > PATIENCE:
            bucket.left += 1
        return seconds
