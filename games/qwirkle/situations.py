"""Situations in which a check puts clients of Qwirkle."""

from pathlib import Path

from ludothek.contract.situation import Situations

# As in a tournament, but with five seconds for a turn.
_QUICK_CLOCK = Path(__file__).parent / "files" / "quick-clock.json"

SITUATIONS = Situations(quick_clock={"configuration": str(_QUICK_CLOCK)})
