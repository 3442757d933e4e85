"""Who is in a lobby."""

from collections.abc import Callable, Sequence

import attrs

from games.quidditch.messages import Lobbies
from games.quidditch.mods import Mod
from ludothek.client import Client


@attrs.frozen(kw_only=True)
class Login:
    """Somebody who has proved who it is and wants to come in."""

    user_name: str
    is_artificial_intelligence: bool = False
    mods: frozenset[Mod] = frozenset()
    replaces_other: bool = False  # an older connection of the same user was closed for it
    lobbies: Callable[[], Lobbies] | None = None  # for those who want to know, once they are in


@attrs.define(eq=False)
class Member:
    """A user in the lobby, spectator or player."""

    login: Login
    client: Client | None  # None while a player is gone and may come back

    @property
    def name(self) -> str:
        return self.login.user_name


@attrs.define(eq=False)
class Company:
    """The members of a lobby, in the order in which they came."""

    _members: dict[str, Member] = attrs.field(factory=dict)

    def admit(self, login: Login, client: Client) -> Member:
        """Let somebody in; who is there already under that name is the same user."""
        member = self._members.setdefault(login.user_name, Member(login, client))
        member.login, member.client = login, client
        return member

    def dismiss(self, member: Member) -> None:
        self._members.pop(member.name, None)

    def dismiss_lost(self) -> None:
        self._members = {name: each for name, each in self._members.items() if each.client}

    def of(self, client: Client) -> Member | None:
        return next((each for each in self._members.values() if each.client is client), None)

    def find(self, user_name: str) -> Member | None:
        return self._members.get(user_name)

    @property
    def present(self) -> Sequence[Member]:
        return [each for each in self._members.values() if each.client]

    @property
    def clients(self) -> Sequence[Client]:
        return [each.client for each in self._members.values() if each.client]

    def clients_with(self, mod: Mod) -> Sequence[Client]:
        return [e.client for e in self._members.values() if e.client and mod in e.login.mods]

    def names(self, choose: Callable[[str], bool] = lambda name: True) -> tuple[str, ...]:
        return tuple(each.name for each in self.present if choose(each.name))
