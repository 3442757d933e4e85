"""What the reception and the table tell each other."""

import attrs

from ludothek.contract.client import Client


@attrs.frozen
class MakeRoom:
    """Others need the place of a client that only watches."""

    client: Client


@attrs.frozen
class IdTaken:
    """The client admitted last is a new member, and has the id of its admission."""
