"""Where a measurement was made, for those who read it later."""

import importlib.metadata
import os
import platform
import shutil
import subprocess
from datetime import date
from pathlib import Path

ROOT = Path(__file__).parent.parent

# What is measured, or does the measuring; changes of other files, such as the page, do not count.
SOURCES = ("platform", "transports", "games", "bench", "pyproject.toml")

CHANGED = " with changes"

PACKAGES = ("trio", "trio-websocket", "orjson", "lxml")


def environment() -> dict[str, str]:
    """The machine and the versions of what was measured."""
    found = {
        "date": date.today().isoformat(),
        "cpu": _cpu(),
        "cores": str(os.cpu_count()),
        "kernel": platform.release(),
        "Python": platform.python_version(),
        "ludothek": commit(),
    }
    for package in PACKAGES:
        try:
            found[package] = importlib.metadata.version(package)
        except importlib.metadata.PackageNotFoundError:
            continue
    if node := shutil.which("node"):
        version = subprocess.run([node, "--version"], capture_output=True, text=True, check=True)
        found["Node"] = version.stdout.strip().lstrip("v")
    return found


def sentence(found: dict[str, str]) -> str:
    """The same in one line."""
    return ", ".join(value if key == "date" else f"{key} {value}" for key, value in found.items())


def commit() -> str:
    """The commit that is measured, and whether there are uncommitted changes."""
    changes = _git("status", "--porcelain", "--", *SOURCES)
    return _git("rev-parse", "--short=10", "HEAD") + (CHANGED if changes else "")


def _git(*arguments: str) -> str:
    made = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=True)
    return made.stdout.strip()


def _cpu() -> str:
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.machine()
