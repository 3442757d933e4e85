"""What people see while a tournament runs."""

import io
from pathlib import Path

import pytest
import trio.testing
from rich.console import Console
from rich.live import Live

from ludothek.arena.conductor import Conductor
from ludothek.arena.database import open_to_write
from ludothek.arena.entrant import Entrant, Kind
from ludothek.arena.outcome import Finish, Outcome, Reason
from ludothek.cli.arena_progress import ProgressLines, ProgressScreen, show_at_end
from tests.support.arena import FakePool, plan


async def test_a_terminal_gets_a_bar_and_the_standings(
    autojump_clock: trio.testing.MockClock, tmp_path: Path
) -> None:
    drawn = io.StringIO()
    console = Console(file=drawn, force_terminal=True, width=100)
    with (
        open_to_write(tmp_path / "arena.db", plan()) as database,
        Live(console=console, auto_refresh=False) as live,
    ):
        screen = ProgressScreen(live)
        conductor = Conductor(plan(), database, FakePool(), screen)
        await conductor.run()
        screen.say("finishing 2 games")
    text = drawn.getvalue()
    assert "12 of 12 games" in text
    assert "games per minute, 0:00:00 left" in text
    assert "Entrant 2" in text
    assert any(line.rstrip().endswith("━\x1b[0m") for line in text.splitlines())
    assert "finishing 2 games" in text


async def test_elsewhere_each_game_is_a_line(
    autojump_clock: trio.testing.MockClock, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    nasty = Entrant(name="Bo\x1b[2J", kind=Kind.BOT)
    planned = plan(2, games=2, entrants=(plan().entrants[0], nasty))

    def crash(task: object) -> Outcome:
        lost = Finish(rank=2, reason=Reason.CRASHED, words="Signal 11.")
        return Outcome(number=1, finishes=(Finish(rank=1), lost))

    with open_to_write(tmp_path / "arena.db", planned) as database:
        lines = ProgressLines()
        conductor = Conductor(planned, database, FakePool(answer=crash), lines)
        await conductor.run()
        lines.failed(next(planned.schedule().fixtures({})), "no descriptors left")
        show_at_end(conductor)
    said = capsys.readouterr().out.splitlines()
    assert said[0] == "0 of 2 games"
    assert "0 (Signal 11.); 1 of 2 games" in said[1]
    assert said[3] == "game 1: our fault, it is repeated: no descriptors left"
    assert said[4].split() == [
        "#", "name", "games", "points", "wins", "draws", "losses", "rating", "±", "better",
    ]  # fmt: skip
    assert not any("\x1b" in line for line in said)
