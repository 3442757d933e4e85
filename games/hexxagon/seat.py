"""A seat in a lobby: who may take it, and what happens to whom breaks the protocol there."""

from collections.abc import Iterator

import attrs
import structlog

from games.hexxagon.user import User
from ludothek.contract.names import has_control_characters, skeleton
from ludothek.contract.table import Effect, Kick, Send
from ludothek.runtime.client import Client
from transports import Farewell

log = structlog.get_logger()

MAX_NAME = 64


def is_name(text: str) -> bool:
    """Any short text that can be seen; the standard asks for nothing in particular."""
    name = text.strip()
    return len(name) <= MAX_NAME and skeleton(name) != "" and not has_control_characters(name)


@attrs.frozen
class Admission:
    """A user who wants to sit down, and the name it has chosen."""

    user: User
    name: str


@attrs.frozen(eq=False)
class Seat:
    """A participant of the lobby, later a player of the game."""

    client: Client
    user: User
    name: str


def strike(seat: Seat, reason: str) -> Iterator[Effect]:
    log.info("strike", reason=reason, count=seat.user.strikes + 1)
    yield Send(seat.client, seat.user.strike())
    if seat.user.struck_out:
        yield Kick(seat.client, Farewell.REFUSED)
