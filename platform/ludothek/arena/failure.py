"""A failure of ours: a game cannot be played, and no entrant is to blame."""


class Failure(Exception):
    """Something that a game needs does not work; the text says what."""
