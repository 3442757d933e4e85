"""What the reception knows besides tables and visitors, for another process that goes on."""

import attrs


@attrs.frozen
class Memory:
    """How many lobbies it has opened, and who comes next."""

    opened: int
    next_id: int
