"""Games of a tournament, as tests play them."""

import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

import attrs

from ludothek.arena.bounds import Bounds
from ludothek.arena.entrant import Entrant, Kind
from ludothek.arena.played import Played
from ludothek.arena.server import play
from ludothek.arena.task import Task
from transports import open_poller

ZOO = Path(__file__).parent / "zoo"

# Enough for every healthy program, even on a busy machine.
BOUNDS = Bounds(startup_seconds=30.0, move_seconds=30.0, game_seconds=60.0)


def bot(name: str = "Bot", difficulty: int = 3, **options: str) -> Entrant:
    return Entrant(name=name, kind=Kind.BOT, difficulty=difficulty, options=options)


def program(name: str, *command: str, folder: Path | None = None) -> Entrant:
    return Entrant(
        name=name,
        kind=Kind.COMMAND,
        command=command,
        folder=None if folder is None else str(folder),
    )


def animal(kind: str, *arguments: str) -> Entrant:
    """One of the zoo, with what it needs to find its seat."""
    words = arguments or ("{host}", "{port}", "{reservation}")
    return program(kind, sys.executable, f"{kind}.py", *words, folder=ZOO)


def task(game: str, *entrants: Entrant, folder: Path, bounds: Bounds = BOUNDS, **more: Any) -> Task:
    return Task(
        number=more.pop("number", 1),
        game=game,
        settings=more.pop("settings", {}),
        seed=more.pop("seed", 1),
        entrants=entrants,
        bounds=bounds,
        folder=str(folder),
        **more,
    )


def within(**bounds: Any) -> Bounds:
    """The usual bounds, but for these."""
    return attrs.evolve(BOUNDS, **bounds)


async def played(game: Task) -> Played:
    """Play a game in this process, without keeping it to any core."""
    async with open_poller() as poller:
        return await play(game, (), poller)


def running(mark: str) -> list[str]:
    """The command lines of all processes that have this word."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):
            found.append(path.read_text(errors="replace").replace("\0", " "))
    return [each for each in found if mark in each]
