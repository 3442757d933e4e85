"""What a table is told by the daemon or by the organiser, not by a client."""

import attrs

from ludothek.client import Client


@attrs.frozen
class Shutdown:
    """The daemon ends; say goodbye in the protocol's words and close."""


@attrs.frozen
class Fault:
    """A bug has ended this lobby; say goodbye as well as the table still can."""


@attrs.frozen
class Start:
    """Begin the match."""


@attrs.frozen
class Pause:
    """Stop all clocks and accept no moves."""


@attrs.frozen
class Resume:
    """Go on after a pause."""


@attrs.frozen
class Step:
    """While paused, let one move be made."""


@attrs.frozen
class Abort:
    """End the match, or the lobby before it, at once."""

    winner: Client | None = None


Order = Shutdown | Fault | Start | Pause | Resume | Step | Abort


class OrderRefused(Exception):
    """A table cannot obey, ever or at this moment; the text says why."""
