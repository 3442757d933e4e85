"""What a room is made of, so that it can be made again elsewhere."""

from collections.abc import Sequence

import attrs

from games.penguins.rules import Team
from games.penguins.settings import Settings


@attrs.frozen
class Seat:
    """A side of a prepared game; with a reservation, only its code opens it."""

    team: Team
    name: str
    can_timeout: bool
    reservation: str | None


@attrs.frozen(kw_only=True)
class Recipe:
    """Everything about a new room but time and chance."""

    room_id: str
    settings: Settings  # without the password: others may read the record of a game
    seats: Sequence[Seat] = ()
    paused: bool = False
    name: str | None = None  # for organisers; the protocol has none
