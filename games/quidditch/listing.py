"""The list of lobbies (lobby mod)."""

from collections.abc import Iterable

from games.quidditch.messages import Lobbies, LobbyEntry


class Listing:
    """One message for everybody, encoded only once, until something about a lobby changes."""

    def __init__(self) -> None:
        self._message = Lobbies([])

    def message(self, lobbies: Iterable[LobbyEntry]) -> Lobbies:
        entries = list(lobbies)
        if entries != self._message.lobbies:
            self._message = Lobbies(entries)
        return self._message
