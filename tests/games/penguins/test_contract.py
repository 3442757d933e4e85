"""What every game promises."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from games.penguins import GAME
from ludothek.testing.contract import ContractSuite


class TestPenguins(ContractSuite):
    game = GAME
    late_players = 4

    def late_settings(self, directory: Path) -> Mapping[str, Any]:
        return {"request_gap_seconds": 0}
