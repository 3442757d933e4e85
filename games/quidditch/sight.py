"""What everybody has been shown of a match, which may be less than has happened."""

import attrs

from games.quidditch import rules
from games.quidditch.messages import Contained
from games.quidditch.rules import Delta, Turn


@attrs.define
class Sight:
    """The last snapshot, how it came about, and who is known to be asked."""

    shown: Contained | None = None  # the last snapshot, as it was sent
    moves: int = 0  # answers whose outcome was shown, at least in part
    deltas: list[Delta] = attrs.field(factory=list)  # since somebody was last asked
    asked: Turn | None = None  # until the outcome of the answer is shown

    @property
    def snapshot(self) -> rules.Snapshot | None:
        return self.shown.message.snapshot if self.shown else None

    def show(self, snapshot: Contained, answers: int) -> None:
        """Everybody gets a snapshot, after that many answers."""
        if self.asked is not None:
            self.asked = None
            self.deltas.clear()
        self.shown, self.moves = snapshot, answers
        self.deltas.append(snapshot.message.snapshot.delta)

    def ask(self, turn: Turn) -> None:
        """Everybody learns whose turn it is."""
        self.asked = turn
