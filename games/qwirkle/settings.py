"""What an operator can set for Qwirkle."""

import enum
from functools import cached_property
from pathlib import Path

import attrs

from games.qwirkle import configuration
from games.qwirkle.configuration import Configuration
from games.qwirkle.rules import Refill
from ludothek.settings.fields import GameSettings, SettingsError, at_least, setting
from transports import Rate


class Coordinates(enum.Enum):
    """How the coordinates of a tile are called in what the server says."""

    BOTH = "both"
    LIBRARY = "library"
    DOCUMENT = "document"


class Maps(enum.Enum):
    """How maps whose keys are clients are written."""

    PAIRS = "pairs"
    OBJECT = "object"


class Nulls(enum.Enum):
    """What becomes of an attribute without a value."""

    OMIT = "omit"
    EXPLICIT = "explicit"


class LeavingNews(enum.Enum):
    """Who is told that a spectator has left."""

    SELF = "self"
    ALL = "all"
    NOBODY = "nobody"


@attrs.frozen(kw_only=True)
class Settings(GameSettings):
    """Settings of one Qwirkle endpoint."""

    configuration: str | None = setting(
        None,
        "path of a Configuration file; none: the printed game, open games for two players",
        file=True,
    )
    open_games: int = setting(
        1, "games that always wait for players, without an organiser", check=at_least(0)
    )
    auto_start: bool = setting(True, "an open game starts by itself when it is full")
    start_players: int = setting(
        0, "players that make an open game full; 0: its maxPlayerNumber", check=at_least(0)
    )
    seat_arrivals: bool = setting(
        False, "put every PLAYER that connects into an open game, for bots that never ask"
    )
    coordinates: Coordinates = setting(
        Coordinates.BOTH, "write coordX and coordY (library), x and y (document), or both"
    )
    maps: Maps = setting(
        Maps.PAIRS, "write maps as [client, value] pairs, or as an object with client ids as keys"
    )
    nulls: Nulls = setting(Nulls.OMIT, "omit attributes without a value, or write null")
    end_bonus: int = setting(6, "points for the player who goes out", check=at_least(0))
    refill: Refill = setting(
        Refill.OWN_TURN, "fill up a hand when its player's turn begins, or right after a move"
    )
    auto_skip: bool = setting(
        False, "pass over a player who can neither lay nor swap, instead of letting time run out"
    )
    spectator_leaving: LeavingNews = setting(
        LeavingNews.SELF, "who is told by LeavingPlayer that a spectator has left"
    )
    secret_hands: bool = setting(
        False,
        "tell spectators hands and bag only after the end, since whoever plays can also watch",
    )
    ended_seconds: float = setting(
        1800.0, "seconds that an ended game stays in the list", check=at_least(1)
    )
    ended_games: int = setting(50, "ended games that stay in the list", check=at_least(0))
    chat_length: int = setting(1000, "characters a chat message may have", check=at_least(1))
    chats_per_second: float = setting(
        1.0,
        "chat messages that a client may send in the long run, longer ones counting as one for "
        "each 100 characters; 0: no limit",
        check=at_least(0),
    )
    chat_burst: int = setting(
        10, "chat messages that a client may send at once, after a quiet time", check=at_least(1)
    )
    greeting_seconds: float = setting(
        60.0,
        "seconds a connection may last without a ConnectRequest; 0: no limit",
        check=at_least(0),
    )
    idle_turns: int = setting(
        5,
        "turns in a row that a player of an open game may let run out before it is sent back to "
        "the lobby; 0: no limit",
        check=at_least(0),
    )

    def __attrs_post_init__(self) -> None:
        if self.start_players == 1:
            raise SettingsError("start_players: must be 0 (when full) or at least 2, not 1")
        wanted = self.full_at(self.standard)
        if self.open_games and self.auto_start and not self.standard.can_seat(wanted):
            where = "start_players" if self.start_players else self.configuration
            raise SettingsError(
                f"{where}: open games cannot start with {wanted} players: too few seats or tiles"
            )

    @cached_property
    def standard(self) -> Configuration:
        """The Configuration of open games."""
        if self.configuration is None:
            return configuration.FOR_TWO
        return configuration.load(Path(self.configuration))

    @property
    def organised(self) -> Configuration:
        """The Configuration of games for which an organiser has chosen no other one."""
        return configuration.BUILT_IN if self.configuration is None else self.standard

    @property
    def chat_rate(self) -> Rate | None:
        """How fast a client may chat; None: as it likes."""
        return Rate(self.chats_per_second, self.chat_burst) if self.chats_per_second else None

    def full_at(self, config: Configuration) -> int:
        """How many players make an open game start; 0: it never starts by itself."""
        return self.start_players or config.max_player_number
