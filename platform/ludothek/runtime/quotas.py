"""Quotas: how many lobbies, and seats in a lobby, clients of one origin may have."""

from collections import Counter
from typing import TYPE_CHECKING

from ludothek.contract.client import Client
from ludothek.settings.limits import Limits

if TYPE_CHECKING:
    from ludothek.runtime.lobby import Lobby


class Quotas:
    """Of one endpoint; bots of our own and exempt hosts are not counted."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self._lobbies: Counter[str] = Counter()  # the open ones, by the origin of their openers

    def open(self, lobby: "Lobby") -> None:
        """A lobby counts from now on."""
        if lobby.opened_from is not None:
            self._lobbies[lobby.opened_from] += 1

    def close(self, lobby: "Lobby") -> None:
        """A lobby counts no longer."""
        if (place := lobby.opened_from) is not None:
            self._lobbies[place] -= 1
            if not self._lobbies[place]:
                del self._lobbies[place]

    def has_enough(self, opener: Client) -> bool:
        """Whether as many lobbies are open as clients of its origin may open."""
        most = self.limits.max_lobbies_per_address
        return 0 < most <= self._lobbies[opener.origin] and self._is_counted(opener)

    def is_crowded(self, lobby: "Lobby", client: Client, without: Client | None = None) -> bool:
        """Whether a client does not fit into a lobby, even if another one leaves it."""
        summary = lobby.table.summary
        everybody = len(summary.players) + len(summary.spectators)
        if everybody - (without is not None) >= self.limits.max_clients_per_lobby:
            return True
        most = self.limits.max_clients_per_lobby_and_address
        there = lobby.clients_from(client.origin)
        if without is not None and without.origin == client.origin:
            there -= 1
        return 0 < most <= there and self._is_counted(client)

    def _is_counted(self, client: Client) -> bool:
        return not client.hosted and self.limits.counts(client.host)
