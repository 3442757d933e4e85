"""A participant in a lobby, later a player in its game."""

import attrs

from games.hexxagon.visitor import Visitor
from ludothek.contract.client import Client
from ludothek.contract.names import has_control_characters, skeleton
from ludothek.kit import members

MAX_NAME = 64


def is_name(text: str) -> bool:
    """Any short visible text; the standard makes no demands."""
    name = text.strip()
    return len(name) <= MAX_NAME and skeleton(name) != "" and not has_control_characters(name)


@attrs.frozen
class Admission:
    """The name that a client wants to join under."""

    name: str


@attrs.define(eq=False)
class Member(members.Member):
    """A client in a lobby."""

    client: Client
    name: str
    visitor: Visitor
