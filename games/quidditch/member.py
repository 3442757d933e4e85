"""A user in a lobby, spectator or player."""

from collections.abc import Sequence

import attrs

from games.quidditch.messages import Lobbies
from games.quidditch.mods import Mod
from games.quidditch.recipe import Aftermath
from games.quidditch.visitor import Visitor
from ludothek.contract.client import Client
from ludothek.kit import members


@attrs.frozen(kw_only=True)
class Admission:
    """Lets in a user that has logged in; the visitor says who it is."""

    replaces_other: bool = False  # an older connection of the same user was closed for it
    lobbies: Lobbies | None = None  # if it has asked for them


@attrs.define(eq=False)
class Member(members.Member):
    """A user in the lobby. A player whose connection is gone may come back."""

    visitor: Visitor  # of its latest connection

    @property
    def name(self) -> str:
        return self.visitor.user_name


class Members(members.Members[Member]):
    """The users in a lobby, each listed once."""

    @classmethod
    def of_past(cls, past: Aftermath) -> "Members":
        """Those who were there before."""
        members = cls()
        of = {each: members.add(Member(None, each.visitor)) for each in past.members}
        for client in past.clients:
            members.connect(of[client], client)
        return members

    def find(self, user_name: str) -> Member | None:
        return next((member for member in self if member.name == user_name), None)

    def clients_with(self, mod: Mod) -> Sequence[Client]:
        return [each.client for each in self if each.client and mod in each.visitor.mods]
