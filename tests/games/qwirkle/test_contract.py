"""What every game promises."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from games.qwirkle import GAME
from ludothek.testing.contract import ContractSuite

SMALL = {"colorShapeCount": 3, "timeVisualization": 0, "maxPlayerNumber": 2}


class TestQwirkle(ContractSuite):
    game = GAME
    late_players = 4

    def late_settings(self, directory: Path) -> Mapping[str, Any]:
        small = directory / "small.json"
        small.write_text(json.dumps(SMALL))
        return {"auto_skip": True, "configuration": str(small)}
