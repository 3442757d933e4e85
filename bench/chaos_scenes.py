"""Which match a message belongs to, and whether it begins or ends there, for every game."""

from collections.abc import Callable, Mapping
from typing import Any

import attrs

from games.hexxagon import messages as hexxagon
from games.penguins import messages as penguins
from games.quidditch import messages as quidditch
from games.qwirkle import messages as qwirkle
from games.roborally import messages as roborally


@attrs.frozen
class Scene:
    """Where a message is heard."""

    match: str | None = None  # None: outside of all
    begins: bool = False
    ends: bool = False


OUTSIDE = Scene()


class HexxagonScenes:
    """One game at a time, each with an id of its own."""

    def __init__(self, place: str) -> None:
        pass

    def of(self, message: Any) -> Scene:
        match message:
            case hexxagon.GameStarted(game_id=game_id):
                return Scene(f"hexxagon {game_id}", begins=True)
            case hexxagon.GameStatus(game_id=game_id, is_closed=ends):
                return Scene(f"hexxagon {game_id}", ends=ends)
        return OUTSIDE


class PenguinsScenes:
    """Any number of rooms at a time; a game begins with its first state.

    Players report it when they have left the room, which follows the result.
    """

    def __init__(self, place: str) -> None:
        self._open: set[str | None] = set()

    def of(self, message: Any) -> Scene:
        if isinstance(message, penguins.Left):
            return Scene(f"penguins {message.room_id}")
        if not isinstance(message, penguins.Room):
            return OUTSIDE
        room = message.room_id
        begins = isinstance(message.data, penguins.Memento) and room not in self._open
        ends = isinstance(message.data, penguins.Result)
        if begins:
            self._open.add(room)
        elif room not in self._open:
            return OUTSIDE
        if ends:
            self._open.remove(room)
        return Scene(f"penguins {room}", begins, ends)


class QwirkleScenes:
    """One game at a time, which is joined before it begins."""

    def __init__(self, place: str) -> None:
        self._joined: str | None = None
        self._open = False

    def of(self, message: Any) -> Scene:
        match message:
            case qwirkle.GameJoinAccepted(game=game) | qwirkle.SpectatorJoinAccepted(game=game):
                self._joined = f"qwirkle {game.game_id}"
            case qwirkle.StartGame():
                self._open = True
                return Scene(self._joined, begins=True)
            case qwirkle.Winner():
                self._open = False
                return Scene(self._joined, ends=True)
        return Scene(self._joined) if self._open else OUTSIDE


class CountedScenes:
    """One match after another at the same place; everybody there hears all of them."""

    def __init__(self, place: str, first: type, last: type) -> None:
        self._place = place
        self._first, self._last = first, last
        self._count = 0
        self._open = False

    def of(self, message: Any) -> Scene:
        begins, ends = isinstance(message, self._first), isinstance(message, self._last)
        self._count += begins
        if not (self._open or begins):
            return OUTSIDE
        self._open = not ends
        return Scene(f"{self._place}, match {self._count}", begins, ends)


# Made for the place at which a client plays.
SCENES: Mapping[str, Callable[[str], Any]] = {
    "hexxagon": HexxagonScenes,
    "penguins": PenguinsScenes,
    "quidditch": lambda place: CountedScenes(place, quidditch.MatchStart, quidditch.MatchFinish),
    "qwirkle": QwirkleScenes,
    "roborally": lambda place: CountedScenes(place, roborally.GameStarted, roborally.GameFinished),
}
