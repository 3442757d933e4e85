"""The platform as it is built for others."""

import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
SHIPPED = ("config", "deploy", "docs", "games", "platform", "transports")
FILES = (".git_archival.txt", "README.md", "hatch_version.py", "pyproject.toml")


def copy_source(copy: Path) -> Path:
    """Copy everything that is built, without the repository."""
    rest = shutil.ignore_patterns("__pycache__", "_version.py")
    for folder in SHIPPED:
        shutil.copytree(ROOT / folder, copy / folder, ignore=rest)
    for file in (*FILES, "requirements.lock"):
        shutil.copy(ROOT / file, copy)
    return copy


def hatch(directory: Path, *words: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "hatchling", *words],
        cwd=directory,
        check=True,
        capture_output=True,
        text=True,
    )
    return done.stdout.strip()


def build(directory: Path, target: str) -> Path:
    hatch(directory, "build", "--target", target)
    (built,) = (directory / "dist").iterdir()
    return built
