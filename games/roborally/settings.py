"""What an operator can set for Robo Rally."""

import enum
from functools import cached_property
from pathlib import Path

import attrs

from games.roborally import courses
from games.roborally.rules import Course
from ludothek.settings.fields import GameSettings, SettingsError, at_least, between, setting

# The box has six robots, and every course six starting points.
MAX_PLAYERS = 6

STANDARD_COURSE = "DizzyHighway"


class OnDisconnect(enum.Enum):
    """What happens to the robot of a player who disconnects."""

    REMOVE = "remove"
    IGNORE = "ignore"
    AI = "ai"
    RECONNECT = "reconnect"

    @property
    def action(self) -> str:
        """The action that ConnectionUpdate names."""
        return {"remove": "Remove", "ai": "AIControl"}.get(self.value, "Ignore")

    @property
    def keeps_seat(self) -> bool:
        """Whether a player who comes back gets the robot back."""
        return self in (OnDisconnect.AI, OnDisconnect.RECONNECT)


@attrs.frozen(kw_only=True)
class Settings(GameSettings):
    """Settings of one Robo Rally endpoint."""

    course: str = setting(
        STANDARD_COURSE, "name of a course, or path of a .json course file", file=True
    )
    min_players: int = setting(2, "players needed to start a game", check=between(1, MAX_PLAYERS))
    max_players: int = setting(
        MAX_PLAYERS, "maximum number of players in a game", check=between(1, MAX_PLAYERS)
    )
    timer_seconds: float = setting(
        30.0, "seconds left for programming once the first player has finished", check=at_least(0)
    )
    programming_seconds: float = setting(
        300.0,
        "seconds for programming while nobody finishes; then registers are filled blindly; 0: no "
        "limit",
        check=at_least(0),
    )
    play_seconds: float = setting(
        30.0,
        "seconds for a decision that others wait for (starting point, purchase, PlayCard, "
        "damage); then the server decides; 0: no limit",
        check=at_least(0),
    )
    on_disconnect: OnDisconnect = setting(
        OnDisconnect.REMOVE,
        "what happens to the robot of a player who disconnects: it is removed (remove), stays and "
        "does nothing (ignore), is played by the server (ai) or waits for its player (reconnect)",
    )
    deserted_seconds: float = setting(
        60.0,
        "seconds a game waits for a player to return when all have disconnected (ai, reconnect)",
        check=at_least(0),
    )
    ai_seconds: float = setting(
        0.5,
        "seconds the server takes for each decision it makes for a player (ai)",
        check=at_least(0.01),
    )
    greeting_seconds: float = setting(
        30.0, "seconds in which a client must send HelloServer; 0: no limit", check=at_least(0)
    )
    idle_seat_seconds: float = setting(
        600.0,
        "seconds after which a player who is not ready is disconnected if enough others are ready, "
        "or if somebody else wants a seat and none is free; 0: no limit",
        check=at_least(0),
    )
    idle_rounds: int = setting(
        2,
        "consecutive rounds without any action after which a player is treated as disconnected; "
        "0: no limit",
        check=at_least(0),
    )
    max_rounds: int = setting(
        0, "rounds after which the player in the lead wins; 0: no limit", check=at_least(0)
    )
    detailed_errors: bool = setting(
        True, "say in an Error what was wrong, not only that something was"
    )

    def __attrs_post_init__(self) -> None:
        if self.min_players > self.max_players:
            raise SettingsError("min_players: must not be more than max_players")
        if len(self.board.start_points) < self.min_players:
            raise SettingsError("course: it has fewer start points than min_players")

    @cached_property
    def for_tables(self) -> "Settings":
        """The same without a file to be read again: tables have the course itself."""
        return attrs.evolve(self, course=STANDARD_COURSE)

    @cached_property
    def board(self) -> Course:
        """The course that is played."""
        try:
            if self.course.endswith(".json"):
                return courses.load_file(Path(self.course))
            return courses.load(self.course)
        except courses.BadCourse as error:
            raise SettingsError(f"course: {error}") from None
