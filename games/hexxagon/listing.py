"""The lobbies that wait for their game to start, as they are listed for clients."""

from collections import Counter
from collections.abc import Callable

from games.hexxagon.messages import AvailableLobbies, Lobby, Uuid
from games.hexxagon.table import HexxagonTable

# Clients on libwebsockets with a receive buffer of 64000 bytes take whatever fits into it for a
# whole message. The rest of an AvailableLobbies message needs less than 200 bytes.
MAX_LISTING_BYTES = 63_000
# The size of a lobby and of each of its participants, not counting the names.
LOBBY_BYTES, PARTICIPANT_BYTES = 130, 80


class Listing:
    """One message for everybody who asks, until a lobby has changed.

    The list is hundreds of times as long as the request for it, and one client may ask a thousand
    times per second.
    """

    def __init__(self, is_open: Callable[[HexxagonTable], bool]) -> None:
        self._is_open = is_open
        self._tables: list[HexxagonTable] = []
        self._told: list[Lobby] = []  # that the message was made of
        self._message = AvailableLobbies(available_lobbies=[])

    def add(self, table: HexxagonTable) -> None:
        self._tables.append(table)

    @property
    def waiting(self) -> list[HexxagonTable]:
        """The lobbies that are still waiting; one that has started or closed never waits again."""
        self._tables = [each for each in self._tables if each.waiting and self._is_open(each)]
        return self._tables

    def message(self) -> AvailableLobbies:
        lobbies = [table.lobby() for table in self.waiting]
        if lobbies != self._told:
            self._told = lobbies
            self._message = AvailableLobbies(available_lobbies=_as_many_as_fit(lobbies))
        return self._message

    def dispensable(self, silent_since: float, asking: Uuid | None) -> HexxagonTable | None:
        """The lobby that is closed to make room when the list is full, if there is one.

        First, one that nobody has joined and whose creator is gone. Second, one of the client with
        the most unjoined lobbies, if it has more than the asking client would have. Third, one
        where nobody has said anything since `silent_since`, but only if the asking client has none:
        clients that create many lobbies must not drive out people who wait for an opponent.
        """
        waiting = self.waiting
        if abandoned := [table for table in waiting if table.abandoned]:
            return min(abandoned, key=lambda table: table.abandoned_since)
        waiting = [table for table in waiting if table.creator is not None]  # not an organiser
        unjoined = [table for table in waiting if table.unjoined]
        shares = Counter(table.creator for table in unjoined)
        for greediest, share in shares.most_common(1):
            if share > shares[asking] + 1:
                return next(table for table in unjoined if table.creator == greediest)
        silent = [table for table in waiting if table.silent_since <= silent_since]
        if silent and not shares[asking]:
            return min(silent, key=lambda table: table.silent_since)
        return None


def _as_many_as_fit(lobbies: list[Lobby]) -> list[Lobby]:
    room = MAX_LISTING_BYTES
    for count, lobby in enumerate(lobbies):
        room -= _size(lobby)
        if room < 0:
            return lobbies[:count]
    return lobbies


def _size(lobby: Lobby) -> int:
    """The most bytes a lobby can take up in a listing, with quotes and backslashes doubled."""
    participants = [n for n in (lobby.player_one_user_name, lobby.player_two_user_name) if n]
    names = "".join((lobby.lobby_name, *participants))
    text = len(names.encode()) + names.count('"') + names.count("\\")
    return LOBBY_BYTES + PARTICIPANT_BYTES * len(participants) + text
