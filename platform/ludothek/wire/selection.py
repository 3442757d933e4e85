"""Filtering the entries of a wire log."""

import re
from collections.abc import Collection
from datetime import date, datetime, time

import attrs

from ludothek.wire.reading import Entry

Moment = datetime | time  # a time without a date is of the day on which the log begins


def read_moment(text: str) -> Moment:
    """``14:05``, ``14:05:30`` or ``2026-11-16 14:05``; without a time zone, in the local one.

    Raises:
      ValueError, OverflowError: it is none of them.
    """
    try:
        return time.fromisoformat(re.sub(r"^(\d:)", r"0\1", text))
    except ValueError:
        return datetime.fromisoformat(text).astimezone()


@attrs.define(kw_only=True)
class Selection:
    """A filter for entries.

    Notes of the log about itself always pass: whoever looks for one client wants to know that lines
    were lost. So do broken lines, which may be from any client.
    """

    clients: Collection[str] = ()  # by number, key or name
    lobbies: Collection[str] = ()
    directions: Collection[str] = ()
    since: Moment | None = None
    until: Moment | None = None
    pattern: re.Pattern[str] | None = None
    _day: date | None = attrs.field(init=False, default=None)

    def wants(self, entry: Entry) -> bool:
        if self.directions and entry.direction not in self.directions:
            return False
        if entry.client and not (self._of_client(entry) and self._of_lobby(entry)):
            return False
        return self._in_time(entry) and (not self.pattern or bool(self.pattern.search(entry.text)))

    def _of_client(self, entry: Entry) -> bool:
        return not self.clients or not {entry.client, entry.key, entry.name}.isdisjoint(
            self.clients
        )

    def _of_lobby(self, entry: Entry) -> bool:
        return not self.lobbies or entry.lobby in self.lobbies

    def _in_time(self, entry: Entry) -> bool:
        if entry.time is None:
            return True
        if self._day is None:
            self._day = entry.time.date()
        since, until = self._dated(self.since), self._dated(self.until)
        return (since is None or entry.time >= since) and (until is None or entry.time <= until)

    def _dated(self, moment: Moment | None) -> datetime | None:
        if isinstance(moment, time) and self._day is not None:
            return datetime.combine(self._day, moment).astimezone()
        return moment if isinstance(moment, datetime) else None
