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
    """The names of a tile's coordinates in messages of the server."""

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
        "path of a Configuration file; none: the printed game, with open games for two players",
        file=True,
    )
    open_games: int = setting(
        1, "games that wait for players at any time, without an organiser", check=at_least(0)
    )
    auto_start: bool = setting(True, "start an open game automatically when it is full")
    start_players: int = setting(
        0,
        "number of players at which an open game is full; 0: its maxPlayerNumber",
        check=at_least(0),
    )
    seat_arrivals: bool = setting(
        False, "seat every PLAYER that connects in an open game, for bots that never ask to join"
    )
    coordinates: Coordinates = setting(
        Coordinates.BOTH, "write coordX and coordY (library), x and y (document), or both"
    )
    maps: Maps = setting(
        Maps.PAIRS, "write maps as [client, value] pairs, or as an object with client ids as keys"
    )
    nulls: Nulls = setting(Nulls.OMIT, "omit attributes without a value, or write null")
    end_bonus: int = setting(
        6, "bonus points for the player who plays the last tile", check=at_least(0)
    )
    refill: Refill = setting(
        Refill.OWN_TURN, "refill a hand when its player's turn begins, or right after a move"
    )
    auto_skip: bool = setting(
        False, "skip a player who can neither lay nor swap, instead of letting the turn time out"
    )
    spectator_leaving: LeavingNews = setting(
        LeavingNews.SELF, "who receives LeavingPlayer when a spectator leaves"
    )
    secret_hands: bool = setting(
        False,
        "hide hands and bag from spectators until the game is over, since a player can also watch "
        "with a second client",
    )
    ended_seconds: float = setting(
        1800.0, "seconds that a finished game stays in the list", check=at_least(1)
    )
    ended_games: int = setting(50, "finished games to keep in the list", check=at_least(0))
    chat_length: int = setting(
        1000, "maximum length of a chat message, in characters", check=at_least(1)
    )
    chats_per_second: float = setting(
        1.0,
        "sustained chat rate of one client (token bucket); every 100 characters count as one "
        "message; 0: no limit",
        check=at_least(0),
    )
    chat_burst: int = setting(10, "chat messages one client may send in a burst", check=at_least(1))
    greeting_seconds: float = setting(
        60.0,
        "seconds in which a client must send its ConnectRequest; 0: no limit",
        check=at_least(0),
    )
    idle_turns: int = setting(
        5,
        "consecutive turns that time out before a player of an open game is sent back to the "
        "lobby; 0: no limit",
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
        """The Configuration of games for which an organiser has not chosen another one."""
        return configuration.BUILT_IN if self.configuration is None else self.standard

    @property
    def chat_rate(self) -> Rate | None:
        """The chat rate limit of a client; None: no limit."""
        return Rate(self.chats_per_second, self.chat_burst) if self.chats_per_second else None

    @cached_property
    def for_tables(self) -> "Settings":
        """What games need to know of it: nothing about open games, and no file to be read again."""
        return attrs.evolve(self, configuration=None, open_games=0)

    def full_at(self, config: Configuration) -> int:
        """The number of players at which an open game starts; 0: it never starts by itself."""
        return self.start_players or config.max_player_number


@attrs.frozen(kw_only=True)
class GatheringSettings(Settings):
    """Settings of an endpoint where players come together to continue from another game."""

    played: Configuration  # of that game

    @classmethod
    def of(cls, settings: Settings, played: Configuration, players: int) -> "GatheringSettings":
        kept = attrs.asdict(settings, recurse=False) | {
            "configuration": None,
            "open_games": 1,
            "auto_start": True,
            "start_players": players,
            "played": played,
        }
        return cls(**kept)

    @property
    def standard(self) -> Configuration:
        return self.played
