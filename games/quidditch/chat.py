"""The chat of a lobby (chat mod): what was said, and how much may be said."""

from collections import deque
from collections.abc import Callable

from games.quidditch.messages import GlobalChat, ReconnectChat
from ludothek.contract.client import Client
from ludothek.kit.chat import chat_cost, may_chat
from transports import Bucket, Rate

REMEMBERED = 10

# How much one user may say to everybody, so that neither slow readers nor replays are flooded.
OF_ONE = Rate(per_second=1, burst=20)
# How much all spectators together may say: somebody with many names is still one person.
OF_SPECTATORS = Rate(per_second=5, burst=50)
# Bytes of a text that are counted, so that whatever `chat_length` allows can be said.
COUNTED_BYTES = 1000


class Chat:
    """Remembers what was said, as far back as returning clients are told, and how much."""

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._said: deque[GlobalChat] = deque(maxlen=REMEMBERED)
        self._of_spectators = Bucket(OF_SPECTATORS, now())
        # By user name, including users who have left: coming back makes nobody louder.
        self._buckets: dict[str, Bucket] = {}

    def say(self, user_name: str, information: str) -> GlobalChat:
        said = GlobalChat(user_name, information)
        self._said.append(said)
        return said

    @property
    def history(self) -> ReconnectChat:
        """«Die neuste Chat Nachricht ist am Ende des Arrays.»"""
        return ReconnectChat(list(self._said))

    def may_say(self, client: Client, text: str, *, plays: bool) -> bool:
        """Whether a user may say something to everybody once more; if so, it is counted.

        Players never have to wait for spectators.
        """
        client.chats = self._bucket(client.visitor.user_name)
        counted = text.encode()[:COUNTED_BYTES]
        if not may_chat(client, counted, OF_ONE, self._now):
            return False
        return plays or self._of_spectators.afford(chat_cost(counted), self._now)

    def _bucket(self, user_name: str) -> Bucket:
        if user_name not in self._buckets:
            now = self._now()
            talkative = {n: each for n, each in self._buckets.items() if not each.is_full(now)}
            self._buckets = talkative | {user_name: Bucket(OF_ONE, now)}
        return self._buckets[user_name]
