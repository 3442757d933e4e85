"""Logins wait for their turn: checking a password is slow, and trying many must not pay off."""

import enum
from collections.abc import Callable, Hashable
from math import inf

import attrs
import trio

from games.quidditch.accounts import AT_ONCE, Accounts, Unregistered, Verdict
from ludothek.kit.allowance import Allowance
from ludothek.kit.brake import Brake
from ludothek.kit.fair_queue import FairQueue
from ludothek.runtime.client import Client
from ludothek.settings.limits import origin

# Logins that may wait, of all addresses and of one. A class of thirty that starts its clients and
# its computer players at the same moment fits in.
MOST_WAITING = 1000
MOST_OF_ADDRESS = 100

# Seconds until the server notices at the latest that a waiting client has hung up, or was sent away
# because the server ends.
LOOK_SECONDS = 1.0
# Waiting clients that are asked in a second whether they are still there, for the sake of those who
# come: whoever comes again and again must not have all of them asked each time.
LOOKS_PER_SECOND = 10_000


class LoginRefused(Exception):
    """The login has to be tried again later; the text says why."""


class _Fate(enum.Enum):
    WAITING = enum.auto()
    CALLED = enum.auto()
    SENT_AWAY = enum.auto()


@attrs.define(eq=False)
class _Ticket:
    """A login that waits for its turn."""

    client: Client
    name: str
    address: str
    shared: bool  # by so many people that nothing is counted for the address
    earliest: float
    fate: _Fate = _Fate.WAITING
    turn: trio.Event = attrs.field(factory=trio.Event)

    @property
    def pair(self) -> Hashable:
        return self.name, self.address

    def decide(self, fate: _Fate) -> None:
        self.fate = fate
        self.turn.set()


class Logins:
    """Lets a few passwords at a time be checked, the addresses taking turns.

    Guessing is slowed down where it comes from: for a user name tried from one address, and for the
    address. For a name tried from everywhere the delay stays short, so that nobody can lock its
    owner out.
    """

    def __init__(
        self,
        accounts: Accounts,
        time: Callable[[], float],
        exempts: Callable[[str], bool],
        registrations_per_hour: int,
    ) -> None:
        self.registrations_per_hour = registrations_per_hour  # 0: no limit
        self._accounts = accounts
        self._time = time
        self._exempts = exempts
        self._queue: FairQueue[_Ticket] = FairQueue(MOST_WAITING, MOST_OF_ADDRESS)
        self._next_look = -inf
        self._hands = AT_ONCE
        self._busy: set[Hashable] = set()  # addresses one of whose passwords is being checked
        self._pairs = Brake(free=5, first=1.0, longest=30.0, forgiveness=60.0)
        self._addresses = Brake(free=30, first=0.5, longest=30.0, forgiveness=20.0)
        self._names = Brake(free=10, first=0.25, longest=3.0, forgiveness=60.0)
        self._registrations = Allowance(registrations_per_hour)

    @property
    def waiting(self) -> int:
        """Logins that wait for their turn."""
        return len(self._queue)

    async def admit(self, client: Client, name: str, password: str) -> Verdict:
        """Whether somebody is who it says it is, when its turn has come.

        Raises:
          AccountsError: nobody can tell.
          LoginRefused: too many want to log in, or to have a new name.
          trio.EndOfChannel: the client has hung up meanwhile.
        """
        ticket = self._line_up(client, name)
        try:
            await self._wait(ticket)
            verdict = await self._check(ticket, password)
        finally:
            self._leave(ticket)
        if client.gone:
            raise trio.EndOfChannel
        return verdict

    # Waiting

    def _line_up(self, client: Client, name: str) -> _Ticket:
        host = client.host
        address = origin(host)
        ticket = _Ticket(
            client,
            name,
            address,
            shared=self._exempts(host),
            # Once for the name itself, so that later tries do not delay this one.
            earliest=self._time() + self._names.delay(name, self._time()),
        )
        if len(self._queue) >= MOST_OF_ADDRESS:
            self._dismiss_gone()
        crowded_out = self._queue.put(
            address, ticket, limited=not ticket.shared, ready=self._is_due
        )
        if crowded_out is not None:
            crowded_out.decide(_Fate.SENT_AWAY)
        return ticket

    def _dismiss_gone(self) -> None:
        if (now := self._time()) < self._next_look:
            return
        self._next_look = now + len(self._queue) / LOOKS_PER_SECOND
        for ticket in self._queue:
            if ticket.client.gone:
                self._queue.discard(ticket.address, ticket)
                ticket.decide(_Fate.SENT_AWAY)

    async def _wait(self, ticket: _Ticket) -> None:
        while ticket.fate is _Fate.WAITING:
            if not (delay := self._delay(ticket)):
                self._call()
            if ticket.fate is _Fate.WAITING:
                with trio.move_on_after(min(delay or inf, LOOK_SECONDS)):
                    await ticket.turn.wait()
            if ticket.client.gone:
                raise trio.EndOfChannel
        if ticket.fate is _Fate.SENT_AWAY:
            raise LoginRefused("too many logins wait already; try again later")

    def _call(self) -> None:
        """Call the next logins while there are workers for them."""
        while self._hands and (ticket := self._queue.take(self._is_due, self._is_served)):
            self._hands -= 1
            if not ticket.shared:
                self._busy.add(ticket.address)
            ticket.decide(_Fate.CALLED)

    def _is_served(self, address: Hashable) -> bool:
        """Whether an address may have a turn; if not, its whole line is skipped at once."""
        return address not in self._busy and not self._addresses.delay(address, self._time())

    def _is_due(self, ticket: _Ticket) -> bool:
        return not self._delay(ticket)

    def _delay(self, ticket: _Ticket) -> float:
        """Seconds until a login may be called."""
        now = self._time()
        of_address = 0.0 if ticket.shared else self._addresses.delay(ticket.address, now)
        return max(0.0, ticket.earliest - now, of_address, self._pairs.delay(ticket.pair, now))

    def _leave(self, ticket: _Ticket) -> None:
        if ticket.fate is _Fate.CALLED:
            self._hands += 1
            self._busy.discard(ticket.address)
            self._call()
        else:  # for those who go on waiting nothing has changed
            self._queue.discard(ticket.address, ticket)

    # Checking

    async def _check(self, ticket: _Ticket, password: str) -> Verdict:
        register = self._may_register(ticket)
        try:
            verdict = await self._accounts.admit(ticket.name, password, register=register)
        except Unregistered:
            raise LoginRefused("too many new user names come from this address") from None
        self._note(ticket, verdict)
        return verdict

    def _may_register(self, ticket: _Ticket) -> bool:
        if ticket.shared or not self.registrations_per_hour:
            return True
        self._registrations.per_hour = self.registrations_per_hour
        return self._registrations.is_left(ticket.address, self._time())

    def _note(self, ticket: _Ticket, verdict: Verdict) -> None:
        now = self._time()
        match verdict:
            case Verdict.WRONG:
                self._pairs.failed(ticket.pair, now)
                self._names.failed(ticket.name, now)
                if not ticket.shared:
                    self._addresses.failed(ticket.address, now)
            case Verdict.KNOWN:
                # Not for the address: one right password would pay for many wrong ones.
                self._pairs.succeeded(ticket.pair)
                self._names.succeeded(ticket.name)
            case Verdict.NEW if not ticket.shared and self.registrations_per_hour:
                self._registrations.take(ticket.address, now)
