"""Chat between the members of a lobby, before and during a game."""

from collections.abc import Callable

from games.roborally import breaches
from games.roborally.member import Member, Members
from games.roborally.messages import TO_ALL, ReceivedChat, SendChat
from games.roborally.refusals import Refused
from ludothek.contract.effects import Send
from ludothek.kit.chat import may_chat
from transports import Rate

# Longer than anybody reads; six players see every word of it.
MAX_CHAT = 1000

# Faster than anybody writes. Clients do not read while they think, and are dropped if too much
# waits for them.
CHATS = Rate(per_second=1, burst=10)


def chat(members: Members, member: Member, said: SendChat, clock: Callable[[], float]) -> Send:
    """Pass on what a member says; raises Refused."""
    if not member.is_player:
        raise Refused(breaches.chat_of_stranger())
    if len(said.message) > MAX_CHAT:
        raise Refused(breaches.long_chat(said, MAX_CHAT))
    if member.client and not may_chat(member.client, said.message, CHATS, clock):
        raise Refused(breaches.much_chat())
    if said.to == TO_ALL:
        return Send(members.clients, ReceivedChat(said.message, member.player_id, False))
    addressee = members.player(said.to)
    if addressee is None or addressee.client is None:
        raise Refused(breaches.no_addressee(said.to))
    return Send(addressee.client, ReceivedChat(said.message, member.player_id, True))
