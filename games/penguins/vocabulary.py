"""What the two sides of the protocol say; the server says most of it in rooms."""

from typing import Any, get_args

from games.penguins.messages import (
    Error,
    ErrorPacket,
    Memento,
    MoveRequest,
    Packet,
    Paused,
    Request,
    Response,
    Result,
    Room,
    WelcomeMessage,
)
from ludothek.contract.vocabulary import Vocabulary


def _kind(message: Packet) -> type:
    inside: Any = message.data if isinstance(message, Room) else message
    return type(inside)


VOCABULARY = Vocabulary(
    requests=(*get_args(Request), Room),
    answers=(
        *get_args(Response),
        *(WelcomeMessage, Memento, MoveRequest, Error, Paused, Result),
        ErrorPacket,
    ),
    kind=_kind,
)
