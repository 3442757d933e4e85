"""Admission: connections are counted for the whole daemon and for each address."""

from collections.abc import Callable, Collection
from math import inf

import attrs
import structlog
import trio

from ludothek.contract.codec import Codec
from ludothek.kit.allowance import Allowance
from ludothek.observe.traffic import Traffic
from ludothek.settings.limits import Limits, origin
from transports import Bucket, Complaint, Terms, unstopped_time

log = structlog.get_logger()

# How many addresses are remembered after their last connection, with their rate limits.
REMEMBERED = 10_000

# Seconds between two warnings about too many results.
COMPLAIN_SECONDS = 60.0


@attrs.define(eq=False)
class KnownAddress:
    """An address that clients connect from."""

    connections: int = 0
    refused: bool = False  # since somebody from there was last let in
    messages: Bucket | None = None

    def is_forgettable(self, now: float) -> bool:
        return not self.connections and (self.messages is None or self.messages.is_full(now))


class Doorman:
    """Counts connections for all endpoints of a daemon."""

    def __init__(self, clock: Callable[[], float] = unstopped_time, room: float = inf) -> None:
        self.connections = 0
        self._origins: dict[str, KnownAddress] = {}
        self._clock = clock
        self._room = room  # how many connections there are file descriptors for
        self._told_full = False  # since somebody was last let in
        self._results = Allowance(0)
        self._complain_at = -inf

    def enter(self, host: str, limits: Limits) -> Terms | Complaint:
        """The terms for one more connection from there, or why it is refused.

        The host is empty for a proxy that has not named its client yet.
        """
        place = self._origins.get(key := origin(host)) or KnownAddress()
        shared = host != "" and not limits.exempts(host)
        complaint = self._objection(place, limits, shared=shared)
        if complaint is not None:
            self._refuse(place, host, complaint)
            return complaint
        place.refused = self._told_full = False
        return self._let_in(key, place, limits, shared=shared)

    def reserve(self, connections: int) -> None:
        """Leave so many descriptors to connections that do not come in here."""
        self._room -= connections

    def readmit(self, host: str, limits: Limits) -> Terms:
        """The terms for a connection that an earlier process has let in, whatever the limits are
        now."""
        place = self._origins.get(key := origin(host)) or KnownAddress()
        shared = host != "" and not limits.exempts(host)
        return self._let_in(key, place, limits, shared=shared)

    def _let_in(self, key: str, place: KnownAddress, limits: Limits, *, shared: bool) -> Terms:
        place.connections += 1
        self.connections += 1
        self._remember(key, place)
        return self._terms(place, limits) if shared else limits.terms

    def _objection(self, place: KnownAddress, limits: Limits, *, shared: bool) -> Complaint | None:
        most = limits.max_connections_per_address
        if shared and most and place.connections >= most:
            return Complaint.TOO_MANY_FROM_ADDRESS
        if self.connections >= min(limits.max_connections, self._room):
            return Complaint.TOO_MANY_CONNECTIONS
        return None

    def _refuse(self, place: KnownAddress, host: str, complaint: Complaint) -> None:
        # Logged once, not each time: nobody must be able to fill the log by connecting.
        full = complaint is Complaint.TOO_MANY_CONNECTIONS
        told = self._told_full if full else place.refused
        level = log.debug if told else log.warning
        reason, clause = complaint.value, complaint.clause
        level("connection refused", address=host, clause=clause, reason=reason)
        self._told_full = self._told_full or full
        place.refused = True

    def _terms(self, place: KnownAddress, limits: Limits) -> Terms:
        if (rate := limits.address_messages) is None:
            return limits.terms
        if place.messages is None:
            place.messages = Bucket(rate, self._clock())
        return attrs.evolve(limits.terms, address=place.messages)

    def _remember(self, key: str, place: KnownAddress) -> None:
        self._origins[key] = place
        if len(self._origins) > REMEMBERED:
            now, known = self._clock(), self._origins.items()
            self._origins = {key: each for key, each in known if not each.is_forgettable(now)}

    def may_tell(self, hosts: Collection[str], limits: Limits) -> bool:
        """Whether one more match of clients from there may be recorded in the results.

        Whoever makes the most results would push out those of others, and making one takes only
        five messages. A match counts for everybody who is there when it begins or ends; if any of
        them has quota left, it is recorded. So nobody can hide that they have lost to somebody
        else.
        """
        self._results.per_hour, now = limits.results_per_address, self._clock()
        if not limits.results_per_address or not all(map(limits.counts, hosts)):
            return True
        places = set(map(origin, hosts))
        if places and not any(self._results.is_left(place, now) for place in places):
            if now >= self._complain_at:
                self._complain_at = now + COMPLAIN_SECONDS
                log.warning("results left out: too many from one address", addresses=sorted(places))
            return False
        for place in places:
            self._results.take(place, now)
        return True

    def leave(self, host: str) -> None:
        """A connection that was let in is over."""
        place = self._origins[key := origin(host)]
        place.connections -= 1
        self.connections -= 1
        if place.is_forgettable(self._clock()):
            del self._origins[key]


@attrs.define(eq=False)
class GuardedDoor:
    """The door of one endpoint, with limits and a protocol of its own."""

    doorman: Doorman
    limits: Limits
    codec: Codec
    traffic: Traffic
    sign: str = "a game"
    handshakes: set[trio.CancelScope] = attrs.field(factory=set)

    @property
    def proxy_protocol(self) -> bool:
        return self.limits.proxy_protocol

    def trusts(self, host: str) -> bool:
        return self.limits.trusts(host)

    def enter(self, host: str) -> Terms | Complaint:
        answer = self.doorman.enter(host, self.limits)
        if isinstance(answer, Complaint):
            self.traffic.drops[answer.key] += 1
        return answer

    def readmit(self, host: str) -> Terms:
        return self.doorman.readmit(host, self.limits)

    def leave(self, host: str) -> None:
        self.doorman.leave(host)

    def may_tell(self, hosts: Collection[str]) -> bool:
        return self.doorman.may_tell(hosts, self.limits)

    def drop(self, complaint: Complaint, host: str) -> None:
        reason, clause = complaint.value, complaint.clause
        log.info("client dropped", address=host, clause=clause, reason=reason)
        self.traffic.drops[complaint.key] += 1

    def words(self, complaint: Complaint) -> bytes | None:
        return self.codec.refusal(complaint)
