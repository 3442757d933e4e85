"""What the current turn has changed, until it is committed."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from transports.durable_link import DurableLink


class Draft:
    """What the next commit has to write, or has to ask links about."""

    __slots__ = ("lagging", "notes", "touched")

    def __init__(self) -> None:
        # Links whose input or state may have changed in this turn, and what was read from them.
        self.touched: dict[DurableLink, bytes] = {}
        # Links with output that waits, and that is only in the tray.
        self.lagging: dict[DurableLink, None] = {}
        self.notes: list[bytes] = []

    def clear(self) -> None:
        self.touched.clear()
        self.lagging.clear()
        self.notes.clear()
