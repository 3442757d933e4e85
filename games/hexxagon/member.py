"""A participant of a lobby, later a player of its game."""

import attrs

from games.hexxagon.visitor import Visitor
from ludothek.contract.client import Client
from ludothek.contract.names import has_control_characters, skeleton
from ludothek.kit import members

MAX_NAME = 64


def is_name(text: str) -> bool:
    """Any short text that can be seen; the standard asks for nothing in particular."""
    name = text.strip()
    return len(name) <= MAX_NAME and skeleton(name) != "" and not has_control_characters(name)


@attrs.frozen
class Admission:
    """The name that a client wants to join under."""

    name: str


@attrs.define(eq=False)
class Member(members.Member):
    """Somebody in a lobby."""

    client: Client
    name: str
    visitor: Visitor
