"""What every game promises."""

from pathlib import Path
from typing import ClassVar

from games.quidditch import GAME
from ludothek.testing.contract import ContractSuite

BRIEF = Path(__file__).parents[2] / "data" / "quidditch" / "brief.json"


class TestQuidditch(ContractSuite):
    game = GAME
    settings: ClassVar = {"match": str(BRIEF), "accounts": "memory"}
    late_matches = 1  # with as many messages as ten of other games
