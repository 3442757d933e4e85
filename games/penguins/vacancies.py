"""Which rooms have a free seat, found without searching all of them."""

from collections import deque
from collections.abc import Callable, Iterable

from games.penguins.table import PenguinsTable


class Vacancies:
    """Rooms with a free seat in the order in which they were opened, and seats behind a code.

    A seat that was taken never becomes free again, as its room ends with its player; so a room is
    looked at until it has no free seat, and then forgotten. Anybody may ask, a thousand times a
    second, while a thousand rooms are open. Rooms are remembered by their ids, so that none is
    kept alive after its end.
    """

    def __init__(self, find: Callable[[str], PenguinsTable | None]) -> None:
        self._find = find  # an open room by its id
        self._free: deque[str] = deque()
        self._reserved: dict[str, str] = {}  # by code

    def add(self, room: PenguinsTable) -> None:
        if room.has_room:
            # Nearly always empty: a client without a code opens a room only if none is here.
            self._free = deque([*filter(self._free_room, self._free), room.room_id])
        if codes := room.reservations:
            self._reserved = {
                code: self._reserved[code] for code in filter(self.reserved, self._reserved)
            }
            self._reserved |= dict.fromkeys(codes, room.room_id)

    def recall(self, rooms: Iterable[PenguinsTable]) -> None:
        """Know the rooms that another process has opened, the oldest first."""
        rooms = [*rooms]
        self._free = deque(room.room_id for room in rooms if room.has_room)
        self._reserved = {code: room.room_id for room in rooms for code in room.reservations}

    def first(self) -> PenguinsTable | None:
        """The oldest room that has a seat without a reservation."""
        while self._free:
            if room := self._free_room(self._free[0]):
                return room
            self._free.popleft()
        return None

    def reserved(self, code: str) -> PenguinsTable | None:
        """The room where a seat is reserved under that code."""
        room = self._find(self._reserved.get(code, ""))
        return room if room is not None and code in room.reservations else None

    def _free_room(self, room_id: str) -> PenguinsTable | None:
        room = self._find(room_id)
        return room if room is not None and room.has_room else None
