"""What people see of a table, one position after the other."""

from typing import Any

import orjson

from ludothek.contract.page import Event, Page
from ludothek.contract.table import Table

# Of what happened in one step, in all: a step cannot tell more than people can read.
MOST_EVENTS = 200


class Camera:
    """Takes a picture of a table after each step that has changed what people see of it."""

    def __init__(self, page: Page, table: Table, *, everything: bool) -> None:
        self._page = page
        self._table = table
        self._everything = everything  # whether hidden things are shown
        self._told: list[Event] = []  # in this step
        self._shown = b""  # the latest view
        self._number = 0  # of the latest position

    def hear(self, message: Any) -> None:
        """The table has sent this to somebody."""
        for event in self._page.tell(self._table, message):
            self.add(event)

    def add(self, event: Event) -> None:
        """Something has happened; what several clients are told has happened once."""
        if event not in self._told and len(self._told) < MOST_EVENTS:
            self._told.append(event)

    def take(self, number: int, date: float) -> bytes | None:
        """The position after that many notes, as JSON; None if people see no difference."""
        view = self._page.view(self._table, self._everything)
        if view is None:
            return None
        shown = orjson.dumps(view.simple(), option=orjson.OPT_NON_STR_KEYS)
        if shown == self._shown and not self._told:
            return None
        told, self._told, self._shown = self._told, [], shown
        before, self._number = self._number, number
        return orjson.dumps(
            {
                "n": number,
                "after": before,  # the position before; browsers notice what they have missed
                "date": date,
                "told": told,
                "view": orjson.Fragment(shown),
            }
        )

    def scenery(self) -> bytes:
        """What stays the same during the match, as JSON."""
        return orjson.dumps(self._page.scenery(self._table), option=orjson.OPT_NON_STR_KEYS)
