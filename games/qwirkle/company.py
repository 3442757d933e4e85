"""Who takes part in a game, as a player or as a spectator."""

from collections.abc import Iterator

import attrs

from games.qwirkle.messages import ClientInfo, ClientType, News
from games.qwirkle.rights import Standing
from ludothek.contract.table import Send
from ludothek.runtime.client import Client


@attrs.frozen
class Admission:
    """As what a client of a type wants, or is made, to take part."""

    client_type: ClientType
    spectator: bool


@attrs.frozen(eq=False)
class Member:
    """A client of a game; a PLAYER who watches is shown as a SPECTATOR meanwhile."""

    client: Client
    info: ClientInfo
    standing: Standing

    @classmethod
    def of(cls, client: Client, admission: Admission) -> "Member":
        shown = ClientType.SPECTATOR if admission.spectator else ClientType.PLAYER
        return cls(client, ClientInfo(client.number, client.name, shown), _standing(admission))

    @property
    def is_player(self) -> bool:
        return self.standing is Standing.PLAYER


def _standing(admission: Admission) -> Standing:
    if not admission.spectator:
        return Standing.PLAYER
    if admission.client_type is ClientType.PLAYER:
        return Standing.SPECTATING_PLAYER
    return Standing.SPECTATOR


@attrs.define(eq=False)
class Company:
    """The members of a game, in the order in which they came."""

    _members: dict[Client, Member] = attrs.field(factory=dict)

    def add(self, member: Member) -> None:
        self._members[member.client] = member

    def remove(self, member: Member) -> None:
        del self._members[member.client]

    def get(self, client: Client) -> Member | None:
        return self._members.get(client)

    def __iter__(self) -> Iterator[Member]:
        return iter(tuple(self._members.values()))

    @property
    def spectators(self) -> list[Member]:
        return [member for member in self if not member.is_player]

    def player(self, client_id: int) -> Member:
        return next(member for member in self if member.info.client_id == client_id)

    def tell(self, news: News) -> Send:
        return Send(tuple(self._members), news)

    def tell_spectators(self, news: News) -> Send:
        return Send([member.client for member in self.spectators], news)
