"""How far a connection has come."""

import enum


class LinkState(enum.Enum):
    """The one place that says which side may still send, and whether the peer is still heard."""

    OPEN = "both sides speak"
    ENDED = "the peer is not heard any more, but may still be told something"
    CUT_OFF = "the peer was given up in the middle of what it was told"
    CLOSING = "we have said our last word and wait for the peer's"
    OVER = "nothing more will come"
