"""The administrators' password, and a brake for those who guess it."""

import hashlib
from collections.abc import Callable
from hmac import compare_digest

import attrs
import structlog
import trio

from games.penguins import refusal
from ludothek.kit.brake import Brake
from ludothek.runtime.client import Client
from ludothek.settings.limits import origin

log = structlog.get_logger()

# Wrong passwords after which a connection is closed.
MOST_TRIES = 10

# Connections of one address that may wait for their turn.
MOST_WAITING = 100

# Seconds after which it is noticed that one of them is gone or was sent away.
LOOK_SECONDS = 1.0


@attrs.define(eq=False)
class Gate:
    """Lets administrators in; each wrong password makes its whole address wait longer.

    Tries that come too early line up and are looked at one by one. Were they refused instead, the
    quickest would win each time: one who guesses without pause would lock out the administrator
    in the same room. Where many share an address the wait is short for the same reason.
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

    # By address, in order of arrival; the event tells a client that it is at the head of the line.
    _lines: dict[str, dict[Client, trio.Event]] = attrs.field(factory=dict)

    def line_up(self, client: Client) -> bool:
        """Whether a try of this client has to wait; if so, it has got a place in the line.

        If there is none left, its try is too early.
        """
        key = origin(client.host)
        if len(line := self._lines.get(key, {})) >= MOST_WAITING:
            for other in [other for other in line if other.gone]:
                line[other].set()  # and with its place it gives up its turn
                self.leave(other)
        if len(line) >= MOST_WAITING:
            return False
        if not line and not self._brake(client).delay(key, self.time()):
            return False
        self._lines.setdefault(key, line)[client] = trio.Event()
        return True

    async def turn(self, client: Client) -> None:
        """Wait until a client that has lined up may try, or has hung up."""
        key, brake = origin(client.host), self._brake(client)
        line = self._lines.get(key, {})
        called = line.get(client)
        if client is not next(iter(line), None):
            while called is not None and not (called.is_set() or client.gone):
                with trio.move_on_after(LOOK_SECONDS):
                    await called.wait()
        while not client.gone and (wait := brake.delay(key, self.time())):  # noqa: ASYNC110
            await trio.sleep(min(wait, LOOK_SECONDS))

    def leave(self, client: Client) -> None:
        """Let the next one try, if the client was in a line."""
        line = self._lines.get(key := origin(client.host), {})
        if line.pop(client, None) is None:
            return
        if line:
            next(iter(line.values())).set()
        else:
            del self._lines[key]

    def check(self, client: Client, password: str | None, expected: str | None) -> None:
        """Return if the password is the right one.

        A try that comes too early is not looked at, so that nothing is learnt from it.

        Raises:
          Refusal: it is not, or it comes too early.
        """
        brake = self._brake(client)
        key, now = origin(client.host), self.time()
        if wait := brake.delay(key, now):
            raise refusal.too_many_tries(wait)
        if client is not next(iter(self._lines.get(key, ())), client):
            raise refusal.too_many_tries(LOOK_SECONDS)  # nobody overtakes those who wait
        if expected and compare_digest(_digest(password or ""), _digest(expected)):
            return  # no success for the address: whoever guesses there has not become any better
        brake.failed(key, now)
        self._note(key)
        raise refusal.authentication_failed()

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
