"""What the daemon gets from the process before it, and leaves to the one after it."""

import socket
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Protocol

from ludothek.runtime.annals import RETIRED, Annals
from ludothek.runtime.chronicle import Chronicle
from ludothek.runtime.recovery import Past, PastClient, PastEndpoint, PastLobby
from ludothek.runtime.revival import Suspicion
from transports import Door, Link, Transport
from transports.listening import Accepted
from transports.memory import memory_link_pair
from transports.tape import REPEATING

if TYPE_CHECKING:
    from ludothek.runtime.clientele import Clientele
    from ludothek.runtime.hall import Hall
    from ludothek.wire.wire import Wire


# Whether a connection came in at some place.
Came = Callable[[socket.socket], bool]


class Links(Protocol):
    """Connections that have survived."""

    def resume(self, number: int, transport: Transport, door: Door) -> Link | None:
        """The link of that number, made again; None if it is lost."""

    def newcomers(self, came: Came) -> Sequence[Accepted]:
        """Connections that came in there and that nobody has read from yet."""


class Legacy:
    """One for all endpoints of a daemon."""

    def __init__(
        self,
        chronicle: Chronicle,
        past: Past | None = None,
        links: Links | None = None,
        suspect: int = 0,
    ) -> None:
        """The suspect is the serial number of a lobby at work when processes died."""
        self._chronicle = chronicle
        self._past = past
        self._links = links
        self._suspect = suspect

    def annals(
        self, identity: str, hall: "Hall", clients: "Clientele", wire: "Wire | None"
    ) -> Annals:
        """What an endpoint writes down from now on."""
        return Annals(self._chronicle, identity, hall, clients, wire)

    def past(self, identity: str) -> PastEndpoint | None:
        """What was alive at an endpoint, once.

        What matches have left behind at the same host before a reload removed it is written by the
        endpoint that is there now.
        """
        if self._past is None:
            return None
        if (past := self._past.endpoints.pop(identity, None)) is None:
            return None
        for name, retired in self._past.endpoints.items():
            if name.partition(RETIRED)[0] == identity:
                past.estates |= retired.estates
                retired.estates.clear()
        return past

    def link(self, client: PastClient, transport: Transport, door: Door) -> Link:
        """The link of a client; one that is over already if it has not survived."""
        link = None
        if client.link is not None and self._links is not None:
            link = self._links.resume(client.link, transport, door)
        return link or _lost_link()

    def newcomers(self, came: Came) -> Sequence[Accepted]:
        """Connections that came in there and that nobody has read from yet."""
        return () if self._links is None else self._links.newcomers(came)

    def suspect(self, lobby: PastLobby) -> Suspicion | None:
        """Whether a lobby has ended processes."""
        if lobby.serial != self._suspect & ~REPEATING:
            return None
        return Suspicion.OF_RERUN if self._suspect & REPEATING else Suspicion.OF_MESSAGE


def _lost_link() -> Link:
    ours, theirs = memory_link_pair()
    theirs.close()
    return ours
