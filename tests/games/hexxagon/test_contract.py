"""What every game promises."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from games.hexxagon import GAME
from ludothek.testing.contract import ContractSuite


class TestHexxagon(ContractSuite):
    game = GAME
    late_players = 4

    def late_settings(self, directory: Path) -> Mapping[str, Any]:
        return {"max_turns": 6}
