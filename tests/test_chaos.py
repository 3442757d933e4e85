"""The short form of bench/chaos.py: the daemon is killed, and nobody notices.

In real time, since processes are killed.
"""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SECONDS = 100


@pytest.mark.parametrize("seed", [1, 2])
def test_matches_survive_a_daemon_that_is_killed_again_and_again(seed: int) -> None:
    run = ["--seconds", "8", "--lobbies", "2", "--every", "1.5", "--speed", "4"]
    command = [sys.executable, "-m", "bench.chaos", *run, "--seed", str(seed)]
    made = subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=SECONDS
    )
    assert made.returncode == 0, made.stdout + made.stderr
