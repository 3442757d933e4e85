"""What a player knows about the game it is playing."""

from typing import Any

import attrs

from games.penguins.messages import Error, Memento, MoveRequest, Result, WelcomeMessage
from games.penguins.rules import State, Team
from ludothek.contract.player import BrokenProtocol, Report


@attrs.define
class Knowledge:
    """One game, as far as the server has reported it."""

    team: Team | None = None
    state: State | None = None
    result: Result | None = None
    requests: int = 0  # for moves
    errors: int = 0

    def learn(self, data: Any) -> None:
        """Take in what is said in the room; raises BrokenProtocol."""
        match data:
            case WelcomeMessage(color=team):
                self.team = team
            case Memento(state=state):
                self.state = state
            case MoveRequest():
                self.requests += 1
            case Error():
                self.errors += 1
            case Result():
                self.result = data
            case _:
                raise BrokenProtocol(f"the server sent {type(data).__name__}")

    def report(self) -> Report:
        if self.result is None:
            raise BrokenProtocol("the room is gone without a result")
        winner = self.result.winner
        own = [entry for entry in self.result.scores if entry.team is self.team]
        return Report(
            winner=winner.value if winner else None,
            points={entry.team.value: entry.fish for entry in self.result.scores},
            moves=self.requests,
            errors=self.errors,
            details={
                "won": winner is not None and winner is self.team,
                "team": self.team.value if self.team else None,
                "cause": own[0].cause.value if own else None,
            },
        )
