"""Everybody at the table: who they are, and what they have said about themselves."""

from collections.abc import Sequence

import attrs

from games.roborally import breaches
from games.roborally.messages import PlayerAdded, PlayerStatus
from games.roborally.recipe import Seat
from games.roborally.refusals import Refused
from ludothek.contract.client import Client
from ludothek.contract.names import has_control_characters, skeleton
from ludothek.kit import members

MAX_NAME = 32

# The client of 2019 counts its figures from 1, later ones from 0.
FIGURES = range(7)


@attrs.frozen
class Admission:
    """A client wants to come in; unless it already has a place here, it becomes this player."""

    player_id: int


@attrs.define(eq=False)
class Member(members.Member):
    """A client at the table; a player if it has a name and figure, perhaps with a robot."""

    player_id: int
    group: str
    since: float
    name: str = ""
    figure: int | None = None
    ready: bool = False

    @classmethod
    def on(cls, seat: Seat, now: float) -> "Member":
        """The member that has had this seat until now."""
        since = now - seat.seconds
        return cls(seat.client, seat.player_id, seat.group, since, seat.name, seat.figure)

    def seat(self, client: Client, now: float) -> Seat:
        """The seat that this member of a waiting table has; it is still connected."""
        return Seat(
            client=client,
            player_id=self.player_id,
            group=self.group,
            seconds=now - self.since,
            name=self.name,
            figure=self.figure,
        )

    @property
    def is_player(self) -> bool:
        return self.figure is not None

    @property
    def added(self) -> PlayerAdded:
        assert self.figure is not None
        return PlayerAdded(self.player_id, self.name, self.figure)

    @property
    def status(self) -> PlayerStatus:
        return PlayerStatus(self.player_id, self.ready)


class Members(members.Members[Member]):
    """Players, and clients that have not identified themselves yet."""

    @property
    def players(self) -> Sequence[Member]:
        return [member for member in self if member.is_player]

    @property
    def people(self) -> Sequence[Member]:
        """The connected players that are not bots of this daemon."""
        return [each for each in self.players if each.client and not each.client.hosted]

    @property
    def present(self) -> Sequence[tuple[Member, Client]]:
        return [(member, member.client) for member in self if member.client]

    @property
    def strangers(self) -> Sequence[tuple[Member, Client]]:
        """Those who only watch, or have not chosen a name and figure yet."""
        return [(member, client) for member, client in self.present if not member.is_player]

    def player(self, player_id: int) -> Member | None:
        return next((member for member in self.players if member.player_id == player_id), None)

    def lost(self, group: str) -> Member | None:
        """The disconnected player of a group.

        HelloServer has no player id, so only the group tells who comes back.
        """
        lost = (member for member in self.players if not member.client)
        return next((member for member in lost if member.group == group), None)

    def remove_lost(self) -> None:
        """Disconnected players can no longer come back."""
        for member in [each for each in self if not each.client]:
            self.remove(member)

    def set_values(self, member: Member, name: str, figure: int, most_players: int) -> None:
        """Give a member a name and a figure; raises Refused."""
        if member.ready:
            raise Refused(breaches.values_when_ready())
        if not member.is_player and len(self.players) >= most_players:
            raise Refused(breaches.no_seat(most_players))
        if objection := name_objection(name):
            raise Refused(breaches.bad_name(name, objection))
        if figure not in FIGURES:
            raise Refused(breaches.no_figure(figure, FIGURES[-1]))
        others = [other for other in self.players if other is not member]
        if skeleton(name) in (skeleton(other.name) for other in others):
            raise Refused(breaches.taken("name", name))
        if figure in (other.figure for other in others):
            raise Refused(breaches.taken("figure", figure))
        member.name, member.figure = name, figure
        if member.client:
            member.client.name = name


def name_objection(name: str) -> str | None:
    """Why a trimmed text cannot be a name, if it cannot."""
    if not name:
        return "The name is empty."
    if len(name) > MAX_NAME:
        return f"The name is longer than {MAX_NAME} characters."
    if has_control_characters(name):
        return "The name contains control characters."
    if not skeleton(name):
        return "The name cannot be seen."
    return None
