"""What games and tournaments are made of: all that a table is before anything happens at it."""

import attrs

from games.qwirkle.configuration import Configuration
from games.qwirkle.settings import Settings


@attrs.frozen(kw_only=True)
class Recipe:
    """A game that waits for its players."""

    game_id: int
    name: str
    config: Configuration
    settings: Settings  # those `for_tables`
    tournament: str | None = None  # the key of the tournament it belongs to
    full_at: int = 0  # this many players start the game; 0: the organiser does


@attrs.frozen(kw_only=True)
class TournamentRecipe:
    """A tournament without participants."""

    key: str
    name: str
    config: Configuration
    settings: Settings
