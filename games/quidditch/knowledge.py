"""What a computer player knows about the current match, from what the server says."""

import random

from games.quidditch import rules
from games.quidditch.messages import MatchStart, Next, Reconnect
from games.quidditch.pace import rules_config
from games.quidditch.rules import Fixture, Side, State, Turn, TurnType
from games.quidditch.teams import line_up


class Knowledge:
    """A match as one client sees it, no matter who plays it."""

    def __init__(self, start: MatchStart, user_name: str) -> None:
        """Raises ValueError for an impossible team."""
        names = {start.left_team_user_name: Side.LEFT, start.right_team_user_name: Side.RIGHT}
        self.side = names.get(user_name)  # our own
        self.seen: rules.Snapshot | None = None
        self._fixture = Fixture(
            rules_config(start.match_config, carry_bludgers=True),
            line_up(start.left_team_config),
            line_up(start.right_team_config),
        )

    @classmethod
    def of(cls, reconnect: Reconnect, user_name: str) -> "Knowledge":
        """A match that has already begun; while teams line up there is no snapshot yet."""
        knowledge = cls(reconnect.match_start.message, user_name)
        if reconnect.snapshot is not None:
            knowledge.seen = reconnect.snapshot.message.snapshot
        return knowledge

    def state(self, question: Next, rng: random.Random) -> State | None:
        """The state from which to answer a question; None if it is not ours to answer."""
        turn = Turn(question.turn, question.type)
        if self.seen is None or not self._is_ours(turn):
            return None
        return rules.resume(self._fixture, self.seen, turn, rng)

    def _is_ours(self, turn: Turn) -> bool:
        """Whether to answer; some servers also ask balls, for which nobody can answer."""
        if turn.type is TurnType.FAN:
            return turn.entity.is_fan and turn.side is self.side
        return turn.entity.is_player and turn.side is self.side
