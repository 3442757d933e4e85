"""What the page calls things whose own names are not for everybody."""

from hashlib import blake2b

# Keys of lobbies up to this length can be guessed anyway.
SHORT = 10


def lobby_sign(key: str) -> str:
    """The same for the same lobby, without telling how to get in.

    Whoever knows the id of a lobby that is not listed may join it.
    """
    return key if len(key) <= SHORT else blake2b(key.encode(), digest_size=SHORT // 2).hexdigest()


def record_name(game: str, match_id: str) -> str:
    """What a record is called when it is downloaded.

    The names of the files themselves tell something about the addresses of the players.
    """
    return f"{game}-{match_id}.match"
