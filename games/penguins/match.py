"""The game of a room: who plays, how far it has come, and how it is scored."""

from collections.abc import Sequence

import attrs

from games.penguins.member import Member
from games.penguins.messages import Cause, Entry, Result
from games.penguins.rules import State, Team, score, winner
from ludothek.contract.client import Client
from ludothek.contract.effects import Ended
from ludothek.contract.results import ranked

TIMEOUTS = (Cause.SOFT_TIMEOUT, Cause.HARD_TIMEOUT)


@attrs.define
class Match:
    """Two members, as soon as both are there, and the state of their game."""

    members: list[Member]
    state: State
    before: State | None = None  # the last move

    def go_on(self, state: State) -> None:
        """A move has led to this state."""
        self.before, self.state = self.state, state

    @property
    def on_turn(self) -> Member:
        return self.members[self.state.team.index]

    @property
    def players(self) -> list[Client]:
        """The clients that play; one that holds both seats is named twice."""
        return [member.client for member in self.members if member.client is not None]

    def member_of(self, client: Client) -> Member | None:
        """Who the client is; if it has both seats, the first one, no matter whose turn it is."""
        for member in self.members:
            if member.client is client:
                return member
        return None

    # Scores

    def regular(self) -> Result:
        """The result of a game that was played to its end."""
        return self._result(score(self.state), winner(self.state))

    def awarded(self, to: Team) -> Result:
        """The result of a game that the organiser has decided."""
        return self._result([2 if member.team is to else 0 for member in self.members], to)

    def early(self, *, winner_on_timeout: bool) -> Result:
        """The result of a game that ended early: a player wins who did nothing wrong while the
        other one did.

        If neither did anything wrong, the game was cancelled and nobody wins. A player who was
        alone in a room wins without points, as on the original server.
        """
        reward = 2 * (len(self.members) - 1)
        points = [reward if self._has_won(member) else 0 for member in self.members]
        best = next((member.team for member in self.members if self._has_won(member)), None)
        violations = [member.violation for member in self.members if member.violation]
        if not winner_on_timeout and any(each.cause in TIMEOUTS for each in violations):
            best = None
        return self._result(points, best)

    def _has_won(self, member: Member) -> bool:
        others = [other for other in self.members if other is not member]
        return member.violation is None and all(other.violation for other in others)

    def _result(self, points: Sequence[int], best: Team | None) -> Result:
        entries = map(self._entry, self.members, points)
        return Result(tuple(entries), best)

    def _entry(self, member: Member, points: int) -> Entry:
        violation = member.violation
        return Entry(
            name=member.given_name,
            team=member.team,
            cause=violation.cause if violation else Cause.REGULAR,
            reason=violation.reason if violation else "",
            points=points,
            fish=self.state.fish[member.team.index],
        )

    def ended(self, result: Result) -> Ended:
        """The same for those outside the game: there it is fish that counts."""
        names = [
            (member.label, entry.fish)
            for member, entry in zip(self.members, result.scores, strict=True)
        ]
        place = None if result.winner is None else result.winner.index
        causes = [entry.cause for entry in result.scores if entry.cause is not Cause.REGULAR]
        undisturbed = "regular" if self.state.over else "aborted"
        return Ended(
            players=ranked(names, place, decided=self.state.over or place is not None),
            winner=None if place is None else names[place][0],
            reason=causes[0].value.lower() if causes else undisturbed,
            moves=self.state.turn,
        )
