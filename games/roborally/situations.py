"""Situations in which a check puts clients of Robo Rally."""

from ludothek.contract.situation import Situations

SITUATIONS = Situations(
    settings={"max_rounds": 4},
    quick_clock={"timer_seconds": 2.0, "programming_seconds": 4.0, "play_seconds": 2.0},
    coming_back={"on_disconnect": "reconnect", "max_rounds": 0},
    absent={"server-pauses": "no message tells that a game is paused"},
)
