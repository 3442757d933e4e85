"""What an operator can set for Penguins."""

import attrs

from games.penguins.rules import SEEDS
from ludothek.settings.fields import GameSettings, SettingsError, at_least, between, setting

SOFT_SECONDS = 2.0


@attrs.frozen(kw_only=True)
class Settings(GameSettings):
    """Settings of one Penguins endpoint."""

    paused: bool = setting(False, "whether rooms opened by a plain join start paused")
    password: str | None = setting(
        None, "the administrators' password; none: administrators' requests are refused"
    )
    soft_seconds: float = setting(
        SOFT_SECONDS, "seconds for a move; one that comes later loses the game", check=at_least(0)
    )
    hard_seconds: float = setting(
        10.0, "seconds after which a move is not waited for any longer", check=at_least(0)
    )
    players_time_out: bool = setting(
        False,
        "whether the limits hold for players of a plain join, too; for prepared games the "
        "administrator decides for each player",
    )
    board_seed: int | None = setting(
        None,
        "the board of every game, as numbered by the original server; none: a random one each",
        check=between(SEEDS.start, SEEDS.stop - 1),
    )
    max_rooms: int = setting(1000, "rooms that may be open at once", check=at_least(1))
    max_rooms_per_client: int = setting(
        4,
        "rooms that one connection may be in by join or joinRoom at once, unless it is an "
        "administrator's; 0: no limit",
        check=at_least(0),
    )
    idle_seat_seconds: float = setting(
        600.0,
        "when no more rooms fit, a game opened by a plain join whose player has been silent on its "
        "turn for so many seconds is ended for a new one; 0: never",
        check=at_least(0),
    )
    hard_timeout_as_soft: bool = setting(
        False, "give SOFT_TIMEOUT as the cause of a hard timeout, like the original server"
    )
    request_gap_seconds: float = setting(
        0.03,
        "seconds between a state and the request for a move that follows; clients that take what "
        "arrives at once for one message miss the request otherwise",
        check=between(0, 1),
    )
    close_after_game: bool = setting(
        False,
        "close the players' connections after a game, as the protocol document says; the original "
        "server leaves them open",
    )
    winner_on_timeout: bool = setting(
        True, "name the winner of a game that ended by a timeout; the original server does not"
    )

    def __attrs_post_init__(self) -> None:
        soft, hard = self.soft_seconds, self.hard_seconds
        if soft <= hard:
            return
        # The one that somebody has set is to blame, and its line is named.
        if soft == SOFT_SECONDS:
            raise SettingsError(
                f"hard_seconds: must be at least soft_seconds, which is {soft}, not {hard}"
            )
        raise SettingsError(
            f"soft_seconds: must be at most hard_seconds, which is {hard}, not {soft}"
        )


@attrs.frozen(kw_only=True)
class Preparation:
    """What an organiser can set for a room it opens, like an administrator who prepares one."""

    one: str = setting("", "name of the player that begins")
    two: str = setting("", "name of the other player")
    can_timeout: bool = setting(True, "whether the limits hold for them")
    paused: bool = setting(False, "whether the game starts paused")
