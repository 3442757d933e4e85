"""What a lobby is made of, so that it can be made again elsewhere."""

import attrs

from games.hexxagon.messages import Uuid
from games.hexxagon.settings import Settings


@attrs.frozen(kw_only=True)
class Recipe:
    """Everything about a new lobby but time and chance."""

    lobby_id: Uuid
    name: str
    settings: Settings
    creator: Uuid | None = None  # None: an organiser
    private: bool = False  # not listed; whoever knows its id may join
