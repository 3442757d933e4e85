"""The administrators' password, and delays for those who guess it."""

import hashlib
from collections.abc import Callable
from hmac import compare_digest

import attrs
import structlog

from games.penguins import refusals
from games.penguins.memory import Guesses
from games.penguins.messages import Authenticate
from ludothek.contract.client import Client
from ludothek.contract.timers import Timers
from ludothek.kit.brake import Brake

log = structlog.get_logger()

# Wrong passwords after which a connection is closed.
MOST_TRIES = 10

# Connections from one address that may wait in line.
MOST_WAITING = 100

# Addresses of each kind that other processes hear of: this is written down at each wrong password.
MOST_REMEMBERED = 100

# What clients are told that would otherwise overtake those in line.
RETRY_SECONDS = 1.0


@attrs.define(eq=False)
class Gate:
    """Lets administrators in; each wrong password makes its whole address wait longer.

    Attempts that come too early line up and are checked one by one. If they were refused instead,
    the quickest would win each time: somebody who guesses without pause would lock out the
    administrator in the same room. For the same reason the wait is short where many share an
    address.
    """

    timers: Timers  # when the first in each line may try, named by address
    time: Callable[[], float]
    exempts: Callable[[str], bool]
    has_hung_up: Callable[[Client], bool]
    failures: int = 0  # of all clients, since the start
    _places: Brake = attrs.field(
        factory=lambda: Brake(free=5, first=1.0, longest=60.0, forgiveness=60.0)
    )
    _shared: Brake = attrs.field(
        factory=lambda: Brake(free=10, first=0.5, longest=5.0, forgiveness=10.0)
    )
    # By address: clients in order of arrival, and their requests.
    _lines: dict[str, dict[Client, Authenticate]] = attrs.field(factory=dict)

    def make_room(self, address: str) -> list[Client]:
        """If a line is full, remove the clients that are gone; returns them."""
        line = self._lines.get(address, {})
        if len(line) < MOST_WAITING:
            return []
        gone = [client for client in line if self.has_hung_up(client)]
        for client in gone:
            self.leave(client)
        return gone

    def line_up(self, client: Client, request: Authenticate) -> bool:
        """Whether an attempt of this client has to wait; if so, it now has a place in the line.

        If no place is left, the attempt is too early.
        """
        line = self._lines.get(client.origin, {})
        wait = self._delay(client)
        if len(line) >= MOST_WAITING or not (line or wait):
            return False
        if not line:
            self._lines[client.origin] = line
            self.timers.start(client.origin, wait)
        line[client] = request
        return True

    def next_try(self, address: str) -> tuple[Client, Authenticate] | None:
        """Whose turn it is when the timer of an address is due; it has to leave after trying."""
        while line := self._lines.get(address):
            client, request = next(iter(line.items()))
            if not self.has_hung_up(client):
                if wait := self._delay(client):
                    self.timers.start(address, wait)
                    return None
                return client, request
            self.leave(client)
        return None

    def leave(self, client: Client) -> None:
        """Let the next client try, if this one was in a line."""
        address = client.origin
        line = self._lines.get(address, {})
        first = next(iter(line), None)
        if line.pop(client, None) is None:
            return
        if not line:
            del self._lines[address]
            self.timers.stop(address)
        elif client is first:
            self.timers.start(address, self._delay(client))

    def check(self, client: Client, password: str | None, expected: str | None) -> None:
        """Return if the password is right.

        An attempt that comes too early is not checked, so that nothing is learnt from it.

        Raises:
          Refusal: the password is wrong, or it comes too early.
        """
        if wait := self._delay(client):
            raise refusals.too_many_tries(wait)
        if client is not next(iter(self._lines.get(client.origin, ())), client):
            raise refusals.too_many_tries(RETRY_SECONDS)  # nobody overtakes those in line
        if expected and compare_digest(_digest(password or ""), _digest(expected)):
            return  # no success for the address: that does not excuse whoever guesses there
        self._brake(client).failed(client.origin, self.time())
        self._note(client.origin)
        raise refusals.authentication_failed()

    def remember(self) -> Guesses:
        """What `recall` needs in another process; those in line will try again by themselves."""
        now = self.time()
        return Guesses(
            self.failures,
            self._places.remember(now, MOST_REMEMBERED),
            self._shared.remember(now, MOST_REMEMBERED),
        )

    def recall(self, guesses: Guesses) -> None:
        self.failures = guesses.failures
        self._places.recall(guesses.places)
        self._shared.recall(guesses.shared)

    def _delay(self, client: Client) -> float:
        return self._brake(client).delay(client.origin, self.time())

    def _brake(self, client: Client) -> Brake:
        return self._shared if self.exempts(client.host) else self._places

    def _note(self, address: str) -> None:
        """Log the first failures, and then whenever their number has doubled."""
        self.failures += 1
        if self.failures <= MOST_TRIES or self.failures & (self.failures - 1) == 0:
            log.warning("wrong password", address=address, failures=self.failures)


def _digest(password: str) -> bytes:
    """All of one length, so that the time to compare reveals nothing about the other one's."""
    return hashlib.sha256(password.encode("utf-8", "surrogatepass")).digest()
