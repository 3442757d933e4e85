"""`ludothek.api` is all that a game needs, and no more than a game may know."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import ludothek.api

GAMES = Path(__file__).parents[1] / "games"

OFFERED = {name for name in vars(ludothek.api) if not name.startswith("_")}

# The packages above those that a game is made of.
HIGHER = (
    "arena",
    "check",
    "cli",
    "control",
    "daemon",
    "observe",
    "runtime",
    "storage",
    "web",
    "wire",
)


def imported_by_games() -> Iterator[str]:
    """All that games import of the core and its transports, but for whole modules."""
    modules = {"members", "mistakes", "orders"}
    for file in GAMES.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
                package = node.module.partition(".")[0]
                if package in ("ludothek", "transports"):
                    yield from {name.name for name in node.names} - modules


def test_it_has_all_that_games_import() -> None:
    imported = set(imported_by_games())
    assert imported
    assert imported - OFFERED == set()


def test_it_loads_nothing_that_a_game_may_not_know() -> None:
    script = "import ludothek.api, sys; print(*sys.modules)"
    loaded = subprocess.check_output([sys.executable, "-c", script], text=True).split()
    packages = {name.split(".")[1] for name in loaded if name.startswith("ludothek.")}
    assert packages & {*HIGHER} == set()
    assert "settings" in packages
