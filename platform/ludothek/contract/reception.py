"""A reception: the conversation outside of lobbies, and what it can look up."""

import random
from collections.abc import Hashable, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

from ludothek.contract.chance import Chance
from ludothek.contract.client import Client
from ludothek.contract.clock import Clock
from ludothek.contract.effects import Effects
from ludothek.contract.orders import Opening
from ludothek.contract.table import Table
from ludothek.contract.timers import Timers


class Desk(Protocol):
    """What a reception can look up; it changes things by effects only."""

    @property
    def clock(self) -> Clock: ...

    @property
    def ids(self) -> random.Random:
        """Randomness for ids, codes and the like."""

    @property
    def tables(self) -> Mapping[str, Table]:
        """The tables of all open lobbies, the oldest first."""

    @property
    def draining(self) -> bool:
        """Whether nothing new may begin here."""

    @property
    def directory(self) -> Path | None:
        """Where files are kept that outlive the daemon, if anywhere."""

    def chance_for(self, lobby: str, nth: int = 0) -> Chance:
        """Randomness for a lobby and its table.

        Where a key is used again, `nth` keeps the second lobby from repeating the first one.
        """

    @property
    def room(self) -> int:
        """How many more lobbies may be opened."""

    @property
    def has_room(self) -> bool:
        """Whether another lobby may be opened."""

    def has_room_for(self, opener: Client) -> bool:
        """Whether this client may open another lobby."""

    def has_enough(self, opener: Client) -> bool:
        """Whether clients of its address have opened as many lobbies as they may."""

    def opened_from(self, lobby: str) -> str | None:
        """The origin of the client that opened a lobby; None if it counts for nobody."""

    def is_crowded(self, lobby: str, client: Client, without: Client | None = None) -> bool:
        """Whether a lobby takes no more clients like this one, not even to watch.

        With `without`: whether it would not even if that one left.
        """

    def has_hung_up(self, client: Client) -> bool:
        """Whether a client is gone; `leave` comes a little late for one whose messages are held."""

    def exempts(self, host: str) -> bool:
        """Whether so many people share this address that nothing is counted for it."""

    def note_disk_failure(self) -> None:
        """Count a file that could not be written, so that operators see it."""


class Reception(Protocol):
    """The conversation outside of lobbies: plain methods that never wait, like a table's.

    Each happening is answered by its effects; the core performs them in order. A bug that a
    client's message reveals ends that client's connection and nothing else.
    """

    timers: Timers

    def begin(self) -> Effects:
        """The endpoint opens; lobbies that are always there can be opened now."""
        return ()

    def remember(self) -> Any:
        """Plain data that `recall` needs in another process, apart from tables and visitors."""
        return None

    def recall(self, memory: Any, clients: Sequence[Client]) -> Effects:
        """Continue where another process has stopped; called in place of `begin`.

        The tables are there again, and so are the clients, with their visitors, in the order in
        which they had connected. A client whose messages were held says its last one again. The
        memory is None if another version has written it in a way that cannot be read any more.
        """
        return ()

    def arrive(self, client: Client) -> Effects:
        """A client has connected."""
        return ()

    def receive(self, client: Client, message: Any) -> Effects:
        """A client that is in no lobby has said something."""

    def come_back(self, client: Client) -> Effects:
        """A client has been released from a lobby, or the lobby has closed."""
        return ()

    def leave(self, client: Client) -> Effects:
        """A client's connection is over; it has left its lobbies already."""
        return ()

    def time_up(self, timer: Hashable) -> Effects:
        """A timer is due."""
        return ()

    def informed(self, lobby: str, notice: Any) -> Effects:
        """A table has something to tell."""
        return ()

    def worked(self, about: Hashable, result: Any) -> Effects:
        """Something slow is done."""
        return ()


@runtime_checkable
class Organised(Protocol):
    """A reception that opens lobbies for organisers."""

    def open(self, opening: Opening) -> Effects:
        """Open one lobby, or raise OrderRefused."""


@runtime_checkable
class Seating(Protocol):
    """A reception that seats clients where an organiser wants them."""

    def seat(self, lobby: str, clients: Sequence[Client], spectator: bool) -> Effects:
        """Put waiting clients into a lobby, all or none, or raise OrderRefused."""


@runtime_checkable
class Adaptable(Protocol):
    """A reception that takes new settings while it is open."""

    def adopt(self, settings: Any) -> Effects:
        """Open lobbies with these settings from now on; those that are open keep theirs."""
