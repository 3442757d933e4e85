"""The administrators' password, and a brake for those who guess it."""

import hashlib
from collections.abc import Callable
from hmac import compare_digest

import attrs
import structlog

from games.penguins import refusal
from ludothek.brake import Brake
from ludothek.client import Client
from ludothek.limits import origin

log = structlog.get_logger()

# Wrong passwords after which a connection is closed.
MOST_TRIES = 10


@attrs.define(eq=False)
class Gate:
    """Lets administrators in; who fails has to wait, longer each time, with all of its address.

    A try that comes too early is not looked at, so that nothing is learnt from it; nor does it make
    the others of that address wait longer. Where many share an address the wait is short: one who
    guesses must not lock out the administrator in the same room.
    """

    time: Callable[[], float]
    exempts: Callable[[str], bool]
    failures: int = 0  # of all, since the start
    _places: Brake = attrs.field(
        factory=lambda: Brake(free=5, first=1.0, longest=60.0, forgiveness=60.0)
    )
    _shared: Brake = attrs.field(
        factory=lambda: Brake(free=10, first=0.5, longest=5.0, forgiveness=10.0)
    )

    def check(self, client: Client, password: str | None, expected: str | None) -> None:
        """Return if the password is the right one.

        Raises:
          Refusal: it is not, or it comes too early.
        """
        brake = self._shared if self.exempts(client.host) else self._places
        key, now = origin(client.host), self.time()
        if wait := brake.delay(key, now):
            raise refusal.too_many_tries(wait)
        if expected and compare_digest(_digest(password or ""), _digest(expected)):
            return  # no success for the address: whoever guesses there has not become any better
        brake.failed(key, now)
        self._note(key)
        raise refusal.authentication_failed()

    def _note(self, address: str) -> None:
        """Log the first failures, and then each time that their number has doubled."""
        self.failures += 1
        if self.failures <= MOST_TRIES or self.failures & (self.failures - 1) == 0:
            log.warning("wrong password", address=address, failures=self.failures)


def _digest(password: str) -> bytes:
    """Of one length, so that the time to compare says nothing about the other one's."""
    return hashlib.sha256(password.encode("utf-8", "surrogatepass")).digest()
