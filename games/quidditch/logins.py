"""Logins wait their turn: checking a password is slow, and trying many must not pay off."""

from collections.abc import Hashable
from math import inf

import attrs

from games.quidditch.accounts import Verdict
from games.quidditch.memory import Guesses
from games.quidditch.messages import JoinRequest
from ludothek.contract.client import Client
from ludothek.contract.reception import Desk
from ludothek.contract.timers import Timers
from ludothek.kit.allowance import Allowance
from ludothek.kit.brake import Brake
from ludothek.kit.fair_queue import FairQueue

# The timer until the next login may be called.
NEXT_LOGIN = "next login"

# Passwords checked at the same time: each takes memory, and time from the games.
AT_ONCE = 2

# Logins that may wait, in total and from one address. A class of thirty that starts its clients and
# its computer players at the same moment fits in.
MOST_WAITING = 1000
MOST_OF_ADDRESS = 100

# How many waiting clients per second are checked for being still connected when others arrive:
# somebody who keeps coming back must not cause all of them to be checked each time.
LOOKS_PER_SECOND = 10_000

# Keys of each kind that other processes hear of: they are written down at each wrong password.
MOST_REMEMBERED = 100

# The timer runs at least this long: a clock may not show exactly what it was set to.
LEAST_DELAY = 0.001


@attrs.frozen(eq=False)
class Ticket:
    """A login that waits its turn."""

    client: Client
    request: JoinRequest
    address: str
    shared: bool  # by so many people that failures do not count against the address
    earliest: float

    @property
    def name(self) -> str:
        return self.request.user_name

    @property
    def pair(self) -> Hashable:
        return self.name, self.address


class Logins:
    """Lets a few passwords at a time be checked, with the addresses taking turns.

    Guessing is slowed down where it comes from: for a user name tried from one address, and for the
    address. For a name tried from everywhere the delay stays short, so that nobody can lock its
    owner out.
    """

    def __init__(
        self,
        desk: Desk,
        timers: Timers,
        registrations_per_hour: int,
    ) -> None:
        self.registrations_per_hour = registrations_per_hour  # 0: no limit
        self._desk = desk
        self._timers = timers
        self._now = desk.clock.time
        self._tickets: dict[Client, Ticket] = {}  # of clients that are still there
        self._queue: FairQueue[Ticket] = FairQueue(MOST_WAITING, MOST_OF_ADDRESS)
        self._next_look = -inf
        self._hands = AT_ONCE
        self._busy: set[Hashable] = set()  # addresses with a password that is being checked
        self._pairs = Brake(free=5, first=1.0, longest=30.0, forgiveness=60.0)
        self._addresses = Brake(free=30, first=0.5, longest=30.0, forgiveness=20.0)
        self._names = Brake(free=10, first=0.25, longest=3.0, forgiveness=60.0)
        self._registrations = Allowance(registrations_per_hour)
        self._guesses: Guesses | None = None  # what is remembered of them; None: to be made again

    def remember(self) -> Guesses:
        """What `recall` needs in another process; those who wait will ask again."""
        if self._guesses is None:
            now = self._now()
            self._guesses = Guesses(
                pairs=self._pairs.remember(now, MOST_REMEMBERED),
                addresses=self._addresses.remember(now, MOST_REMEMBERED),
                names=self._names.remember(now, MOST_REMEMBERED),
                registrations=self._registrations.remember(now, MOST_REMEMBERED),
            )
        return self._guesses

    def recall(self, guesses: Guesses) -> None:
        self._guesses = guesses
        self._pairs.recall(guesses.pairs)
        self._addresses.recall(guesses.addresses)
        self._names.recall(guesses.names)
        self._registrations.recall(guesses.registrations)

    @property
    def waiting(self) -> int:
        """The number of logins that wait their turn."""
        return len(self._queue)

    # Waiting

    def line_up(self, client: Client, request: JoinRequest) -> Client | None:
        """Let a client wait its turn; returns the client that has lost its place, if any."""
        now = self._now()
        ticket = Ticket(
            client,
            request,
            client.origin,
            shared=self._desk.exempts(client.host),
            # Only once for the name, so that later attempts do not delay this one.
            earliest=now + self._names.delay(request.user_name, now),
        )
        self._tickets[client] = ticket
        if len(self._queue) >= MOST_OF_ADDRESS:
            self._dismiss_gone()
        crowded_out = self._queue.put(
            ticket.address, ticket, limited=not ticket.shared, ready=self._is_due
        )
        if crowded_out is not ticket and self._hands:
            self._call_within(self._delay(ticket))
        return crowded_out.client if crowded_out else None

    def _dismiss_gone(self) -> None:
        if (now := self._now()) >= self._next_look:
            self._next_look = now + len(self._queue) / LOOKS_PER_SECOND
            for ticket in self._queue:
                if self._desk.has_hung_up(ticket.client):
                    self.leave(ticket.client)

    def leave(self, client: Client) -> None:
        """A client is gone. Nothing changes for those who keep waiting."""
        if (ticket := self._tickets.pop(client, None)) is not None:
            self._queue.discard(ticket.address, ticket)

    @property
    def is_due(self) -> bool:
        """Whether a login may be called now."""
        return self._timers.left(NEXT_LOGIN) == 0

    def call(self) -> Ticket | None:
        """The next login whose password may be checked now, if there is one."""
        self._timers.stop(NEXT_LOGIN)
        while self._hands and (ticket := self._queue.take(self._is_due, self._is_served)):
            if self._desk.has_hung_up(ticket.client):
                self.leave(ticket.client)
                continue
            self._hands -= 1
            if not ticket.shared:
                self._busy.add(ticket.address)
            return ticket
        self._set_timer()
        return None

    def _set_timer(self) -> None:
        if self._hands:  # otherwise the next one is called when a password has been checked
            delays = filter(None, map(self._delay, self._queue))
            if (delay := min(delays, default=None)) is not None:
                self._call_within(max(delay, LEAST_DELAY))

    def _call_within(self, seconds: float) -> None:
        if seconds < self._timers.left(NEXT_LOGIN):
            self._timers.start(NEXT_LOGIN, seconds)

    def _is_served(self, address: Hashable) -> bool:
        """Whether an address may have a turn; if not, its whole line is skipped at once."""
        return address not in self._busy and not self._addresses.delay(address, self._now())

    def _is_due(self, ticket: Ticket) -> bool:
        return not self._delay(ticket)

    def _delay(self, ticket: Ticket) -> float:
        """Seconds until a login may be called."""
        now = self._now()
        of_address = 0.0 if ticket.shared else self._addresses.delay(ticket.address, now)
        return max(0.0, ticket.earliest - now, of_address, self._pairs.delay(ticket.pair, now))

    # Checking

    def may_register(self, ticket: Ticket) -> bool:
        """Whether a login may register a new name."""
        if ticket.shared or not self.registrations_per_hour:
            return True
        self._registrations.per_hour = self.registrations_per_hour
        return self._registrations.is_left(ticket.address, self._now())

    def finish(self, ticket: Ticket, verdict: Verdict | None) -> bool:
        """A login has had its turn, and perhaps a verdict; returns if its client still waits."""
        self._hands += 1
        self._busy.discard(ticket.address)
        if verdict is not None:
            self._note(ticket, verdict)
        if self._queue:
            self._call_within(0)
        waits = self._tickets.pop(ticket.client, None) is not None
        return waits and not self._desk.has_hung_up(ticket.client)

    def _note(self, ticket: Ticket, verdict: Verdict) -> None:
        now, self._guesses = self._now(), None
        match verdict:
            case Verdict.WRONG:
                self._pairs.failed(ticket.pair, now)
                self._names.failed(ticket.name, now)
                if not ticket.shared:
                    self._addresses.failed(ticket.address, now)
            case Verdict.KNOWN:
                # Not for the address: one right password would make up for many wrong ones.
                self._pairs.succeeded(ticket.pair)
                self._names.succeeded(ticket.name)
            case Verdict.NEW if not ticket.shared and self.registrations_per_hour:
                self._registrations.take(ticket.address, now)
