"""The chat of a lobby (chat mod): what was said, and how much may be said."""

from collections import deque
from collections.abc import Callable
from copy import copy

from games.quidditch.messages import GlobalChat, ReconnectChat
from games.quidditch.recipe import Talk
from ludothek.kit.chat import chat_cost
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

    def __init__(self, now: Callable[[], float], past: Talk | None = None) -> None:
        past = past or Talk(said=(), of_spectators=Bucket(OF_SPECTATORS, now()), of_users={})
        self._now = now
        self._said = deque(past.said, maxlen=REMEMBERED)
        self._of_spectators = copy(past.of_spectators)
        # By user name, including users who have left: coming back makes nobody louder.
        self._buckets = {name: copy(bucket) for name, bucket in past.of_users.items()}

    @property
    def talk(self) -> Talk:
        """All that a chat needs to continue elsewhere."""
        return Talk(
            said=tuple(self._said),
            of_spectators=copy(self._of_spectators),
            of_users={name: copy(bucket) for name, bucket in self._buckets.items()},
        )

    def say(self, user_name: str, information: str) -> GlobalChat:
        said = GlobalChat(user_name, information)
        self._said.append(said)
        return said

    @property
    def history(self) -> ReconnectChat:
        """«Die neuste Chat Nachricht ist am Ende des Arrays.»"""
        return ReconnectChat(list(self._said))

    def may_say(self, user_name: str, text: str, *, plays: bool) -> bool:
        """Whether a user may say something to everybody once more; if so, it is counted.

        Players never have to wait for spectators.
        """
        cost = chat_cost(text.encode()[:COUNTED_BYTES])
        if not self._bucket(user_name).afford(min(cost, OF_ONE.burst), self._now):
            return False
        return plays or self._of_spectators.afford(cost, self._now)

    def _bucket(self, user_name: str) -> Bucket:
        if user_name not in self._buckets:
            now = self._now()
            talkative = {n: each for n, each in self._buckets.items() if not each.is_full(now)}
            self._buckets = talkative | {user_name: Bucket(OF_ONE, now)}
        return self._buckets[user_name]
