"""What the table of a port is made of: all that it is before a game."""

from collections.abc import Sequence

import attrs

from games.roborally.rules import Course
from games.roborally.settings import Settings
from ludothek.contract.client import Client


@attrs.frozen(kw_only=True)
class Seat:
    """Somebody who is at the table already; a player if it has a figure."""

    client: Client
    player_id: int
    group: str
    seconds: float  # for which it has been here
    name: str
    figure: int | None


@attrs.frozen(kw_only=True)
class Recipe:
    """A table at which no game is running, and nobody is ready."""

    course: Course  # all of it: the file that it is from may change
    settings: Settings  # those `for_tables`
    seats: Sequence[Seat] = ()  # in the order in which they came
