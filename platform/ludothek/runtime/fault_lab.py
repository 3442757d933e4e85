"""The port of an endpoint for clients that ask for trouble."""

import random
from collections.abc import Callable
from functools import partial
from itertools import count
from typing import TYPE_CHECKING

import structlog
import trio

from ludothek.contract.codec import Codec
from ludothek.contract.situation import Delivery
from ludothek.kit.embellished import Embellished, change_for
from ludothek.runtime.premises import Premises
from ludothek.settings.faults import Faults
from transports import Link, Poller, Relay, Spawner

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
        transport, host = endpoint.game.transport, endpoint.premises.host
        self.premises = Premises(transport.scheme, host, faults.port or 0)
        self._endpoint = endpoint
        self._numbers = count(1)
        self._relay: Relay | None = None

    def __str__(self) -> str:
        return f"{self.premises.url}: {self.faults}; clients: {self.clients}"

    @property
    def clients(self) -> int:
        """How many connections there are now."""
        return self._relay.connections if self._relay is not None else 0

    async def listen(
        self,
        clients: Spawner,
        poller: Poller | None,
        *,
        task_status: trio.TaskStatus[object] = trio.TASK_STATUS_IGNORED,
    ) -> None:
        """Accept clients at the bound address, until cancelled or shut."""
        endpoint, faults, url = self._endpoint, self.faults, self.premises.url
        log.warning("faults are on", game=endpoint.name, url=url, faults=str(faults))
        # Where clients are served: goodbyes must pass through the relay as well.
        self._relay = Relay(faults.trouble, faults.seed, clients)
        with self.premises.listening():
            await endpoint.game.transport.serve(
                self._welcome,
                self._relay.stand_before(self.premises.listeners),
                clients,
                poller=poller,
                door=endpoint.door,
                task_status=task_status,
            )

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
