"""What an operator can set for tic-tac-toe."""

import attrs
from ludothek.api import GameSettings, at_least, setting


@attrs.frozen(kw_only=True)
class Settings(GameSettings):
    """Settings of one endpoint."""

    move_seconds: float = setting(
        30.0, "seconds for each move, after which the match is lost; 0: no limit", check=at_least(0)
    )
    greeting_seconds: float = setting(
        10.0, "seconds until a client must have said Hello; 0: no limit", check=at_least(0)
    )
    waiting_seconds: float = setting(
        600.0,
        "seconds until a lobby is closed in which no match begins; 0: never",
        check=at_least(0),
    )
    max_refusals: int = setting(
        10, "refused messages after which a client is disconnected", check=at_least(1)
    )
