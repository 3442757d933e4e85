"""What the reception knows besides tables and visitors, for another process that goes on."""

import attrs


@attrs.frozen
class Memory:
    """How many lobbies it has opened, and the next player id."""

    opened: int
    next_id: int
