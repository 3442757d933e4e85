"""What an operator can set for Hexxagon."""

import attrs

from games.hexxagon.rules import Stuck
from ludothek.settings.fields import GameSettings, at_least, between, setting


@attrs.frozen(kw_only=True)
class Settings(GameSettings):
    """Settings of one Hexxagon endpoint."""

    max_strikes: int = setting(
        10, "strikes after which a client is disconnected", check=between(1, 2**31 - 1)
    )
    stuck: Stuck = setting(
        Stuck.PASS,
        "what happens when the player to move cannot: pass, end the game, "
        "or fill the free tiles for the other one and end",
    )
    lenient_races: bool = setting(
        True,
        "ignore a LeaveGame, GameMove, LeaveLobby or StartGame that names the client's game or "
        "lobby which is just over, or that crossed with the other one's leaving; false: strike",
    )
    empty_lobby_seconds: float = setting(
        300.0, "seconds until a lobby that nobody has joined is closed; 0: never", check=at_least(0)
    )
    abandoned_lobby_seconds: float = setting(
        10.0,
        "seconds until a lobby that nobody has joined is closed when its creator is gone; 0: as if "
        "the creator were there",
        check=at_least(0),
    )
    occupied_lobby_seconds: float = setting(
        0.0, "seconds until a lobby that does not start is closed; 0: never", check=at_least(0)
    )
    idle_seat_seconds: float = setting(
        600.0,
        "when no more lobbies fit, one where nobody has said anything for so many seconds is "
        "closed for a new one; 0: never",
        check=at_least(0),
    )
    max_lobbies: int = setting(
        150,
        "lobbies that may wait at once; clients with a receive buffer of 64000 bytes cannot read "
        "a longer list",
        check=at_least(1),
    )
    max_lobbies_per_client: int = setting(
        10, "lobbies of one client that may wait unjoined at once; 0: no limit", check=at_least(0)
    )
    max_turns: int = setting(
        0, "moves after which the player with more stones wins; 0: no limit", check=at_least(0)
    )
