"""Real programs: the Python client of the Software-Challenge, as contestants use it."""

from pathlib import Path

import attrs
import pytest

from ludothek.arena import program as program_module
from ludothek.arena.outcome import Outcome, Reason
from tests.arena.games import BOUNDS, bot, played, program, task

PLAYER = Path(__file__).parents[1] / "interop" / "socha_player.py"

# It asks for its newest version before it plays, and waits for the answer.
PATIENT = attrs.evolve(BOUNDS, startup_seconds=60.0, game_seconds=150.0)

RESERVED = ("-r", "{reservation}")


@pytest.fixture(autouse=True)
def _a_long_farewell(monkeypatch: pytest.MonkeyPatch) -> None:
    """It takes a tenth of a second for each message, also for that of the end."""
    monkeypatch.setattr(program_module, "LEAVE_SECONDS", 20.0)


async def game(python: Path, folder: Path, seat: int, *words: str) -> Outcome:
    """A game of the real client on this seat against a bot."""
    command = (str(python), str(PLAYER), "-h", "{host}", "-p", "{port}", *words)
    contestant = program("Contestant", *command)
    entrants = [contestant, bot("Bot", 2)] if seat == 0 else [bot("Bot", 2), contestant]
    result = await played(task("penguins", *entrants, folder=folder, bounds=PATIENT))
    assert result.outcome.failure is None
    finish = result.outcome.finishes[seat]
    assert finish.log is not None, finish
    assert b"ended REGULAR REGULAR" in result.files[finish.log], result.files[finish.log]
    return result.outcome


@pytest.mark.parametrize(("seat", "words"), [(0, RESERVED), (1, RESERVED), (1, ())])
async def test_a_real_client_plays_in_a_tournament(
    python: Path, tmp_path: Path, seat: int, words: tuple[str, ...]
) -> None:
    """With its reservation, and without one, as most contestants start it."""
    outcome = await game(python, tmp_path, seat, *words)
    assert {finish.reason for finish in outcome.finishes} == {Reason.REGULAR}
    assert all(finish.thinking.moves > 3 for finish in outcome.finishes)
