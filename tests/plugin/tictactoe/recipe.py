"""What a table is made of, so that it can be made again elsewhere."""

import attrs

from tictactoe.settings import Settings


@attrs.frozen(kw_only=True)
class Recipe:
    """Everything about a new table but time and chance: plain data."""

    key: str
    name: str
    settings: Settings
