"""An environment of its own for the real client, whose pins do not go with ours."""

import fcntl
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
REQUIREMENTS = Path(__file__).parent / "socha-requirements.txt"
ENVIRONMENT = ROOT / ".venv-socha"


def socha_python() -> Path:
    """The interpreter of that environment, which is made once and kept until its pins change.

    Raises:
      subprocess.CalledProcessError: it could not be installed.
    """
    ENVIRONMENT.mkdir(exist_ok=True)
    stamp = ENVIRONMENT / "installed.txt"
    python = ENVIRONMENT / "bin" / "python"
    wanted = f"{sys.version}\n{REQUIREMENTS.read_text()}"
    with (ENVIRONMENT / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # tests may run in several processes
        if not stamp.exists() or stamp.read_text() != wanted:
            _run(sys.executable, "-m", "venv", str(ENVIRONMENT))
            _run(str(python), "-m", "pip", "install", "--quiet", "--requirement", str(REQUIREMENTS))
            stamp.write_text(wanted)
    return python


def _run(*command: str) -> None:
    subprocess.run(command, check=True, capture_output=True, text=True)


def offline() -> dict[str, str]:
    """Variables under which the client finds no network but this machine's own.

    It asks the package index for its newest version before it plays, and can do without an answer.
    """
    return {**os.environ, "https_proxy": "http://127.0.0.1:9", "no_proxy": ""}
