"""Who takes part in a game, as a player or as a spectator."""

import attrs

from games.qwirkle.messages import ClientInfo, ClientType, News
from games.qwirkle.refusals import Standing
from ludothek.contract.client import Client
from ludothek.contract.effects import Send
from ludothek.kit import members


@attrs.frozen
class Admission:
    """In which role a client of some type wants to take part, or is made to."""

    client_type: ClientType
    spectator: bool


@attrs.define(eq=False)
class Member(members.Member):
    """A client in a game; a PLAYER who watches is shown as a SPECTATOR meanwhile."""

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


class Members(members.Members[Member]):
    """The players and spectators of a game, in the order in which they came."""

    @property
    def spectators(self) -> list[Member]:
        return [member for member in self if not member.is_player]

    def player(self, client_id: int) -> Member:
        return next(member for member in self if member.info.client_id == client_id)

    def tell(self, news: News) -> Send:
        return Send(self.clients, news)

    def tell_spectators(self, news: News) -> Send:
        return Send([member.client for member in self.spectators], news)
