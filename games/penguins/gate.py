"""The administrators' password, and a brake for those who guess it."""

import hashlib
from collections.abc import Callable
from hmac import compare_digest

import attrs
import structlog

from games.penguins import refusals
from games.penguins.messages import Authenticate
from ludothek.contract.client import Client
from ludothek.contract.timers import Timers
from ludothek.kit.brake import Brake

log = structlog.get_logger()

# Wrong passwords after which a connection is closed.
MOST_TRIES = 10

# Connections of one address that may wait for their turn.
MOST_WAITING = 100

# What those are told who would be ahead of others that wait.
RETRY_SECONDS = 1.0


@attrs.define(eq=False)
class Gate:
    """Lets administrators in; each wrong password makes its whole address wait longer.

    Tries that come too early line up and are looked at one by one. If they were refused instead,
    the quickest would win each time: somebody who guesses without pause would lock out the
    administrator in the same room. Where many share an address the wait is short for the same
    reason.
    """

    timers: Timers  # when the first in each line may try, named by address
    time: Callable[[], float]
    exempts: Callable[[str], bool]
    has_hung_up: Callable[[Client], bool]
    failures: int = 0  # of all, since the start
    _places: Brake = attrs.field(
        factory=lambda: Brake(free=5, first=1.0, longest=60.0, forgiveness=60.0)
    )
    _shared: Brake = attrs.field(
        factory=lambda: Brake(free=10, first=0.5, longest=5.0, forgiveness=10.0)
    )
    # By address: clients in order of arrival, and what they have tried.
    _lines: dict[str, dict[Client, Authenticate]] = attrs.field(factory=dict)

    def make_room(self, address: str) -> list[Client]:
        """If a line is full, clear it of clients that are gone; returns them."""
        line = self._lines.get(address, {})
        if len(line) < MOST_WAITING:
            return []
        gone = [client for client in line if self.has_hung_up(client)]
        for client in gone:
            self.leave(client)
        return gone

    def line_up(self, client: Client, request: Authenticate) -> bool:
        """Whether a try of this client has to wait; if so, it has got a place in the line.

        If there is none left, its try is too early.
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
        """Whose turn it is when the timer of an address is due; it has to leave after its try."""
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
        """Let the next one try, if the client was in a line."""
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
        """Return if the password is the right one.

        A try that comes too early is not looked at, so that nothing is learnt from it.

        Raises:
          Refusal: it is not, or it comes too early.
        """
        if wait := self._delay(client):
            raise refusals.too_many_tries(wait)
        if client is not next(iter(self._lines.get(client.origin, ())), client):
            raise refusals.too_many_tries(RETRY_SECONDS)  # nobody overtakes those who wait
        if expected and compare_digest(_digest(password or ""), _digest(expected)):
            return  # no success for the address: whoever guesses there has not become any better
        self._brake(client).failed(client.origin, self.time())
        self._note(client.origin)
        raise refusals.authentication_failed()

    def _delay(self, client: Client) -> float:
        return self._brake(client).delay(client.origin, self.time())

    def _brake(self, client: Client) -> Brake:
        return self._shared if self.exempts(client.host) else self._places

    def _note(self, address: str) -> None:
        """Log the first failures, and then each time that their number has doubled."""
        self.failures += 1
        if self.failures <= MOST_TRIES or self.failures & (self.failures - 1) == 0:
            log.warning("wrong password", address=address, failures=self.failures)


def _digest(password: str) -> bytes:
    """Of one length, so that the time to compare says nothing about the other one's."""
    return hashlib.sha256(password.encode("utf-8", "surrogatepass")).digest()
