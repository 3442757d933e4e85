"""The chat of a lobby (chat mod): what was said, and how much may be."""

from collections import deque
from collections.abc import Callable

from games.quidditch.member import Member
from games.quidditch.messages import GlobalChat, ReconnectChat
from ludothek.contract.client import Client
from ludothek.kit.chat import chat_cost, may_chat
from transports import Bucket, Rate

REMEMBERED = 10

# What one user may say to everybody, so that neither slow readers nor replays are flooded.
OF_ONE = Rate(per_second=1, burst=20)
# What all spectators may say together: somebody with many names is still one person.
OF_SPECTATORS = Rate(per_second=5, burst=50)
# Bytes of a text that count, so that whatever `chat_length` allows can be said.
COUNTED_BYTES = 1000


class Chat:
    """Remembers what was said, as far back as somebody who comes back is told, and how much."""

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._said: deque[GlobalChat] = deque(maxlen=REMEMBERED)
        self._of_spectators = Bucket(OF_SPECTATORS, now())
        # What those who have left may still say: coming back makes nobody louder.
        self._left: dict[str, Bucket] = {}

    def say(self, user_name: str, information: str) -> GlobalChat:
        said = GlobalChat(user_name, information)
        self._said.append(said)
        return said

    @property
    def history(self) -> ReconnectChat:
        """«Die neuste Chat Nachricht ist am Ende des Arrays.»"""
        return ReconnectChat(list(self._said))

    # How much may be said

    def may_say(self, client: Client, text: str, *, plays: bool) -> bool:
        """Whether somebody may say something to everybody once more, which it does then.

        Players never have to wait for spectators.
        """
        counted = text.encode()[:COUNTED_BYTES]
        if not may_chat(client, counted, OF_ONE, self._now):
            return False
        return plays or self._of_spectators.afford(chat_cost(counted), self._now)

    def enter(self, client: Client, member: Member | None) -> None:
        """A user comes in, who may be here on another connection."""
        here = member.client if member else None
        client.chats = here.chats if here else self._left.pop(client.visitor.user_name, None)

    def leave(self, client: Client) -> None:
        """A user's connection is gone."""
        now = self._now()
        self._left = {name: each for name, each in self._left.items() if not each.is_full(now)}
        if client.chats is not None:
            self._left[client.visitor.user_name] = client.chats
