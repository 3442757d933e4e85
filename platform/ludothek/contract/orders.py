"""What the daemon or an organiser wants of a table or a reception."""

from collections.abc import Mapping, Sequence
from typing import Any

import attrs

from ludothek.contract.client import Client


@attrs.frozen
class Shutdown:
    """The daemon shuts down; say goodbye in the protocol's words and close."""


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
    """Continue after a pause."""


@attrs.frozen
class Step:
    """While paused, let one move be made."""


@attrs.frozen
class Abort:
    """End the match, or the lobby before it, at once."""

    winner: Client | None = None


@attrs.frozen
class Arrange:
    """Before the match, set the order of turns; None: a random one."""

    players: Sequence[Client] | None = None


@attrs.frozen
class Expel:
    """Send a client from this lobby back to where it came from; it stays connected."""

    client: Client


Order = Shutdown | Fault | Start | Pause | Resume | Step | Abort | Arrange | Expel


@attrs.frozen
class File:
    """A file that somebody else has read, since the daemon may be unable to."""

    name: str  # for error messages
    content: bytes


@attrs.frozen(kw_only=True)
class Opening:
    """The lobby that an organiser wants; what is left out is for the game to choose."""

    name: str | None = None
    file: File | None = None  # a configuration in the game's own format
    settings: Mapping[str, Any] = attrs.field(factory=dict)  # keys that the game declares


class OrderRefused(Exception):
    """A table or reception cannot obey, ever or at this moment; the text says why."""
