"""Situations in which a check puts clients of Quidditch."""

from pathlib import Path

from ludothek.contract.situation import Situations

_FILES = Path(__file__).parent / "files"

SITUATIONS = Situations(
    settings={"match": str(_FILES / "check.json")},
    quick_clock={"match": str(_FILES / "quick-clock.json")},
    coming_back={"reconnect_seconds": 60.0},
)
