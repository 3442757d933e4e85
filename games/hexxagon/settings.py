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
        "what happens when the player to move has no move: pass, end the game, or fill the free "
        "tiles for the opponent and end the game",
    )
    lenient_races: bool = setting(
        True,
        "ignore a LeaveGame, GameMove, LeaveLobby or StartGame that refers to the client's last "
        "game or lobby, or that crossed the opponent's departure on the wire; false: strike",
    )
    empty_lobby_seconds: float = setting(
        300.0,
        "seconds after which a lobby that nobody has joined is closed; 0: never",
        check=at_least(0),
    )
    abandoned_lobby_seconds: float = setting(
        10.0,
        "seconds after its creator's departure at which a lobby that nobody has joined is closed; "
        "0: the departure makes no difference",
        check=at_least(0),
    )
    occupied_lobby_seconds: float = setting(
        0.0,
        "seconds after its opening at which a joined lobby whose game has not started is closed; "
        "0: never",
        check=at_least(0),
    )
    idle_seat_seconds: float = setting(
        600.0,
        "when the lobby list is full, seconds of silence after which a lobby is closed to make "
        "room for a new one; 0: never",
        check=at_least(0),
    )
    max_lobbies: int = setting(
        150,
        "lobbies that may wait for players; clients with a receive buffer of 64000 bytes cannot "
        "read a longer list",
        check=at_least(1),
    )
    max_lobbies_per_client: int = setting(
        10, "lobbies per client that nobody has joined; 0: no limit", check=at_least(0)
    )
    max_turns: int = setting(
        0, "moves after which the player with more stones wins; 0: no limit", check=at_least(0)
    )


@attrs.frozen(kw_only=True)
class Preparation:
    """Settings of a lobby that an organiser opens."""

    private: bool = setting(False, "do not list it: only clients that know its id can join")
