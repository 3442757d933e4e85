"""What the reception knows besides tables and visitors, for another process that goes on."""

from collections.abc import Sequence

import attrs


@attrs.frozen
class Memory:
    """Which ids are taken, and which open games need no organiser."""

    latest_id: int
    standing: Sequence[str]  # keys of games
