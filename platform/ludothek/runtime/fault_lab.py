"""The port of an endpoint for clients that ask for trouble."""

import random
from collections.abc import Callable, Sequence
from functools import partial
from itertools import count
from typing import TYPE_CHECKING

import structlog
import trio

from ludothek.contract.codec import Codec
from ludothek.contract.situation import Delivery
from ludothek.kit.embellished import Embellished, change_for
from ludothek.settings.faults import Faults
from transports import Link, Listener, Poller, Relay, Spawner, open_listeners

if TYPE_CHECKING:
    from ludothek.runtime.endpoint import Endpoint

# Makes of a codec one that writes its messages in another, but permitted way.
Embellish = Callable[[Codec], Codec]

log = structlog.get_logger()


class FaultLab:
    """Lets clients into the lobbies of an endpoint, over connections with faults.

    Tables, journals and records know nothing of them: a relay between client and server disturbs
    the bytes, and fields are added only when a message leaves.
    """

    def __init__(self, endpoint: "Endpoint", faults: Faults) -> None:
        self.faults = faults
        self.url = ""  # known once the address is bound
        self._endpoint = endpoint
        self._listeners: Sequence[Listener] = ()
        self._listening = trio.CancelScope()
        self._shut = trio.Event()
        self._numbers = count(1)
        self._relay: Relay | None = None

    def __str__(self) -> str:
        return f"{self.url}: {self.faults}; clients: {self.clients}"

    @property
    def clients(self) -> int:
        """How many connections there are now."""
        return self._relay.connections if self._relay is not None else 0

    async def bind(self, host: str) -> None:
        """Bind the address; raises OSError."""
        self._listeners = await open_listeners(host, self.faults.port or 0)
        port = self._listeners[0].socket.getsockname()[1]
        self.url = f"{self._endpoint.url.rpartition(':')[0]}:{port}"

    async def unbind(self) -> None:
        """Release the address if nobody has listened on it yet."""
        for listener in self._listeners:
            await listener.aclose()

    async def listen(
        self,
        clients: Spawner,
        poller: Poller | None,
        *,
        task_status: trio.TaskStatus[object] = trio.TASK_STATUS_IGNORED,
    ) -> None:
        """Accept clients at the bound address, until cancelled or shut."""
        endpoint, faults = self._endpoint, self.faults
        log.warning("faults are on", game=endpoint.name, url=self.url, faults=str(faults))
        # Where clients are served: goodbyes must pass through the relay as well.
        self._relay = Relay(faults.trouble, faults.seed, clients)
        try:
            with self._listening:
                await endpoint.game.transport.serve(
                    self._welcome,
                    self._relay.stand_before(self._listeners),
                    clients,
                    poller=poller,
                    door=endpoint.door,
                    task_status=task_status,
                )
        finally:
            self._shut.set()

    async def shut(self) -> None:
        """Stop listening; connected clients stay."""
        self._listening.cancel()
        await self._shut.wait()

    async def _welcome(self, link: Link) -> None:
        await self._endpoint.welcome(link, embellish=self._embellish(next(self._numbers)))

    def _embellish(self, number: int) -> Embellish | None:
        """Adds fields now and then."""
        chance, seed = self.faults.unknown_fields, self.faults.seed
        change = change_for(Delivery.UNKNOWN_FIELDS, seed)
        if not chance or change is None:
            return None
        rng = random.Random(f"{seed} {number} fields")
        return partial(Embellished, change=change, happens=lambda: rng.random() < chance)
