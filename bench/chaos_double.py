"""A Penguins player in two rooms of one connection."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from games.penguins.messages import Join, Joined, Left, Memento, Room
from ludothek.contract.player import Player, Utterance


class DoublePlayer:
    """Two players behind one connection; each hears only of its own room.

    Only one of them waits for an opponent at a time: otherwise they would be seated together.
    """

    def __init__(self, players: Sequence[Player]) -> None:
        self._players = players
        self._rooms: dict[str | None, Player] = {}
        self._idle = [*players]  # who want to join a room
        self._joining: Player | None = None
        self._waiting: str | None = None  # the room whose game has not begun

    def greet(self) -> Iterator[Utterance]:
        yield from self._join()

    def idle(self) -> Iterable[Utterance]:
        return ()

    def hear(self, message: Any) -> Iterator[Utterance]:
        match message:
            case Joined(room_id=room):
                assert self._joining is not None
                self._rooms[room], self._joining = self._joining, None
                self._waiting = room
                yield from self._rooms[room].hear(message)
            case Room(room_id=room) if room in self._rooms:
                yield from self._rooms[room].hear(message)
                if room == self._waiting and isinstance(message.data, Memento):
                    self._waiting = None
                    yield from self._join()
            case Left(room_id=room) if room in self._rooms:
                player = self._rooms.pop(room)
                said = player.hear(message)
                yield from (each for each in said if not isinstance(each, Join))
                self._idle.append(player)
                yield from self._join()

    def _join(self) -> Iterator[Utterance]:
        if self._idle and self._joining is None and self._waiting is None:
            self._joining = self._idle.pop(0)
            yield Join()
