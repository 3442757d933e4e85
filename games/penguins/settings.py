"""What an operator can set for Penguins."""

import attrs

from games.penguins.rules import SEEDS
from ludothek.settings.fields import GameSettings, SettingsError, at_least, between, setting

SOFT_SECONDS = 2.0


@attrs.frozen(kw_only=True)
class Settings(GameSettings):
    """Settings of one Penguins endpoint."""

    paused: bool = setting(False, "start rooms opened by a plain join paused")
    password: str | None = setting(
        None, "password of administrators; none: all administrator requests are refused"
    )
    soft_seconds: float = setting(
        SOFT_SECONDS, "seconds for a move; a later move loses the game", check=at_least(0)
    )
    hard_seconds: float = setting(
        10.0,
        "seconds after which the server stops waiting for a move; the game is lost",
        check=at_least(0),
    )
    players_time_out: bool = setting(
        False,
        "apply both time limits to players of a plain join as well; in prepared games the "
        "administrator decides for each player",
    )
    board_seed: int | None = setting(
        None,
        "seed of every game's board, as in the original server; none: a random board per game",
        check=between(SEEDS.start, SEEDS.stop - 1),
    )
    max_rooms: int = setting(1000, "rooms open at the same time", check=at_least(1))
    max_rooms_per_client: int = setting(
        4,
        "rooms one connection may be in through join or joinRoom, unless it belongs to an "
        "administrator; 0: no limit",
        check=at_least(0),
    )
    idle_seat_seconds: float = setting(
        600.0,
        "when no more rooms can be opened, seconds without a requested move after which a game "
        "opened by a plain join is ended to make room; 0: never",
        check=at_least(0),
    )
    hard_timeout_as_soft: bool = setting(
        False, "report SOFT_TIMEOUT as the cause of a hard timeout, like the original server"
    )
    request_gap_seconds: float = setting(
        0.03,
        "seconds between a state and the move request that follows it; clients that treat one "
        "read as one message would otherwise miss the request",
        check=between(0, 1),
    )
    close_after_game: bool = setting(
        False,
        "close the players' connections after a game, as the protocol document specifies; the "
        "original server leaves them open",
    )
    winner_on_timeout: bool = setting(
        True, "name a winner when a game ends by timeout; the original server does not"
    )

    def __attrs_post_init__(self) -> None:
        soft, hard = self.soft_seconds, self.hard_seconds
        if soft <= hard:
            return
        # Report the setting that was changed, so that the message names its line.
        if soft == SOFT_SECONDS:
            raise SettingsError(
                f"hard_seconds: must be at least soft_seconds, which is {soft}, not {hard}"
            )
        raise SettingsError(
            f"soft_seconds: must be at most hard_seconds, which is {hard}, not {soft}"
        )


@attrs.frozen(kw_only=True)
class Preparation:
    """Settings of a room that an organiser opens, as an administrator would prepare it."""

    one: str = setting("", "name of the player who begins")
    two: str = setting("", "name of the other player")
    one_reserved: bool = setting(True, "only a client with the code takes the first seat")
    two_reserved: bool = setting(True, "only a client with the code takes the second seat")
    can_timeout: bool = setting(True, "apply the time limits to both players")
    paused: bool = setting(False, "start the game paused")
