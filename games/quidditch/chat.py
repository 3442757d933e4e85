"""The chat of a lobby (Chat-mod)."""

from collections import deque

from games.quidditch.messages import GlobalChat, ReconnectChat

REMEMBERED = 10


class Chat:
    """What was said, as far back as somebody who comes back is told."""

    def __init__(self) -> None:
        self._said: deque[GlobalChat] = deque(maxlen=REMEMBERED)

    def say(self, user_name: str, information: str) -> GlobalChat:
        said = GlobalChat(user_name, information)
        self._said.append(said)
        return said

    @property
    def history(self) -> ReconnectChat:
        """«Die neuste Chat Nachricht ist am Ende des Arrays.»"""
        return ReconnectChat(list(self._said))
