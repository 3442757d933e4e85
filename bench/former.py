"""Our daemon at another commit, to be measured beside the current one."""

import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bench.measure import CannotMeasure

ROOT = Path(__file__).parent.parent


@contextmanager
def checked_out(commit: str) -> Iterator[Path]:
    """A folder with the program of that commit; it runs in the current Python environment."""
    with tempfile.TemporaryDirectory() as folder:
        packed = Path(folder, "tree.tar")
        archive = ["git", "archive", f"--output={packed}", commit]
        made = subprocess.run(archive, cwd=ROOT, capture_output=True, text=True, check=False)
        if made.returncode:
            raise CannotMeasure(f"commit {commit}: {made.stderr.strip()}")
        tree = Path(folder, "tree")
        tree.mkdir()
        subprocess.run(["tar", "--extract", f"--file={packed}"], cwd=tree, check=True)
        yield tree
