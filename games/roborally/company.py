"""Everybody at the table, in the order in which they came."""

from collections.abc import Sequence

import attrs

from games.roborally.member import FIGURES, Guest, Member, name_objection
from ludothek.contract.names import skeleton
from ludothek.runtime.client import Client


@attrs.define(eq=False)
class Company:
    """The members of a table: players, and clients who have not said yet who they are."""

    _members: list[Member] = attrs.field(factory=list)

    def admit(self, player_id: int, guest: Guest, client: Client, now: float) -> Member:
        member = Member(player_id, guest, client, now)
        self._members.append(member)
        return member

    def dismiss(self, member: Member) -> None:
        self._members.remove(member)

    def dismiss_lost(self) -> None:
        self._members = [member for member in self._members if member.client]

    @property
    def players(self) -> Sequence[Member]:
        return [member for member in self._members if member.is_player]

    @property
    def people(self) -> Sequence[Member]:
        """The players that this daemon has not brought along."""
        return [each for each in self.players if each.client and not each.client.hosted]

    @property
    def strangers(self) -> Sequence[tuple[Member, Client]]:
        """Those who only watch, or have not chosen name and figure yet."""
        return [(member, client) for member, client in self.present if not member.is_player]

    @property
    def clients(self) -> Sequence[Client]:
        return [member.client for member in self._members if member.client]

    @property
    def present(self) -> Sequence[tuple[Member, Client]]:
        return [(member, member.client) for member in self._members if member.client]

    def of(self, client: Client) -> Member | None:
        return next((member for member in self._members if member.client is client), None)

    def player(self, player_id: int) -> Member | None:
        return next((member for member in self.players if member.player_id == player_id), None)

    def lost(self, guest: Guest) -> Member | None:
        """The member that a guest was before its connection was lost.

        HelloServer has no player id, so a group is all by which somebody is known again.
        """
        lost = (member for member in self.players if not member.client)
        return next((member for member in lost if member.guest.group == guest.group), None)

    def objection(self, member: Member, name: str, figure: int) -> str | None:
        """Why a member cannot have these values, if it cannot."""
        if problem := name_objection(name):
            return problem
        if figure not in FIGURES:
            return f"There is no figure {figure}; they are numbered from 0 to {FIGURES[-1]}."
        others = [other for other in self.players if other is not member]
        if skeleton(name) in (skeleton(other.name) for other in others):
            return "Another player has this name."
        if figure in (other.figure for other in others):
            return "Another player has this figure."
        return None
