"""Playing on from a position of a record: lobbies whose matches begin in the middle."""

from typing import TYPE_CHECKING

from ludothek.contract.effects import Effects
from ludothek.contract.game import Game
from ludothek.contract.table import Table
from ludothek.runtime.lobby import Lobby
from ludothek.runtime.record import Record
from ludothek.runtime.replay import Replay
from ludothek.runtime.rerun import Prologue

if TYPE_CHECKING:
    from ludothek.runtime.hall import Hall


class CannotGoOn(Exception):
    """Nobody can play on from there; the text says why."""


class Continuation:
    """The position after a note of a record, in which others can take the seats."""

    def __init__(self, game: Game, record: Record, place: int) -> None:
        """Raises Differs if the record cannot be repeated, and CannotGoOn."""
        if game.take_over is None:
            raise CannotGoOn(f"nobody can enter a match of {game.title} in the middle")
        replay = Replay(game, record)
        while replay.done < place:
            replay.step()
        if replay.rerun.began is None or replay.bug is not None:
            raise CannotGoOn(f"no match is running after note {place}")
        self.game = game
        self.prologue = Prologue(record.beginning, record.notes[:place])
        self.settings = game.gather(replay.rerun.table)


class ContinuedLobby(Lobby):
    """A lobby like any other, until a match begins in it: that one continues another."""

    def __init__(
        self,
        continuation: Continuation,
        hall: "Hall",
        key: str,
        table: Table,
        seed: int | str = 0,
    ) -> None:
        self._game, self._prologue = continuation.game, continuation.prologue
        super().__init__(hall, key, table, seed, continuation.prologue)

    def _perform_all(self, effects: Effects) -> int:
        return super()._perform_all(self._prologue.go_on(self._game, self.table, effects))
