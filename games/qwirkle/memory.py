"""What the reception knows apart from tables and visitors, for the process that continues."""

from collections.abc import Sequence

import attrs


@attrs.frozen
class Memory:
    """Which ids are taken, and which open games need no organiser."""

    latest_id: int
    standing: Sequence[str]  # keys of games
