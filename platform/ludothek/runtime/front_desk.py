"""The front desk of a hall, where the reception looks things up."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from ludothek.contract.chance import Chance
from ludothek.contract.client import Client
from ludothek.contract.clock import Clock
from ludothek.contract.table import Table
from ludothek.runtime.connection import connection
from ludothek.runtime.quotas import Quotas
from ludothek.storage.state import StateDirectory

if TYPE_CHECKING:
    from ludothek.runtime.hall import Hall


class FrontDesk:
    """It knows the hall, and changes nothing there."""

    def __init__(
        self, hall: "Hall", chance: Chance, quotas: Quotas, state: StateDirectory | None
    ) -> None:
        self._hall = hall
        self._chance = chance
        self.ids = chance.child("ids").random()
        self._quotas = quotas
        self._state = state

    @property
    def clock(self) -> Clock:
        return self._hall.clock

    @property
    def tables(self) -> Mapping[str, Table]:
        return self._hall.tables

    @property
    def draining(self) -> bool:
        return self._hall.draining

    @property
    def directory(self) -> Path | None:
        return self._state.path if self._state else None

    def note_disk_failure(self) -> None:
        if self._state is not None:
            self._state.count_failure()

    # Randomness

    def draw_other_ids(self, *names: int) -> None:
        """Draw ids that the process before this one has not drawn."""
        self.ids = self._chance.child("ids", *names).random()

    def chance_for(self, lobby: str, nth: int = 0) -> Chance:
        return self._chance.child("lobby", lobby, *([nth] if nth else []))

    # Limits

    @property
    def room(self) -> int:
        most = self._quotas.limits.max_lobbies
        return 0 if self.draining else max(0, most - len(self._hall.lobbies))

    @property
    def has_room(self) -> bool:
        return self.room > 0

    def has_room_for(self, opener: Client) -> bool:
        return self.has_room and not self.has_enough(opener)

    def has_enough(self, opener: Client) -> bool:
        return self._quotas.has_enough(opener)

    def is_crowded(self, lobby: str, client: Client, without: Client | None = None) -> bool:
        return self._quotas.is_crowded(self._hall.lobbies[lobby], client, without)

    def exempts(self, host: str) -> bool:
        return self._quotas.limits.exempts(host)

    # Lobbies and clients

    def opened_from(self, lobby: str) -> str | None:
        return self._hall.lobbies[lobby].opened_from

    def has_hung_up(self, client: Client) -> bool:
        return connection(client).gone
