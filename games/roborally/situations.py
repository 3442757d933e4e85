"""Situations in which a check puts clients of Robo Rally."""

from ludothek.contract.situation import Situations

SITUATIONS = Situations(
    settings={"max_rounds": 4},
    # No message names these times, so they must not be too short for a client that thinks.
    quick_clock={"timer_seconds": 5.0, "programming_seconds": 10.0, "play_seconds": 5.0},
    coming_back={"on_disconnect": "reconnect", "max_rounds": 0},
    absent={"server-pauses": "no message tells that a game is paused"},
)
