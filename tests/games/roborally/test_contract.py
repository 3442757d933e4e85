"""What every game promises."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar

from games.roborally import GAME
from ludothek.testing.contract import ContractSuite


class TestRoboRally(ContractSuite):
    game = GAME
    settings: ClassVar = {"max_rounds": 4}

    def late_settings(self, directory: Path) -> Mapping[str, Any]:
        return {"max_rounds": 2}
