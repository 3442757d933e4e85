"""Every game that comes with the platform keeps the contract."""

from pathlib import Path

import pytest

from ludothek.contract.registry import names

HERE = Path(__file__).parent


@pytest.mark.parametrize("game", names())
def test_every_game_runs_the_contract_suite(game: str) -> None:
    text = (HERE / game / "test_contract.py").read_text()
    assert f"from games.{game} import GAME\n" in text
    assert "(ContractSuite):\n    game = GAME\n" in text
