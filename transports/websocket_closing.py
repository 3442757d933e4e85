"""How far a WebSocket connection is closed."""

import attrs


@attrs.define(eq=False)
class Closing:
    """What has happened so far; most connections have none of it until their end."""

    code: int | None = None  # the peer's or ours, once a close frame was sent
    parted: bool = False  # the peer has sent its close frame
    broken: str = ""  # how the peer has broken RFC 6455
