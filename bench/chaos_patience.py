"""Players that can wait: an organiser pauses their match now and then.

A pause may cross a move on the wire. The move is refused then, and has to be made again when the
match goes on. If it was not refused, the server gets it after the pause, and it must not be made
twice.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from games.quidditch import messages as quidditch
from games.quidditch.refusals import Notice
from games.qwirkle import messages as qwirkle
from games.roborally import messages as roborally
from ludothek.contract.player import Player, Report, Utterance

QWIRKLE_MOVES = (qwirkle.PlayTiles.unique_id, qwirkle.TileSwapRequest.unique_id)
PAUSED_GAME = "ours.paused"  # the clause at the beginning of the error


class Patience:
    """Plays like the player it is made of; the other games need no more."""

    def __init__(self, player: Player) -> None:
        self.player = player
        self.refusals = 0  # because of a pause

    def greet(self) -> Iterable[Utterance]:
        return self.player.greet()

    def idle(self) -> Iterable[Utterance]:
        return self.player.idle()

    def hear(self, message: Any) -> Iterable[Utterance]:
        return self.player.hear(message)


class QuidditchPatience(Patience):
    """After a pause the open question is asked again."""

    _question: tuple[Any, Any] | None = None  # asked, and our answer was not refused

    def hear(self, message: Any) -> Iterable[Utterance]:
        match message:
            case quidditch.Snapshot():
                self._question = None
            case quidditch.PrivateWarning(code=code) if code == Notice.PAUSED.value[0]:
                self.refusals += 1
                self._question = None
                return ()
            case quidditch.Next(turn=turn, type=kind):
                again, self._question = self._question, (turn, kind)
                if again == (turn, kind):
                    return ()
        return self.player.hear(message)


class QwirklePatience(Patience):
    """The player moves once more after every pause; that is right only if its move was refused."""

    _refused = False

    def hear(self, message: Any) -> Iterable[Utterance]:
        match message:
            case qwirkle.NotAllowed(cause_id=cause) if cause in QWIRKLE_MOVES:
                self.refusals += 1
                self._refused = True
                return ()
            case qwirkle.ResumeGame():
                refused, self._refused = self._refused, False
                if not refused:
                    return ()
        return self.player.hear(message)


class RoboRallyPatience(Patience):
    """Nobody is told of a pause or its end: whoever is refused tries again."""

    _said: Utterance = None

    def hear(self, message: Any) -> Iterator[Utterance]:
        if isinstance(message, roborally.Error) and message.error.startswith(PAUSED_GAME):
            self.refusals += 1
            yield self._said
            return
        for utterance in self.player.hear(message):
            if not isinstance(utterance, Report):
                self._said = utterance
            yield utterance


PATIENCE: Mapping[str, Callable[[Player], Patience]] = {
    "hexxagon": Patience,
    "penguins": Patience,
    "quidditch": QuidditchPatience,
    "qwirkle": QwirklePatience,
    "roborally": RoboRallyPatience,
}
