"""What members may say in every lobby and game: who they are, and chat."""

from collections.abc import Callable, Iterator

from games.roborally.company import Company
from games.roborally.member import Member
from games.roborally.messages import TO_ALL, PlayerValues, ReceivedChat, SendChat
from ludothek.contract.table import Send
from transports import Rate

# Longer than anybody reads; six players see every word of it.
MAX_CHAT = 1000

# Faster than anybody writes. Whoever thinks does not read, and is dropped if too much waits for it.
CHATS = Rate(per_second=1, burst=10)


class Refused(Exception):
    """Something cannot be done at this moment; the text says why."""


def set_values(
    company: Company, member: Member, values: PlayerValues, most_players: int
) -> Iterator[Send]:
    if member.ready:
        raise Refused("Take your readiness back before you change your values.")
    if not member.is_player and len(company.players) >= most_players:
        raise Refused(f"There are {most_players} players already.")
    name = values.name.strip()
    if objection := company.objection(member, name, values.figure):
        raise Refused(objection)
    member.name, member.figure = name, values.figure
    if member.client:
        member.client.name = name
    yield Send(company.clients, member.added)


def chat(
    company: Company, member: Member, said: SendChat, clock: Callable[[], float]
) -> Iterator[Send]:
    if not member.is_player:
        raise Refused("Say who you are with PlayerValues before you chat.")
    if len(said.message) > MAX_CHAT:
        raise Refused(f"A chat message has at most {MAX_CHAT} characters.")
    if member.client is not None and not member.client.may_chat(said.message, CHATS, clock):
        raise Refused("Too many chat messages in a short time.")
    if said.to == TO_ALL:
        yield Send(company.clients, ReceivedChat(said.message, member.player_id, False))
        return
    addressee = company.player(said.to)
    if addressee is None or addressee.client is None:
        raise Refused(f"There is no player {said.to}.")
    yield Send(addressee.client, ReceivedChat(said.message, member.player_id, True))
