"""Checks of scripted clients, as short as possible."""

import sys
from pathlib import Path

from ludothek.arena.bounds import Bounds
from ludothek.check.checker import Checker, find_situations
from ludothek.check.trial import Trial
from ludothek.check.verdict import Verdict
from ludothek.contract import registry
from ludothek.contract.situation import Situation

CLIENT = Path(__file__).parent / "client.py"

SHORT = Situation(name="short", about="A few moves.", decisions=3)

BOUNDS = Bounds(startup_seconds=30.0, move_seconds=30.0, game_seconds=60.0)
HASTY = Bounds(startup_seconds=0.5, move_seconds=1.0, game_seconds=60.0)
IMPATIENT = Bounds(startup_seconds=30.0, move_seconds=1.0, game_seconds=60.0)


def command(kind: str) -> tuple[str, ...]:
    return (sys.executable, str(CLIENT), kind, "{host}", "{port}", "{lobby}", "{name}")


async def checked(
    kind: str, *situations: Situation | str, bounds: Bounds = BOUNDS, seat: int | None = 0
) -> Verdict:
    """The verdict on that kind of client in these situations."""
    game = registry.load("hexxagon")
    found = [
        each if isinstance(each, Situation) else find_situations(game, [each])[0]
        for each in situations or (SHORT,)
    ]
    checker = Checker(game=game, command=command(kind), situations=found, bounds=bounds, seat=seat)
    await checker.run()
    return checker.verdict()


async def tried(kind: str, situation: Situation | str = SHORT, bounds: Bounds = BOUNDS) -> Trial:
    """How that kind of client comes through a situation; nothing of ours may fail."""
    (trial,) = (await checked(kind, situation, bounds=bounds)).trials
    assert not trial.failure
    return trial
