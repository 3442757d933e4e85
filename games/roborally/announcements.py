"""Errors that are nobody's mistake: the document has no other message for such news."""

import enum


class Announcement(enum.StrEnum):
    """What all members of a table are told."""

    DESERTED = "All players have left."
    ABORTED = "The organiser has ended the game."
    SHUTDOWN = "The server is shutting down."
    FAULT = "The server has a fault and ends this game."


ANNOUNCEMENTS = frozenset(Announcement)
