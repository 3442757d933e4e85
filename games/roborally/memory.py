"""What the reception knows apart from tables and visitors, for the process that continues."""

import attrs


@attrs.frozen
class Memory:
    """How many lobbies it has opened, and the next player id."""

    opened: int
    next_id: int
