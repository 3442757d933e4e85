"""Where a measurement was made, for those who read it later."""

import importlib.metadata
import os
import platform
import shutil
import subprocess
from datetime import date
from pathlib import Path

PACKAGES = ("ludothek", "trio", "trio-websocket", "orjson", "lxml")


def environment() -> dict[str, str]:
    """The machine and the versions of what was measured."""
    found = {
        "date": date.today().isoformat(),
        "cpu": _cpu(),
        "cores": str(os.cpu_count()),
        "kernel": platform.release(),
        "Python": platform.python_version(),
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


def _cpu() -> str:
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.machine()
